"""Reading of a table's talk: which lines hand a link on to the outcome instead of being one.

The game master asks for a throw, asks back, or talks about the table: such lines are transparent. A
throw is the number that a player reports after a request, for the intent that it decides.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from asterism.causality.transcripts import line_text
from asterism.causality.transcripts.intents import Intent
from asterism.causality.transcripts.language_rules import RuleSet
from asterism.causality.transcripts.models import Transcript
from asterism.causality.transcripts.speakers import Speakers
from asterism.settings import CausalParams

THROW_REACH = 8  # lines from an intent to the request for its throw, and from there to the number
LONGEST_WINDOW = 100  # lines, transparent ones included: so the time stays linear
FEW_WORDS = 8  # an answer to talk at the table has no more
PERMISSION_WORDS = 4  # "Go ahead." before a number asks for a throw as well
WORDS_BESIDE_REQUEST = 3  # "Sure. Roll stealth." is nothing but a request


class Role(StrEnum):
    """Part of a line in the talk, for the links that pass it."""

    OUTCOME = "outcome"  # a line of the game master that may be a consequence
    REQUEST = "request"  # it asks for a throw, and says nothing else
    MIXED = "mixed"  # it tells something, and asks for a throw
    ASKS_BACK = "asks_back"
    TALK = "talk"
    NUMBER = "number"  # a player reports a throw
    CUE = "cue"  # nothing but a bracketed cue
    PLAYER = "player"


TRANSPARENT = frozenset({Role.REQUEST, Role.ASKS_BACK, Role.TALK, Role.NUMBER, Role.CUE})


class Throw(NamedTuple):
    """The throw that decides an intent: where its number is reported, and what it was."""

    position: int
    skill: str | None
    number: int | None


class Request(NamedTuple):
    """The last request of a run of them, and the latest intents of the players at its start."""

    position: int
    latest: dict[str, int]


class Conversation:
    """The roles of the lines of a transcript, and the throws of its intents."""

    def __init__(
        self,
        transcript: Transcript,
        eligible: Sequence[bool],
        speakers: Speakers,
        rules: RuleSet,
        intents: Sequence[Intent],
    ) -> None:
        self._lines = transcript.lines
        self._eligible = eligible
        self._speakers = speakers
        self._rules = rules
        self._intents = {intent.position: intent for intent in intents}
        self.roles = [self._role(at) for at in range(len(self._lines))]
        self._find_short_requests()
        self.throws = self._throws()

    def window(self, intent: Intent, params: CausalParams) -> list[int]:
        """Return the positions that may answer an intent: the game master's next turn."""
        if not self._eligible[intent.position]:
            return []
        throw = self.throws.get(intent.position)
        window: list[int] = []
        gap, is_asked_back = 0, False
        for at in self._after(throw.position if throw else intent.position):
            role = self.roles[at]
            if role in TRANSPARENT:
                is_asked_back = is_asked_back or role is Role.ASKS_BACK
                continue
            gap += not (is_asked_back and self._actor(at) == intent.actor)
            turn_is_over = role is Role.PLAYER and window
            if turn_is_over or gap > (params.max_line_gap or LONGEST_WINDOW):
                break
            if role is not Role.PLAYER:
                window.append(at)
        return window[: params.k_local]

    def _after(self, position: int) -> Iterator[int]:
        """Yield the positions after one, up to the first excluded line."""
        for at in range(position + 1, min(position + LONGEST_WINDOW, len(self._lines))):
            if not self._eligible[at]:
                return
            yield at

    def is_replied(self, intent: Intent, answer: int) -> bool:
        """Return whether another player replies to an intent before the line that may answer it."""
        return any(
            self.roles[at] in (Role.PLAYER, Role.NUMBER)
            and at not in self._intents
            and self._actor(at) != intent.actor
            for at in range(intent.position + 1, answer)
        )

    def _actor(self, at: int) -> str | None:
        player = self._speakers.player(self._lines[at].author_name)
        return player.id if player else None

    def _role(self, at: int) -> Role:
        text = self._lines[at].content
        if line_text.has_no_words(text):
            return Role.CUE
        if not self._speakers.is_dm(self._lines[at].author_name):
            return self._player_role(at, text)
        return self._dm_role(at, text)

    def _dm_role(self, at: int, text: str) -> Role:
        sentences = _sentences(text, self._rules)
        requests = [bool(self._rules.throws.match(body)) for body, _ in sentences]
        if any(requests):
            other_words = sum(
                len(line_text.words(body))
                for (body, _), request in zip(sentences, requests, strict=True)
                if not request
            )
            return Role.REQUEST if other_words <= WORDS_BESIDE_REQUEST else Role.MIXED
        if any(self._rules.talk.match(body) for body, _ in sentences):
            return Role.TALK
        if sentences and all(question for _, question in sentences) and '"' not in text:
            return Role.ASKS_BACK
        short = len(line_text.words(text)) <= FEW_WORDS
        return Role.TALK if short and at and self._is_talk(at - 1) else Role.OUTCOME

    def _player_role(self, at: int, text: str) -> Role:
        if self._number(text) is not None:
            return Role.NUMBER
        return Role.TALK if self._is_talk(at) else Role.PLAYER

    def _is_talk(self, at: int) -> bool:
        """Return whether a player talks about the rules or the table, and attempts nothing."""
        line = self._lines[at]
        if at in self._intents or self._speakers.is_dm(line.author_name):
            return False
        rules = self._rules
        bodies = [body for body, _ in _sentences(line.content, rules)]
        return any(rules.talk.match(body) or rules.reports.match(body) for body in bodies)

    def _number(self, text: str) -> int | None:
        """Return the last number of the sentences that report one, None without such a sentence."""
        numbers = []
        for body, _ in _sentences(text, self._rules):
            if self._rules.report_of_number.match(body):
                numbers += self._first_number(line_text.words(body))
        return numbers[-1] if numbers else None

    def _first_number(self, words: list[str]) -> list[int]:
        """Return the first number among words, "twenty three" as one."""
        for word, after in pairwise([*words, ""]):
            for spoken in (f"{word}-{after}", word):
                value = self._rules.numbers.get(spoken)
                if value is not None:
                    return [value]
            if word.isdecimal():
                return [int(word)]
        return []

    def _find_short_requests(self) -> None:
        """Take a short line before a player's number as a request: "Go ahead." """
        for at, pair in enumerate(pairwise(self.roles)):
            words = line_text.words(self._lines[at].content)
            if pair == (Role.OUTCOME, Role.NUMBER) and len(words) <= PERMISSION_WORDS:
                self.roles[at] = Role.REQUEST

    def _throws(self) -> dict[int, Throw]:
        """Return the throw of each intent that one decides, by its position."""
        throws: dict[int, Throw] = {}
        latest: dict[str, int] = {}
        request: Request | None = None
        answered = False
        for at, role in enumerate(self.roles):
            actor = self._actor(at)
            if not self._eligible[at] or (actor and answered):
                latest, answered = {}, False  # a turn of the game master is over
            if not self._eligible[at] or role is Role.OUTCOME:
                request, answered = None, role is Role.OUTCOME
            elif role in (Role.REQUEST, Role.MIXED):
                before = request.latest if request else dict(latest)
                request = Request(at, before)
            elif actor and role is Role.NUMBER and request:
                self._add_throw(throws, request, actor, at)
            if actor and at in self._intents:
                latest[actor] = at
        return throws

    def _add_throw(self, throws: dict[int, Throw], request: "Request", actor: str, at: int) -> None:
        """Tie a number to the intent that its player had made when the first request came."""
        intent = request.latest.get(actor)
        if intent is None:
            return
        earlier = throws.get(intent)
        start = earlier.position if earlier else intent
        if request.position - start <= THROW_REACH and at - request.position <= THROW_REACH:
            skill, number = self._skill(request.position, at), self._number(self._lines[at].content)
            if earlier:
                skill, number = earlier.skill or skill, earlier.number
            throws[intent] = Throw(at, skill, number)

    def _skill(self, request: int, at: int) -> str | None:
        """Return the skill that the report of a throw names, else the request for it."""
        for position in (at, request):
            text = line_text.folded(self._lines[position].content)
            skill = self._rules.skills.search(text)
            if skill:
                return skill[0]
        return None


def _sentences(text: str, rules: RuleSet) -> list[tuple[str, bool]]:
    """Return the sentences of a line that have words, without the fillers at their start."""
    bare = [
        (line_text.without_fillers(body, rules.fillers), question)
        for body, question in line_text.sentences(text)
    ]
    return [(body, question) for body, question in bare if line_text.words(body)]
