"""Recall: the right memories for a question, with the reason."""

from engine.recall.model import Hit, Over, Parts, Path, Recall, WhyNot
from engine.recall.prompt import Prompt

__all__ = ["Hit", "Over", "Parts", "Path", "Prompt", "Recall", "WhyNot"]
