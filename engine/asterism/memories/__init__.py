"""Memories: texts and price levels, which use and evidence strengthen and time fades."""

from asterism.memories.corrected_ground import CorrectedGround, GroundKind
from asterism.memories.edges import Components, Edge, EdgeType
from asterism.memories.files.models import ImportReport, RejectedRow
from asterism.memories.market.models import Evidence, Kind, MarketLevel, Side
from asterism.memories.memories import Memories
from asterism.memories.models import (
    Forgotten,
    ForgottenMany,
    HistoryEntry,
    Memory,
    MessagesReceipt,
    Page,
    Proposal,
    ProposalState,
    Receipt,
    Rejected,
    State,
)

__all__ = [
    "Components",
    "CorrectedGround",
    "Edge",
    "EdgeType",
    "Evidence",
    "Forgotten",
    "ForgottenMany",
    "GroundKind",
    "HistoryEntry",
    "ImportReport",
    "Kind",
    "MarketLevel",
    "Memories",
    "Memory",
    "MessagesReceipt",
    "Page",
    "Proposal",
    "ProposalState",
    "Receipt",
    "Rejected",
    "RejectedRow",
    "Side",
    "State",
]
