"""Allocation of lines to intents: strong ones first and alone, then weak ones, which share."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from asterism.causality import answer_score
from asterism.causality.answer_score import Score
from asterism.causality.models import ClaimReason
from asterism.causality.transcripts import line_text, masks
from asterism.causality.transcripts.intents import Intent
from asterism.causality.transcripts.models import Strength, Transcript
from asterism.causality.transcripts.speakers import Speakers
from asterism.settings import CausalParams

SCORE_DECIMALS = 9


class Bid(NamedTuple):
    """One line scored for one intent."""

    position: int
    line: int
    distance: int
    score: Score


class Decision(NamedTuple):
    """The best bid of an intent, the bid it got, and the reason."""

    intent: Intent
    top: Bid | None
    chosen: Bid | None
    reason: ClaimReason


class AnswerLines:
    """The DM lines of a transcript that may answer an intent."""

    def __init__(
        self, transcript: Transcript, eligible: list[bool], speakers: Speakers, compat: bool
    ) -> None:
        lines = self._lines = transcript.lines
        self._eligible = eligible
        self._compat = compat
        self._barriers = masks.barriers(eligible)
        self._positions = [
            at
            for at, line in enumerate(lines)
            if eligible[at]
            and speakers.is_dm(line.author_name)
            and not line_text.has_no_words(line.content)
        ]
        self._readings: dict[int, tuple[frozenset[str], bool]] = {}

    def after(self, position: int, limit: int) -> list[int]:
        """Return the next positions up to the first excluded line, none after an excluded one."""
        if not self._eligible[position]:
            return []
        first = bisect_right(self._positions, position)
        end = self._barriers[position]
        return [at for at in self._positions[first : first + limit] if at < end]

    def barrier(self, position: int) -> int | None:
        """Return the line index of the first excluded line after a position."""
        end = self._barriers[position]
        return self._lines[end].line_index if end < len(self._lines) else None

    def reading(self, position: int) -> tuple[frozenset[str], bool]:
        """Return the line's words, and whether it answers yes or no, computed once a line."""
        if position not in self._readings:
            content = self._lines[position].content
            self._readings[position] = (
                line_text.tokens(content, compat=self._compat),
                line_text.answers_yes_or_no(content),
            )
        return self._readings[position]

    def index(self, position: int) -> int:
        """Return the line index at a position."""
        return self._lines[position].line_index


def bids(intent: Intent, answers: AnswerLines, params: CausalParams) -> list[Bid]:
    """Return the candidates of an intent in the order of their lines, scored."""
    intent_words = line_text.tokens(intent.text, compat=params.compat)
    intent_bids = []
    for distance, position in enumerate(answers.after(intent.position, params.k_local), 1):
        index = answers.index(position)
        if params.max_line_gap is not None and index - intent.line > params.max_line_gap:
            break
        answer_words, yes_or_no = answers.reading(position)
        score = answer_score.score(distance, intent_words, answer_words, yes_or_no, params)
        intent_bids.append(Bid(position, index, distance, score))
    return intent_bids


def allocate(
    intents: Sequence[Intent], bids_of: Callable[[Intent], list[Bid]], params: CausalParams
) -> tuple[list[Decision], dict[int, int]]:
    """Return the decisions of both passes by line index, and the strong intent of each held line.

    The bids of an intent are computed once and not stored.
    """
    ordered = sorted(intents, key=lambda intent: intent.line)
    holders: dict[int, int] = {}
    decisions: dict[int, Decision] = {}
    for intent in ordered:
        if intent.strength is Strength.STRONG:
            decision = _decide_strong(intent, bids_of(intent), holders, params.strong_min_score)
            if decision.chosen:
                holders[decision.chosen.line] = intent.line
            decisions[intent.line] = decision
    for intent in ordered:
        if intent.strength is Strength.WEAK:
            decisions[intent.line] = _decide_weak(intent, bids_of(intent), params.weak_min_score)
    return [decisions[intent.line] for intent in ordered], holders


def best(candidates: Sequence[Bid]) -> Bid | None:
    """Return the highest score, of equal ones the nearest, then the earliest."""
    return min(candidates, key=_rank, default=None)


def _rank(bid: Bid) -> tuple[float, int, int]:
    return -round(bid.score.final, SCORE_DECIMALS), bid.distance, bid.line


def _decide_strong(
    intent: Intent, candidates: list[Bid], holders: dict[int, int], minimum: float
) -> Decision:
    top = _at_least(best(candidates), minimum)
    free = [bid for bid in candidates if bid.line not in holders]
    chosen = _at_least(best(free), minimum)
    if chosen:
        reason = ClaimReason.STRONG_PRECEDENCE
    elif not candidates:
        reason = ClaimReason.NO_CANDIDATE
    elif not free:
        reason = ClaimReason.ALL_CLAIMED
    else:
        reason = ClaimReason.LOST_TO_EARLIER_STRONG if top else ClaimReason.BELOW_THRESHOLD
    return Decision(intent, top, chosen, reason)


def _decide_weak(intent: Intent, candidates: list[Bid], minimum: float) -> Decision:
    top = _at_least(best(candidates), minimum)
    if top:
        reason = ClaimReason.SCORE_THRESHOLD
    else:
        reason = ClaimReason.BELOW_THRESHOLD if candidates else ClaimReason.NO_CANDIDATE
    return Decision(intent, top, top, reason)


def _at_least(bid: Bid | None, minimum: float) -> Bid | None:
    return bid if bid and bid.score.final >= minimum else None
