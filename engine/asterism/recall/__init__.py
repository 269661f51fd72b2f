"""Recall: the right memories for a question, with the reason."""

from asterism.recall.certainty import Certainty
from asterism.recall.expectation_models import Expectation, ExpectationCheck, ExpectedMemory
from asterism.recall.models import Faded, Hit, HopKind, Path, Recall, ScoreParts, WhyNot
from asterism.recall.prompt import Prompt

__all__ = [
    "Certainty",
    "Expectation",
    "ExpectationCheck",
    "ExpectedMemory",
    "Faded",
    "Hit",
    "HopKind",
    "Path",
    "Prompt",
    "Recall",
    "ScoreParts",
    "WhyNot",
]
