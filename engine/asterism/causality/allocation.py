"""Allocation of lines to intents: strong ones first and alone, then weak ones, which share."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from asterism.causality import answer_score
from asterism.causality.answer_score import Score
from asterism.causality.models import ClaimReason
from asterism.causality.table_talk import Conversation, Throw
from asterism.causality.transcripts import line_text, masks
from asterism.causality.transcripts.intents import Intent
from asterism.causality.transcripts.language_rules import rule_set
from asterism.causality.transcripts.models import IntentType, Strength, Transcript
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
        self,
        transcript: Transcript,
        eligible: list[bool],
        speakers: Speakers,
        params: CausalParams,
        intents: Sequence[Intent],
    ) -> None:
        lines = self._lines = transcript.lines
        self._eligible = eligible
        self._compat = params.compat
        self._stop_words = rule_set(params.rules).stop_words
        self._conversation = (
            Conversation(transcript, eligible, speakers, rule_set(params.rules), intents)
            if params.transparent
            else None
        )
        self._barriers = masks.barriers(eligible)
        self._positions = [
            at
            for at, line in enumerate(lines)
            if eligible[at]
            and speakers.is_dm(line.author_name)
            and not line_text.has_no_words(line.content)
        ]
        self._readings: dict[int, tuple[frozenset[str], bool]] = {}

    def window(self, intent: Intent, params: CausalParams) -> list[int]:
        """Return the positions that may answer an intent, in order."""
        if self._conversation:
            return self._conversation.window(intent, params)
        positions = self.after(intent.position, params.k_local)
        reach = params.max_line_gap
        return [at for at in positions if reach is None or self.index(at) - intent.line <= reach]

    def may_answer(self, intent: Intent, position: int, words: frozenset[str]) -> bool:
        """Return False for a line that came after another player had answered the question."""
        talk = self._conversation
        if talk is None or intent.type not in (IntentType.QUESTION, IntentType.PROPOSE):
            return True
        return not talk.is_replied(intent, position) or bool(words & self.reading(position)[0])

    def throw(self, intent: Intent) -> Throw | None:
        """Return the throw that decides an intent."""
        return self._conversation.throws.get(intent.position) if self._conversation else None

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
                self.words(content),
                line_text.answers_yes_or_no(content),
            )
        return self._readings[position]

    def words(self, text: str) -> frozenset[str]:
        """Return the words by which a line is compared with others."""
        return line_text.tokens(text, compat=self._compat) - self._stop_words

    def index(self, position: int) -> int:
        """Return the line index at a position."""
        return self._lines[position].line_index


def bids(intent: Intent, answers: AnswerLines, params: CausalParams) -> list[Bid]:
    """Return the candidates of an intent in the order of their lines, scored."""
    intent_words = answers.words(intent.text)
    intent_bids = []
    for distance, position in enumerate(answers.window(intent, params), 1):
        index = answers.index(position)
        if not answers.may_answer(intent, position, intent_words):
            continue
        answer_words, yes_or_no = answers.reading(position)
        score = answer_score.score(distance, intent_words, answer_words, yes_or_no, params)
        intent_bids.append(Bid(position, index, distance, score))
    return intent_bids


def allocate(
    intents: Sequence[Intent], bids_of: Callable[[Intent], list[Bid]], params: CausalParams
) -> tuple[list[Decision], dict[int, int]]:
    """Return the decisions of both passes by line index, and the strong intent of each held line.

    The bids of weak intents are computed once and not stored.
    """
    ordered = sorted(intents, key=lambda intent: intent.line)
    holders: dict[int, int] = {}
    decisions: dict[int, Decision] = {}
    strong = [(intent, bids_of(intent)) for intent in ordered if intent.strength is Strength.STRONG]
    for intent, intent_bids in _in_turn(strong) if params.transparent else strong:
        decision = _decide_strong(intent, intent_bids, holders, params.strong_min_score)
        if decision.chosen:
            holders[decision.chosen.line] = intent.line
        decisions[intent.line] = decision
    for intent in ordered:
        if intent.strength is Strength.WEAK:
            decisions[intent.line] = _decide_weak(intent, bids_of(intent), params.weak_min_score)
    return [decisions[intent.line] for intent in ordered], holders


def _in_turn(strong: list[tuple[Intent, list[Bid]]]) -> list[tuple[Intent, list[Bid]]]:
    """Return the intents in the order of their lines, but last those that a turn has no line for.

    Of the intents that one turn of the game master may answer, acts go before proposals, those
    that share words with the turn before others, and nearer ones before farther ones.
    """
    rivals: dict[int, list[tuple[Intent, list[Bid]]]] = {}
    for intent, intent_bids in strong:
        if intent_bids:
            rivals.setdefault(intent_bids[-1].position, []).append((intent, intent_bids))
    yielding = {
        intent.line
        for group in rivals.values()
        for intent, _ in sorted(group, key=_precedence)[len(group[-1][1]) :]
    }
    return sorted(strong, key=lambda pair: pair[0].line in yielding)


def _precedence(pair: tuple[Intent, list[Bid]]) -> tuple[bool, bool, int]:
    intent, intent_bids = pair
    shares = any(bid.score.lexical > 0 for bid in intent_bids)
    return intent.type is IntentType.PROPOSE, not shares, -intent.line


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
