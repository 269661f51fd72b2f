"""Recognition of the type of a DM line, which never decides whether the line may be claimed."""

from asterism.causality.transcripts import line_text
from asterism.causality.transcripts.language_rules import RuleSet
from asterism.causality.transcripts.models import ConsequenceType


def consequence_type(text: str, rules: RuleSet) -> ConsequenceType:
    """Return the first type that one of the line's sentences fits, else a plain statement."""
    sentences = [line_text.without_leading_marks(body) for body, _ in line_text.sentences(text)]
    for rule in rules.consequences:
        if any(rule.pattern.match(sentence) for sentence in sentences):
            return rule.type
    return ConsequenceType.DM_STATEMENT
