"""Proposals of consolidation: lists them, accepts them by superseding, dismisses them for good."""

from typing import Any, NamedTuple

from asterism.database import Database
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.memories.corrections import Corrections
from asterism.memories.item_checks import require_key
from asterism.memories.models import Proposal, ProposalState
from asterism.memories.writer_queue import writer_slots
from asterism.row_types import row_of
from asterism.validation import require_whole

MOST = 1_000_000
STORED = frozenset(Proposal.model_fields) - {"id", "new", "old", "new_text", "old_text"}


@row_of("memories/proposals")
class ProposalRow(NamedTuple):
    """Proposal with its texts, and what supersedes the earlier one, the latest last."""

    proposal: dict[str, Any]
    new_id: str
    new_text: str | None
    old_id: str
    old_text: str | None
    successors: list[tuple[str, bool]]


class Proposals:
    """Reads the proposals of a realm, and writes what was decided about them."""

    def __init__(self, database: Database, corrections: Corrections) -> None:
        self._database = database
        self._corrections = corrections

    async def find(self, limit: int, state: str | None) -> list[Proposal]:
        """Return the proposals of a state, or of all, the surest first."""
        require_whole("limit", limit, 1, MOST)
        if state is not None and state not in set(ProposalState):
            raise InvalidInput("state", state, "give open, accepted, dismissed, or none for all")
        rows = await self._database.rows(
            "memories/proposals", state=state, proposal=None, limit=limit
        )
        return [_proposal(ProposalRow(**row)) for row in rows]

    async def accept(self, id: str) -> Proposal:
        """Let the later text of a proposal supersede the earlier one. Twice changes nothing.

        Where something else supersedes the earlier one already, both take their places in time.
        """
        row = await self._row(id)
        proposal = _proposal(row)
        successors = [successor for successor, _ in row.successors]
        if proposal.new not in successors:
            old, new = proposal.old, proposal.new
            if successors:
                latest, is_later = row.successors[-1]
                old, new = (new, latest) if is_later else (latest, new)
            reason = f"accepted, {proposal.differs}: {proposal.before} -> {proposal.after}"
            await self._corrections.supersede(old, new, None, reason)
        return await self._decide(id, ProposalState.ACCEPTED)

    async def dismiss(self, id: str) -> Proposal:
        """Refuse a proposal, which does not come back. Twice changes nothing."""
        row = await self._row(id)
        if row.new_id in [successor for successor, _ in row.successors]:
            raise Conflict(
                f"{row.new_id!r} supersedes {row.old_id!r}: take it back with "
                f"memories.unsupersede({row.old_id!r}), then dismiss the proposal"
            )
        return await self._decide(id, ProposalState.DISMISSED)

    async def _row(self, id: str) -> ProposalRow:
        require_key("id", id)
        rows = await self._database.rows("memories/proposals", state=None, proposal=id, limit=1)
        if not rows:
            raise NotFound("proposal", id, "memories.proposals() lists those that are open")
        return ProposalRow(**rows[0])

    async def _decide(self, id: str, state: ProposalState) -> Proposal:
        async with writer_slots(self._database):
            await self._database.rows("memories/decide_proposal", proposal=id, state=state)
        return _proposal(await self._row(id))


def proposal_id(new: str, old: str) -> str:
    """Return the id of a proposal, as consolidation/mark_updates writes it."""
    return f"{new}:{old}"


def _proposal(row: ProposalRow) -> Proposal:
    properties = row.proposal
    fields = {name: properties[name] for name in STORED if properties.get(name) is not None}
    texts = {"new": row.new_id, "old": row.old_id}
    texts |= {"new_text": row.new_text or "", "old_text": row.old_text or ""}
    return Proposal(id=properties["proposal"], **texts, **fields)
