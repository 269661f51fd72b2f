"""Previews the write set of a run, commits it in one transaction, and undoes a run."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, cast

import numpy as np

from asterism.database import Database, Row, Transaction
from asterism.errors import Conflict, DatabaseUnavailable, NotFound
from asterism.exploration.commit_result import (
    ChangedNode,
    ColouredLink,
    CommitResult,
    DraftDecision,
    Narrative,
    decide_drafts,
    decode_vector,
    narrative_link_rows,
    narrative_row,
    undo_record,
)
from asterism.exploration.formulas import Vector, as_list
from asterism.exploration.models import NotRestored, Undone
from asterism.exploration.write_set import LinkState, WriteSet
from asterism.row_types import row_of
from asterism.settings import ExplorationSettings

CHANGED_SINCE = "something changed it since"
REMOVED_SINCE = "it is no longer there"
CONFIRMED_SINCE = "another run of the same question confirmed it"
UNDO_STATEMENTS = {
    "narrative": "exploration/delete_narratives",
    "node": "exploration/restore_nodes",
    "link": "exploration/restore_links",
}


@row_of("exploration/lock_run")
class LockedRun(TypedDict):
    """Row of exploration/lock_run."""

    changes: str
    undone_at: datetime | None
    narrative: str | None
    actor: str
    query: str
    intention: str
    at: datetime


@row_of("exploration/lock_links")
class LockedLink(TypedDict):
    """Row of exploration/lock_links."""

    id: str
    element_id: str
    revision: int
    weight: float | None
    embedding: Any


@row_of("exploration/nearest_narratives")
class NearNarrative(NamedTuple):
    """Row of exploration/nearest_narratives."""

    key: str
    id: str
    name: str
    content: str
    embedding: Vector


@dataclass(frozen=True)
class Committer:
    """Previews and commits the write set of one run."""

    database: Database
    settings: ExplorationSettings
    write_set: WriteSet
    run_id: str
    baseline_cosine: float
    model: str
    write_more: Callable[[Transaction], Awaitable[Row]] | None = None  # returns more of the run

    async def preview(self) -> CommitResult:
        """Return the result that a commit would have now."""
        decisions = await self._decide(self.database) if self.write_set.drafts else []
        return self._result(decisions, self._links_as_read(), [])

    def preview_offline(self) -> CommitResult:
        """Return the result of a commit to a graph without narratives, reading nothing."""
        return self._result(self._decisions({}), self._links_as_read(), [])

    async def commit(self, run_properties: Row) -> CommitResult:
        """Commit, and return the result. A cancelled caller waits until the commit has ended."""
        last: list[CommitResult] = []

        async def work(tx: Transaction) -> None:
            claimed = await tx.one("exploration/claim_run", run_id=self.run_id)
            if not claimed["committed"]:
                last[:] = [await self._write(tx, run_properties)]

        task = asyncio.ensure_future(self._transact(work))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise
        result = last[0] if last else await self.preview()
        return replace(result, committed=True)

    async def _transact(self, work: Callable[[Transaction], Awaitable[None]]) -> None:
        """Run the transaction. If its outcome is unknown, the run's node tells it."""
        try:
            await self.database.transaction(work, name="exploration/commit")
        except DatabaseUnavailable:
            if await self.database.row("exploration/lock_run", run_id=self.run_id) is None:
                raise

    async def _write(self, tx: Transaction, run_properties: Row) -> CommitResult:
        """Write everything. All runs lock in the same order: creation, nodes, links."""
        write_set = self.write_set
        if write_set.drafts:
            await tx.rows("exploration/lock_creation")
        nodes = await tx.rows("exploration/add_energy", rows=self._energy_rows())
        keys = [{"element_id": row["element_id"], "id": row["id"]} for row in self._links_as_read()]
        links = await tx.rows("exploration/lock_links", rows=keys)
        decisions = await self._decide(tx) if write_set.drafts else []
        result = self._result(
            decisions, cast(list[LockedLink], links), cast(list[ChangedNode], nodes)
        )
        await tx.rows("exploration/colour_links", rows=_colour_rows(result))
        lost_links = await self._create_narratives(tx, result.created)
        lost_nodes = len(write_set.energy) - len(nodes)
        result = replace(result, dropped=result.dropped + lost_nodes + lost_links)
        properties = run_properties | {
            "created": len(result.created),
            "reused": len(result.reused),
            "created_ids": [decision.id for decision in result.created],
            "changes": json.dumps(undo_record(self.run_id, result)),
        }
        if self.write_more is not None:
            properties |= await self.write_more(tx)
        await tx.rows("exploration/save_run", run_id=self.run_id, properties=properties)
        return result

    def _energy_rows(self) -> list[Row]:
        rows = [
            {
                "element_id": delta.node.element_id,
                "id": delta.node.id,
                "label": delta.node.label,
                "energy": delta.energy,
                "weight": delta.weight,
            }
            for delta in self.write_set.energy.values()
        ]
        return sorted(rows, key=_lock_order)

    def _links_as_read(self) -> list[LockedLink]:
        """Return the links to be coloured as the walk first read them."""
        links = [colouring.link for colouring in self.write_set.colourings.values()]
        rows = [
            LockedLink(
                id=link.id,
                element_id=link.element_id,
                revision=0,
                weight=link.weight,
                embedding=link.vector if link.has_own_vector else None,
            )
            for link in links
        ]
        return sorted(rows, key=_lock_order)

    async def _decide(self, source: Database | Transaction) -> list[DraftDecision]:
        drafts = self.write_set.drafts
        rows = await source.rows(
            "exploration/nearest_narratives",
            settings=self.settings.model_dump(mode="json"),
            rows=[{"key": draft.key, "embedding": draft.embedding.tolist()} for draft in drafts],
        )
        nearest: dict[str, list[Narrative]] = {}
        for each in (NearNarrative(**row) for row in rows):
            nearest.setdefault(each.key, []).append(Narrative(*each[1:]))
        return self._decisions(nearest)

    def _decisions(self, nearest: Mapping[str, list[Narrative]]) -> list[DraftDecision]:
        threshold = self.settings.novelty_threshold
        drafts = self.write_set.drafts
        return decide_drafts(self.run_id, drafts, nearest, threshold, self.baseline_cosine)

    def _result(
        self, decisions: list[DraftDecision], links: list[LockedLink], nodes: list[ChangedNode]
    ) -> CommitResult:
        coloured = [self._coloured(link) for link in links]
        dropped = len(self.write_set.colourings) - len(links)
        return CommitResult(False, tuple(decisions), tuple(coloured), tuple(nodes), dropped)

    def _coloured(self, link: LockedLink) -> ColouredLink:
        """Return a link after its updates, applied to it as it is now."""
        vector = link["embedding"]
        array = None if vector is None else np.asarray(vector, dtype=np.float64)
        before = LinkState(array, 1.0 if link["weight"] is None else link["weight"])
        colouring = self.write_set.colourings[link["element_id"]]
        updates = colouring.updates
        # Without a vector of its own a link means what its far node means: that is blended too.
        after = replace(before, vector=colouring.link.vector if array is None else array)
        for update in updates:
            after = update.apply(after)
        return ColouredLink(
            link["id"],
            link["element_id"],
            link["revision"],
            link["weight"],
            before,
            after,
            len(updates),
        )

    async def _create_narratives(self, tx: Transaction, created: list[DraftDecision]) -> int:
        """Create narratives with their links, and count the links whose other end is gone."""
        if not created:
            return 0
        narratives = [narrative_row(decision, self.model) for decision in created]
        rows = await tx.rows("exploration/create_nodes", rows=narratives)
        element_ids = {row["id"]: row["element_id"] for row in rows}
        links = [
            row
            for decision in created
            for row in narrative_link_rows(self.run_id, decision, element_ids[decision.id])
        ]
        return len(links) - len(await tx.rows("exploration/create_links", rows=links))


async def undo(database: Database, run_id: str) -> Undone:
    """Restore in one transaction what a run changed and nothing has changed since."""

    async def work(tx: Transaction) -> Undone:
        run = await tx.row("exploration/lock_run", run_id=run_id)
        if run is None:
            raise NotFound("run", run_id, "exploration.runs() lists them")
        if run["undone_at"] is not None:
            raise Conflict(f"run {run_id!r} was undone already, at {run['undone_at']}")
        await tx.rows("exploration/lock_creation")
        record = _read_undo_record(run["changes"])
        narratives, kept_narratives = await _undo(tx, "narrative", record["narratives"])
        nodes, kept_nodes = await _undo(tx, "node", record["nodes"])
        links, kept_links = await _undo(tx, "link", record["links"])
        answer = await _withdraw_answer(tx, run_id, run["narrative"])
        narratives += answer["removed"]
        if answer["needed"]:
            id = run["narrative"]
            kept_narratives.append(NotRestored(what="narrative", id=id, reason=CONFIRMED_SINCE))
        await tx.rows("exploration/mark_undone", run_id=run_id)
        return Undone(
            run_id=run_id,
            nodes=nodes,
            links=links,
            narratives=narratives,
            kept=[*kept_nodes, *kept_links, *kept_narratives],
        )

    return await database.transaction(work, name="exploration/undo")


async def _withdraw_answer(tx: Transaction, run_id: str, id: str | None) -> Row:
    """Undo the answer of a run, if it has one."""
    row = id and await tx.row("exploration/withdraw_answer", run_id=run_id, id=id)
    return row or {"removed": False, "needed": False}


async def _undo(tx: Transaction, what: str, rows: list[Row]) -> tuple[int, list[NotRestored]]:
    """Undo changes of one kind, and return the number undone and those left as they are."""
    answers = await tx.rows(UNDO_STATEMENTS[what], rows=rows)
    undone = {row["id"]: bool(row["undone"]) for row in answers}
    left = [
        NotRestored(
            what=what, id=row["id"], reason=CHANGED_SINCE if row["id"] in undone else REMOVED_SINCE
        )
        for row in rows
        if not undone.get(row["id"], False)
    ]
    return sum(bool(row["undone"]) for row in answers), left


def _read_undo_record(text: str) -> dict[str, list[Row]]:
    """Return the rows of `undo_record` in the order of their ids."""
    record: dict[str, list[Row]] = json.loads(text)
    for rows in record.values():
        rows.sort(key=lambda row: str(row["id"]))
        for row in rows:
            if "rev" in row:  # runs before schema version 9
                row["revision"] = row.pop("rev")
    for link in record["links"]:
        link["embedding_before"] = decode_vector(link["embedding_before"])
    return record


def _colour_rows(result: CommitResult) -> list[Row]:
    rows = []
    for link in result.links:
        vector = link.after.vector
        zero = vector is None or not float(np.linalg.norm(vector))  # which no index takes
        embedding = None if zero else as_list(vector)
        row = {"element_id": link.element_id, "weight": link.after.weight, "embedding": embedding}
        rows.append(row)
    return rows


def _lock_order(row: Row | LockedLink) -> tuple[str, str]:
    return row["id"], row["element_id"]
