"""Says what kind of answer a DM line is. The kind never decides whether a line may be claimed."""

from engine.causality import rules, words
from engine.causality.model import ConsequenceType


def kind(text: str) -> ConsequenceType:
    """The first kind that one of the line's sentences fits; a plain statement otherwise."""
    bodies = [
        body.lstrip(" \t\n\"'\u201c\u201d,;:-\u2013\u2014") for body, _ in words.sentences(text)
    ]
    for rule in rules.consequences():
        if any(rule.pattern.match(body) for body in bodies):
            return rule.type
    return ConsequenceType.DM_STATEMENT
