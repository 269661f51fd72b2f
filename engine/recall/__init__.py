"""Recall: the right memories for a question, with the reason."""

from engine.recall.model import Faded, Hit, Over, Parts, Path, Recall, WhyNot
from engine.recall.prompt import Prompt

__all__ = ["Faded", "Hit", "Over", "Parts", "Path", "Prompt", "Recall", "WhyNot"]
