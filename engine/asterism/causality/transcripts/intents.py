"""Detection of intents: at most one a line, by rules of a language."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from asterism.causality.transcripts import line_text
from asterism.causality.transcripts.language_rules import RuleSet
from asterism.causality.transcripts.models import (
    GivenIntent,
    IntentType,
    Line,
    Strength,
    Transcript,
)
from asterism.causality.transcripts.speakers import Speakers
from asterism.errors import InvalidInput

STRONGEST_FIRST = (
    IntentType.DECLARE,
    IntentType.REQUEST,
    IntentType.PROPOSE,
    IntentType.QUESTION,
)


class Intent(NamedTuple):
    """An attempt with its line and its actor."""

    position: int
    line: int
    actor: str
    text: str
    type: IntentType
    strength: Strength


def valid_intents(intents: Iterable[Any] | None) -> list[GivenIntent] | None:
    """Return intents detected elsewhere, None if they are to be detected, or refuse."""
    if intents is None:
        return None
    if isinstance(intents, (str, Mapping)) or not isinstance(intents, Iterable):
        raise InvalidInput("intents", intents, "give a list of intents: index and type each")
    return [GivenIntent.of(intent) for intent in intents]


def intent_type(text: str, rules: RuleSet) -> IntentType | None:
    """Return the type of a line's strongest sentence, or None without an attempt."""
    if line_text.alphanumerics(line_text.spoken(text)) < rules.fewest_alphanumerics:
        return None
    types = {_sentence_type(body, question, rules) for body, question in line_text.sentences(text)}
    if types == {None} and line_text.is_quotation(text):
        return rules.speech
    return next((type for type in STRONGEST_FIRST if type in types), None)


def intent_strength(type: IntentType) -> Strength:
    """Return weak for a question, strong for anything else."""
    return Strength.WEAK if type is IntentType.QUESTION else Strength.STRONG


def detect_intents(
    transcript: Transcript, eligible: list[bool], speakers: Speakers, rules: RuleSet
) -> list[Intent]:
    """Return the intents of a transcript in the order of its lines."""
    intents = []
    for position, line in enumerate(transcript.lines):
        if not eligible[position] or speakers.is_dm(line.author_name):
            continue
        player = speakers.player(line.author_name)
        type = intent_type(line.content, rules) if player else None
        if player and type:
            intents.append(_intent(position, line, player.id, type))
    return intents


def place_intents(
    given_intents: list[GivenIntent], transcript: Transcript, speakers: Speakers
) -> list[Intent]:
    """Return intents detected elsewhere, completed from the lines they stand on."""
    positions = {line.line_index: at for at, line in enumerate(transcript.lines)}
    intents = []
    for intent_input in sorted(given_intents, key=lambda intent: intent.index):
        position = positions[intent_input.index]
        line = transcript.lines[position]
        player = speakers.player(line.author_name)
        actor = intent_input.actor or (player.id if player else line.author_name)
        intent = _intent(position, line, actor, intent_input.type)
        text = intent.text if intent_input.text is None else intent_input.text
        strength = intent_input.strength or intent.strength
        intents.append(intent._replace(text=text, strength=strength))
    return intents


def _intent(position: int, line: Line, actor: str, type: IntentType) -> Intent:
    return Intent(position, line.line_index, actor, line.content, type, intent_strength(type))


def _sentence_type(body: str, question: bool, rules: RuleSet) -> IntentType | None:
    rest = line_text.without_fillers(body, rules.fillers)
    if rules.reports.match(rest) or rules.talk.match(rest):
        return None
    count = len(line_text.words(rest))
    for rule in rules.intents:
        fits = count >= rule.words and (question or not rule.questions_only)
        if fits and rule.pattern.match(rest):
            return rule.type
    return None
