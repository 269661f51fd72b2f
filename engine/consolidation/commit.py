"""The one transaction of a run: all of it, or nothing."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from engine.consolidation.blocks import Vocabulary, from_rows
from engine.consolidation.decide import (
    Batch,
    Decision,
    Known,
    batch_pairs,
    compare,
    decide,
    pair_ids,
)
from engine.consolidation.kept import Mark
from engine.consolidation.pairs import Rules
from engine.consolidation.repetitions import Repetitions
from engine.consolidation.scoring import profile_hash
from engine.consolidation.wording import Reader, read_wordings
from engine.database import Row, Transaction
from engine.recall import notes
from engine.recall.notes import tag_keys as tag_keys

EDGES = 5000
MEMORIES = 1000
MOST = 2**31 - 1
ORIGIN = "similarity"


class Outdated(Exception):
    """What the run was computed from is not there any more: compute again."""


@dataclass(frozen=True)
class Plan:
    """A run that is ready to be committed, as computed against everything up to `mark`."""

    run: str
    batch: Batch
    known: Known
    mark: Mark
    rules: Rules
    model: str
    realm: str
    vocabulary: Vocabulary
    decision: Decision

    @property
    def shared(self) -> Row:
        """What all edges of a run have in common."""
        return {
            "origin": ORIGIN,
            "run": self.run,
            "hours": self.batch.hours,
            "profile": profile_hash(self.rules.settings, self.model),
        }


@dataclass(frozen=True)
class Written:
    """What a commit has written."""

    plan: Plan
    mark: Mark
    created: int = 0
    displaced: int = 0
    alone: bool = True  # nobody committed between the snapshot and this


class Commit:
    """Writes a plan under the turn of its realm; repeating it is harmless."""

    def __init__(
        self, plan: Plan, properties: Callable[[Plan], Row], repetitions: Repetitions
    ) -> None:
        self._plan = plan
        self._properties = properties
        self._repetitions = repetitions

    async def __call__(self, tx: Transaction) -> Written:
        turn = await tx.row("consolidation/lock")
        assert turn is not None
        if self._plan.mark.upto and turn["token"] != self._plan.mark.token:
            raise Outdated
        plan = await self._current(tx, turn["promoted_seq"])
        decision = plan.decision
        first = turn["promoted_seq"]
        edges, gone, displaced_ends = await self._ceiling(tx, plan)
        await self._hold(tx, plan, displaced_ends)
        mark = Mark(turn["token"], plan.run, first + len(decision.accepted), plan.mark.dimensions)
        if not await self._repetitions.count(tx, decision.duplicates):
            raise Outdated
        await self._place(tx, plan, first)
        displaced = await self._counted(tx, "consolidation/displace", "displaced", ids=gone)
        created = 0
        for start in range(0, len(edges), EDGES):
            rows = edges[start : start + EDGES]
            told = await tx.row(
                "consolidation/join", run=plan.run, shared=self._edge_facts(plan), rows=rows
            )
            if told is None or told["matched"] < len(rows):
                raise Outdated
            created += told["created"]
        known = {"promoted_from": first + 1, "promoted_to": mark.upto, "edges_created": created}
        properties = self._properties(plan) | known | {"displaced": displaced}
        properties["existing"] = len(edges) - created
        await tx.rows("consolidation/finish", run=plan.run, properties=properties)
        return Written(plan, mark, created, displaced, alone=first == self._plan.mark.upto)

    async def _current(self, tx: Transaction, upto: int) -> Plan:
        """The plan as it is against what others have committed or taken away meanwhile."""
        plan = self._plan
        later: list[Row] = []
        if upto > plan.mark.upto:
            since = plan.mark.upto
            later = await tx.rows("consolidation/blocks", after=since, upto=upto, limit=MOST)
            plan = await _renewed(tx, plan, set(), set(plan.batch.blocks.ids), later)
        while True:  # nothing goes away under the turn, so each round leaves fewer to look at
            ids, others = plan.batch.blocks.ids, _named(plan.decision)
            standing = await tx.row("consolidation/standing", run=plan.run, ids=ids, others=others)
            assert standing is not None
            mine, gone = set(standing["mine"]), set(standing["gone"])
            if len(mine) == len(ids) and not gone:
                return plan
            plan = await _renewed(tx, plan, gone, mine, later)

    async def _hold(self, tx: Transaction, plan: Plan, more: list[str]) -> None:
        """Lock every memory that the commit changes, in one go and in order."""
        decision = plan.decision
        ids = {*plan.batch.blocks.ids, *_named(decision), *more}
        leaving = [duplicate.id for duplicate in decision.duplicates]
        await tx.rows("memories/hold", ids=sorted(ids), leaving=leaving, arriving=[])

    async def _place(self, tx: Transaction, plan: Plan, first: int) -> None:
        decision, near = plan.decision, _near(plan.decision)
        ids, tags = plan.batch.blocks.ids, _tags(plan)
        rows = [
            {
                "id": ids[row],
                "number": first + place + 1,
                "tag_keys": tag_keys(plan.realm, tags[row]),
                "near": near.get(ids[row]),
            }
            for place, row in enumerate(decision.accepted)
        ]
        for start in range(0, len(rows), MEMORIES):
            some = rows[start : start + MEMORIES]
            told = await tx.row(
                "consolidation/promote", run=plan.run, hours=plan.batch.hours, rows=some
            )
            if told is None or told["promoted"] < len(some):
                raise Outdated
        same = [{"id": duplicate.id, "of": duplicate.of} for duplicate in decision.duplicates]
        if same:
            await tx.rows("consolidation/reject", run=plan.run, rows=same)
            await notes.withdraw(tx, [row["id"] for row in same])
        updates = [vars(update) for update in decision.updates]
        for start in range(0, len(updates), EDGES):
            some = updates[start : start + EDGES]
            await tx.rows("consolidation/mark_updates", run=plan.run, rows=some)

    async def _ceiling(self, tx: Transaction, plan: Plan) -> tuple[list[Row], list[str], list[str]]:
        """The edges that find room, those that make it, and the far ends of these."""
        most = plan.rules.settings.max_similar_degree
        edges = plan.decision.edges
        if most is None or not edges:
            return edges, [], []
        ends = sorted({edge[end] for edge in edges for end in ("low", "high")})
        rows = await tx.rows("consolidation/degrees", ids=ends)
        room, gone = within_ceiling(edges, {row["id"]: row["edges"] for row in rows}, most)
        weak = set(gone)
        far = [each["other"] for row in rows for each in row["edges"] if each["edge_id"] in weak]
        return room, gone, far

    async def _counted(self, tx: Transaction, name: str, key: str, *, ids: list[str]) -> int:
        row = await tx.row(name, ids=ids) if ids else None
        return int(row[key]) if row else 0

    def _edge_facts(self, plan: Plan) -> Row:
        used = {"reinforcement_count": 0, "last_reinforced_hours": plan.batch.hours}
        return plan.shared | used


async def read_and_decide(
    reader: Reader, batch: Batch, known: Sequence[Known], rules: Rules
) -> Decision:
    """Read what the texts say that are near each other, and decide about a batch."""
    among = await asyncio.to_thread(batch_pairs, batch, rules)
    wordings = await read_wordings(reader, pair_ids(batch, known, among))
    return await asyncio.to_thread(decide, batch, known, rules, among, wordings)


async def _renewed(
    tx: Transaction, plan: Plan, gone: set[str], mine: set[str], later: list[Row]
) -> Plan:
    """Decide once more, with what came in between among the known, and without what is gone."""
    batch, groups = await asyncio.to_thread(_again, plan, gone, mine, later)
    decision = await read_and_decide(tx, batch, groups, plan.rules)
    return replace(plan, batch=batch, known=groups[0], decision=decision)


def _again(
    plan: Plan, gone: set[str], mine: set[str], later: list[Row]
) -> tuple[Batch, list[Known]]:
    """Compare once more, with what came in between among the known, and without what is gone."""
    batch, known = plan.batch, plan.known
    left = [row for row, id in enumerate(batch.blocks.ids) if id in mine]
    there = [row for row, id in enumerate(known.blocks.ids) if id not in gone]
    if len(left) < len(batch.blocks) or len(there) < len(known.blocks):
        batch = batch.only(left)
        known = compare(batch, known.blocks.take(np.array(there, np.int64)), plan.rules)
    groups = [known]
    later = [row for row in later if row["id"] not in gone]
    if later:
        more, _ = from_rows(later, plan.mark.dimensions, plan.vocabulary)
        groups.append(compare(batch, more, plan.rules))
    return batch, groups


def _named(decision: Decision) -> list[str]:
    """The memories that a decision is about beside those of its batch."""
    near = {pair.other for pair in decision.near} | {update.of for update in decision.updates}
    return sorted(near.union(decision.others))


def _near(decision: Decision) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pair in decision.near:
        found.setdefault(pair.id, []).append(pair.other)
    return found


def _tags(plan: Plan) -> list[list[str]]:
    words = list(plan.vocabulary.tags)
    some = plan.batch.blocks
    codes, starts = some.tag_codes.tolist(), some.tag_starts.tolist()
    return [[words[code] for code in codes[a:b]] for a, b in pairwise(starts)]


def within_ceiling(
    edges: list[Row], standing: dict[str, list[Any]], most: int
) -> tuple[list[Row], list[str]]:
    """Edges that find room, best first, and the weak unused ones that make it for them."""
    held = {id: list(rows) for id, rows in standing.items()}
    kept: list[Row] = []
    gone: list[str] = []
    for edge in sorted(edges, key=lambda edge: (-edge["parts"]["weight"], edge["edge_id"])):
        room = [_weakest(held, edge[end], most, edge) for end in ("low", "high")]
        if None in room:
            continue
        for weak in room:
            if weak and weak["edge_id"] not in gone:
                gone.append(weak["edge_id"])
                for rows in held.values():
                    rows[:] = [row for row in rows if row["edge_id"] != weak["edge_id"]]
        new = {"edge_id": edge["edge_id"], "weight": edge["parts"]["weight"], "used": True}
        for end in ("low", "high"):
            held.setdefault(edge[end], []).append(new)
        kept.append(edge)
    return sorted(kept, key=lambda edge: (edge["low"], edge["high"])), gone


def _weakest(held: dict[str, list[Any]], id: str, most: int, edge: Row) -> Row | None:
    """What has to go at one end: nothing ({}), an edge, or None if nothing may."""
    rows = held.get(id, [])
    if len(rows) < most or any(row["edge_id"] == edge["edge_id"] for row in rows):
        return {}
    weaker = [row for row in rows if not row["used"] and row["weight"] < edge["parts"]["weight"]]
    return min(weaker, key=lambda row: (row["weight"], row["edge_id"]), default=None)
