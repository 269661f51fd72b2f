"""Whole realms as files: one line a node or relationship, exact and in one order."""

from asterism.transfer.models import Exported, Header, Loaded, Model

__all__ = ["Exported", "Header", "Loaded", "Model"]
