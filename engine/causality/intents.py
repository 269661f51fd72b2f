"""Finds attempts: at most one a line, by the rules of rules.toml."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.causality import rules, words
from engine.causality.speakers import Speakers
from engine.causality.transcript import GivenIntent, IntentType, Line, Strength, Transcript
from engine.errors import InvalidInput

FEWEST_ALPHANUMERICS = 6
_RANK = (IntentType.DECLARE, IntentType.REQUEST, IntentType.PROPOSE, IntentType.QUESTION)


class Intent(NamedTuple):
    """An attempt, where it stands and whose it is."""

    position: int
    line: int
    actor: str
    text: str
    type: IntentType
    strength: Strength


def valid_intents(intents: Iterable[Any] | None) -> list[GivenIntent] | None:
    """Return intents as they were given, None if they are to be detected, or refuse."""
    if intents is None:
        return None
    if isinstance(intents, (str, Mapping)) or not isinstance(intents, Iterable):
        raise InvalidInput("intents", intents, "give a list of intents: index and type each")
    return [GivenIntent.of(intent) for intent in intents]


def detect(text: str) -> IntentType | None:
    """The kind of attempt a line is: that of its strongest sentence, or none."""
    if words.alphanumerics(words.spoken(text)) < FEWEST_ALPHANUMERICS:
        return None
    found = {_of_sentence(body, asked) for body, asked in words.sentences(text)}
    return next((type for type in _RANK if type in found), None)


def strength(type: IntentType) -> Strength:
    """Questions are weak, everything else is strong."""
    return Strength.WEAK if type is IntentType.QUESTION else Strength.STRONG


def detected(transcript: Transcript, eligible: list[bool], speakers: Speakers) -> list[Intent]:
    """The intents of a transcript, in order."""
    found = []
    for position, line in enumerate(transcript.lines):
        if not eligible[position] or speakers.is_dm(line.author_name):
            continue
        player = speakers.player(line.author_name)
        type = detect(line.content) if player else None
        if player and type:
            found.append(_intent(position, line, player.id, type))
    return found


def placed(given: list[GivenIntent], transcript: Transcript, speakers: Speakers) -> list[Intent]:
    """Intents found elsewhere, completed from the lines they stand on."""
    positions = {line.line_index: at for at, line in enumerate(transcript.lines)}
    found = []
    for intent in sorted(given, key=lambda intent: intent.index):
        position = positions[intent.index]
        line = transcript.lines[position]
        player = speakers.player(line.author_name)
        actor = intent.actor or (player.id if player else line.author_name)
        built = _intent(position, line, actor, intent.type)
        text = built.text if intent.text is None else intent.text
        found.append(built._replace(text=text, strength=intent.strength or built.strength))
    return found


def _intent(position: int, line: Line, actor: str, type: IntentType) -> Intent:
    return Intent(position, line.line_index, actor, line.content, type, strength(type))


def _of_sentence(body: str, asked: bool) -> IntentType | None:
    opener = rules.fillers().match(body)
    rest = body[opener.end() :] if opener else body
    rest = rest.lstrip(" \t\n\"'\u201c\u201d,;:-\u2013\u2014")
    count = len(words.words(rest))
    for rule in rules.intents():
        if count >= rule.words and (asked or not rule.asked) and rule.pattern.match(rest):
            return rule.type
    return None
