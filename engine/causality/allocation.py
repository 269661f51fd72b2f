"""Who gets which line: strong intents first and alone, then weak ones, which share."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.causality import masks, scoring, words
from engine.causality.intents import Intent
from engine.causality.model import ClaimReason
from engine.causality.scoring import Score
from engine.causality.speakers import Speakers
from engine.causality.transcript import Strength, Transcript
from engine.settings import CausalParams

SCORE_DECIMALS = 9


class Bid(NamedTuple):
    """One line weighed for one intent."""

    position: int
    line: int
    distance: int
    score: Score


class Decision(NamedTuple):
    """What an intent got, and why."""

    intent: Intent
    top: Bid | None
    chosen: Bid | None
    reason: ClaimReason


class Answers:
    """The DM lines of a transcript that may answer, ready to be looked up."""

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
            and not words.only_cues(line.content)
        ]
        self._read: dict[int, tuple[frozenset[str], bool]] = {}

    def after(self, position: int, limit: int) -> list[int]:
        """Positions of the next ones, up to the first excluded line; none after an excluded one."""
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
        """The line's words, and whether it answers yes or no; each line is read once."""
        if position not in self._read:
            content = self._lines[position].content
            found = words.tokens(content, compat=self._compat), words.answers_yes_or_no(content)
            self._read[position] = found
        return self._read[position]

    def index(self, position: int) -> int:
        """The line index at a position."""
        return self._lines[position].line_index


def bids(intent: Intent, answers: Answers, params: CausalParams) -> list[Bid]:
    """The candidates of an intent in the order of their lines, scored."""
    asked = words.tokens(intent.text, compat=params.compat)
    found = []
    for distance, position in enumerate(answers.after(intent.position, params.k_local), 1):
        index = answers.index(position)
        if params.max_line_gap is not None and index - intent.line > params.max_line_gap:
            break
        said, yes_or_no = answers.reading(position)
        scored = scoring.score(distance, asked, said, yes_or_no, params)
        found.append(Bid(position, index, distance, scored))
    return found


def allocate(
    intents: Sequence[Intent], offered: Callable[[Intent], list[Bid]], params: CausalParams
) -> tuple[list[Decision], dict[int, int]]:
    """Both passes, by line index; also which strong intent holds which line.

    What is offered to an intent is asked for once, and not kept.
    """
    ordered = sorted(intents, key=lambda intent: intent.line)
    holders: dict[int, int] = {}
    decisions: dict[int, Decision] = {}
    for intent in ordered:
        if intent.strength is Strength.STRONG:
            decision = _strong(intent, offered(intent), holders, params.strong_min_score)
            if decision.chosen:
                holders[decision.chosen.line] = intent.line
            decisions[intent.line] = decision
    for intent in ordered:
        if intent.strength is Strength.WEAK:
            decisions[intent.line] = _weak(intent, offered(intent), params.weak_min_score)
    return [decisions[intent.line] for intent in ordered], holders


def best(offered: Sequence[Bid]) -> Bid | None:
    """The highest score; of equal ones the nearest, then the earliest."""
    return min(offered, key=_rank, default=None)


def _rank(bid: Bid) -> tuple[float, int, int]:
    return -round(bid.score.final, SCORE_DECIMALS), bid.distance, bid.line


def _strong(intent: Intent, offered: list[Bid], holders: dict[int, int], bar: float) -> Decision:
    top = _over(best(offered), bar)
    free = [bid for bid in offered if bid.line not in holders]
    chosen = _over(best(free), bar)
    if chosen:
        reason = ClaimReason.STRONG_PRECEDENCE
    elif not offered:
        reason = ClaimReason.NO_CANDIDATE
    elif not free:
        reason = ClaimReason.ALL_CLAIMED
    else:
        reason = ClaimReason.LOST_TO_EARLIER_STRONG if top else ClaimReason.BELOW_THRESHOLD
    return Decision(intent, top, chosen, reason)


def _weak(intent: Intent, offered: list[Bid], bar: float) -> Decision:
    top = _over(best(offered), bar)
    if top:
        reason = ClaimReason.SCORE_THRESHOLD
    else:
        reason = ClaimReason.BELOW_THRESHOLD if offered else ClaimReason.NO_CANDIDATE
    return Decision(intent, top, top, reason)


def _over(bid: Bid | None, bar: float) -> Bid | None:
    return bid if bid and bid.score.final >= bar else None
