"""Commit of a run: the one transaction that writes all of it, or nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from asterism import search_index
from asterism.consolidation.degree_limit import apply_degree_limit
from asterism.consolidation.realm_scale import RealmScale
from asterism.consolidation.repetitions import Repetitions
from asterism.consolidation.run_plan import RunPlan, decide_again
from asterism.consolidation.vector_cache import Watermark
from asterism.database import Row, Transaction

EDGES = 5000
MEMORIES = 1000
MOST = 2**31 - 1


class OutdatedPlan(Exception):
    """Something that a plan was computed from is not there any more: compute again."""


@dataclass(frozen=True)
class CommitResult:
    """The plan as committed, and how many edges it wrote and removed."""

    plan: RunPlan
    watermark: Watermark
    created: int = 0
    displaced: int = 0
    alone: bool = True  # nobody committed between the snapshot and this


class RunCommit:
    """Writes a plan while it holds the turn of its realm. Repeating it is harmless."""

    def __init__(
        self, plan: RunPlan, properties: Callable[[RunPlan], Row], repetitions: Repetitions
    ) -> None:
        self._plan = plan
        self._properties = properties
        self._repetitions = repetitions

    async def __call__(self, tx: Transaction) -> CommitResult:
        turn = await tx.one("consolidation/lock")
        before, first = self._plan.comparison.watermark, turn["promoted_seq"]
        if before.last_seq and turn["token"] != before.token:
            raise OutdatedPlan
        plan = await self._current_plan(tx, first)
        edges, displaced_ids, displaced_ends = await self._limit_edges(tx, plan)
        # All memories are locked in one go and in order, and repetitions lock their originals,
        # so both come before any other write.
        leaving = [duplicate.id for duplicate in plan.decision.duplicates]
        measured = [row["id"] for row in plan.decision.text_scales]
        ids = sorted({*plan.lockable_ids(), *displaced_ends, *measured})
        await tx.rows("memories/lock_texts", ids=ids, leaving=leaving, arriving=[])
        if not await self._repetitions.count(tx, plan.decision.duplicates):
            raise OutdatedPlan
        await self._write_memories(tx, plan, first)
        await write_scales(tx, plan.decision.scale, plan.decision.text_scales)
        displaced = 0
        if displaced_ids:
            displaced = (await tx.one("consolidation/delete_edges", ids=displaced_ids))["displaced"]
        created = await self._create_edges(tx, plan, edges)
        last_seq = first + len(plan.decision.accepted)
        properties = self._properties(plan) | {
            "promoted_from": first + 1,
            "promoted_to": last_seq,
            "edges_created": created,
            "existing": len(edges) - created,
            "displaced": displaced,
        }
        await tx.rows("consolidation/record_run", run=plan.run, properties=properties)
        after = Watermark(turn["token"], plan.run, last_seq, before.dimensions)
        return CommitResult(plan, after, created, displaced, alone=first == before.last_seq)

    async def _current_plan(self, tx: Transaction, last_seq: int) -> RunPlan:
        """Return the plan as it is against what others have committed or removed meanwhile."""
        plan = self._plan
        newer: list[Row] = []
        if last_seq > plan.comparison.watermark.last_seq:
            newer = await tx.rows(
                "consolidation/read_consolidated",
                after=plan.comparison.watermark.last_seq,
                last_seq=last_seq,
                limit=MOST,
            )
            plan = await decide_again(tx, plan, (), set(plan.batch.arrays.ids), newer)
        while True:  # nothing goes away under the turn, so each round leaves fewer to look at
            ids = plan.batch.arrays.ids
            row = await tx.one(
                "consolidation/check_claim", run=plan.run, ids=ids, others=plan.other_ids()
            )
            claimed, removed = set(row["claimed"]), set(row["removed"])
            if len(claimed) == len(ids) and not removed:
                return plan
            plan = await decide_again(tx, plan, removed, claimed, newer)

    async def _limit_edges(
        self, tx: Transaction, plan: RunPlan
    ) -> tuple[list[Row], list[str], list[str]]:
        """Return the edges that fit, the ids of those they displace, and the ends of these."""
        most, again = plan.rules.settings.max_similar_degree, plan.decision.again
        edges = plan.decision.edges
        limited = edges if most is not None else []
        ends = {edge[end] for edge in limited for end in ("low", "high")}
        if not ends and not again.ids:
            return edges, [], []
        rows = await tx.rows("consolidation/read_similar_edges", ids=sorted(ends.union(again.ids)))
        outdated = again.outdated_ids(rows)
        by_id = {
            row["id"]: [each for each in row["edges"] if each["edge_id"] not in outdated]
            for row in rows
        }
        fitting: list[Row] = edges
        displaced: list[str] = []
        if most is not None:
            fitting, displaced = apply_degree_limit(edges, by_id, most)
        leaving = outdated.union(displaced)
        far = {
            end
            for row in rows
            for each in row["edges"]
            if each["edge_id"] in leaving
            for end in (row["id"], each["other"])
        }
        return fitting, sorted(leaving), sorted(far)

    async def _write_memories(self, tx: Transaction, plan: RunPlan, first: int) -> None:
        decision = plan.decision
        rows = _promotion_rows(plan, first)
        for start in range(0, len(rows), MEMORIES):
            chunk = rows[start : start + MEMORIES]
            answer = await tx.one(
                "consolidation/promote", run=plan.run, hours=plan.batch.hours, rows=chunk
            )
            if answer["promoted"] < len(chunk):
                raise OutdatedPlan
        same = [{"id": duplicate.id, "of": duplicate.of} for duplicate in decision.duplicates]
        if same:
            await tx.rows("consolidation/archive_duplicates", run=plan.run, rows=same)
            await search_index.remove(tx, [row["id"] for row in same])
        updates = [vars(update) for update in decision.updates]
        for start in range(0, len(updates), EDGES):
            chunk = updates[start : start + EDGES]
            await tx.rows("consolidation/mark_updates", run=plan.run, rows=chunk)

    async def _create_edges(self, tx: Transaction, plan: RunPlan, edges: list[Row]) -> int:
        use = {"reinforcement_count": 0, "last_reinforced_hours": plan.batch.hours}
        created = 0
        for start in range(0, len(edges), EDGES):
            chunk = edges[start : start + EDGES]
            answer = await tx.one(
                "consolidation/create_edges",
                run=plan.run,
                shared=plan.edge_properties | use,
                rows=chunk,
            )
            if answer["written"] < len(chunk):
                raise OutdatedPlan
            created += answer["created"]
        return created


async def write_scales(
    tx: Transaction, scale: RealmScale | None, text_scales: Sequence[Row]
) -> None:
    """Store the scale of a realm where it was measured again, and those of its texts."""
    if scale is not None:
        await tx.rows("consolidation/store_scale", **vars(scale))
    for start in range(0, len(text_scales), EDGES):
        chunk = text_scales[start : start + EDGES]
        await tx.rows("consolidation/store_text_scales", rows=chunk)


def _promotion_rows(plan: RunPlan, first: int) -> list[Row]:
    """Return the accepted memories as consolidation/promote takes them, numbered from `first`."""
    near_duplicates: dict[str, list[str]] = {}
    for pair in plan.decision.near_duplicates:
        near_duplicates.setdefault(pair.id, []).append(pair.other)
    ids, tags = plan.batch.arrays.ids, plan.batch.arrays.tags(plan.comparison.vocabulary)
    return [
        {
            "id": ids[row],
            "number": first + place + 1,
            "tag_keys": search_index.tag_keys(plan.realm, tags[row]),
            "near_duplicates": near_duplicates.get(ids[row]),
        }
        for place, row in enumerate(plan.decision.accepted)
    ]
