"""Plan of a run: a batch, what it was compared with, and the decision about it."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from asterism.consolidation.arrays import arrays_from_rows, concatenate
from asterism.consolidation.comparison import Comparison
from asterism.consolidation.decision import (
    Batch,
    ComparedGroup,
    Decision,
    LookAgain,
    batch_pairs,
    compare,
    decide,
    pair_of,
    wording_ids,
)
from asterism.consolidation.edge_score import profile_hash
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.kin_edges import (
    hours_apart,
    is_small,
    kin_edge_rows,
    measure,
    mutual_pairs,
    named_pairs,
)
from asterism.consolidation.rare_words import Reader
from asterism.consolidation.update_search import find_updates
from asterism.database import Row, Transaction
from asterism.text.wording import Wording, wording

ORIGIN = "similarity"
TEXTS = 1000  # of one statement


@dataclass(frozen=True)
class RunPlan:
    """A run that is ready to be committed, computed against everything up to its watermark."""

    run: str
    comparison: Comparison
    rules: Rules
    model: str
    realm: str
    decision: Decision

    @property
    def batch(self) -> Batch:
        return self.comparison.batch

    @property
    def edge_properties(self) -> Row:
        """Return the properties that all edges of the run have in common."""
        return edge_properties(self.run, self.batch.hours, self.rules, self.model)

    def lockable_ids(self) -> set[str]:
        """Return the memories of the batch, and those that the decision is about beside them."""
        return {*self.batch.arrays.ids, *self.other_ids()}

    def other_ids(self) -> list[str]:
        decision = self.decision
        others = {pair.other for pair in decision.near_duplicates}
        ends = {end for pair in decision.updates for end in (pair.id, pair.of)}
        return sorted(others.union(ends, decision.others) - set(self.batch.arrays.ids))


def edge_properties(run: str, hours: float, rules: Rules, model: str) -> Row:
    profile = profile_hash(rules.settings, model)
    return {"origin": ORIGIN, "run": run, "hours": hours, "profile": profile}


async def read_and_decide(
    reader: Reader, batch: Batch, groups: Sequence[ComparedGroup], rules: Rules
) -> Decision:
    """Read the texts that are near each other, and decide about a batch."""
    inside = await asyncio.to_thread(batch_pairs, batch, rules)
    wordings = await _read_wordings(reader, wording_ids(batch, groups, inside))
    decision = await asyncio.to_thread(decide, batch, groups, rules, inside, wordings)
    if rules.settings.signal == "kin":
        decision = await _join_kin(reader, batch, groups, rules, decision)
    return replace(decision, updates=await find_updates(reader, batch, groups, rules, decision))


async def _join_kin(
    reader: Reader,
    batch: Batch,
    groups: Sequence[ComparedGroup],
    rules: Rules,
    decision: Decision,
) -> Decision:
    """Return a decision with edges by kin, of the accepted or of the whole realm if it is small."""
    accepted = batch.arrays.select(np.array(decision.accepted, np.int64))
    if not len(accepted):
        return decision
    arrays = concatenate([*(group.arrays for group in groups), accepted])
    sample = groups[0].sample
    whole = sample is None and is_small(arrays)
    texts = await measure(reader, arrays, rules, sample=sample)
    first_new = len(arrays) - len(accepted)
    new = None if whole else np.arange(first_new, len(arrays))
    pairs = await mutual_pairs(reader, texts, rules, new)
    again = LookAgain()
    if whole and first_new:
        ids = arrays.ids[:first_new]
        rows = await reader.rows("consolidation/read_similar_edges", ids=ids)
        names = named_pairs(arrays, pairs)
        again = LookAgain(ids, frozenset(names))
        again = replace(again, outdated=len(again.outdated_ids(rows)))
        there = {pair_of(row["id"], edge["other"]) for row in rows for edge in row["edges"]}
        pairs = pairs.where(np.array([name not in there for name in names], bool).nonzero()[0])
    apart = await hours_apart(reader, arrays, pairs, first_new, batch.hours, rules)
    edges = kin_edge_rows(texts.arrays, pairs, apart, rules)
    ends = {edge[end] for edge in edges for end in ("low", "high")}
    return replace(
        decision,
        edges=edges,
        others=sorted({*decision.others, *ends}.difference(batch.arrays.ids)),
        again=again,
        scale=texts.scale if texts.renewed else None,
        text_scales=texts.text_scales(),
    )


async def decide_again(
    tx: Transaction,
    plan: RunPlan,
    removed: Collection[str],
    claimed: Collection[str],
    newer: Sequence[Row],
) -> RunPlan:
    """Return the plan for the memories still claimed, with newer and without removed ones."""
    batch, groups = await asyncio.to_thread(_compare_again, plan, removed, claimed, newer)
    decision = await read_and_decide(tx, batch, groups, plan.rules)
    comparison = replace(plan.comparison, batch=batch, group=groups[0])
    return replace(plan, comparison=comparison, decision=decision)


def _compare_again(
    plan: RunPlan, removed: Collection[str], claimed: Collection[str], newer: Sequence[Row]
) -> tuple[Batch, list[ComparedGroup]]:
    batch, group = plan.batch, plan.comparison.group
    rows = [row for row, id in enumerate(batch.arrays.ids) if id in claimed]
    present = [row for row, id in enumerate(group.arrays.ids) if id not in removed]
    if len(rows) < len(batch.arrays) or len(present) < len(group.arrays):
        batch = batch.select(rows)
        group = compare(batch, group.arrays.select(np.array(present, np.int64)), plan.rules)
    newer = [row for row in newer if row["id"] not in removed]
    if not newer:
        return batch, [group]
    dimensions, vocabulary = batch.arrays.dimensions, plan.comparison.vocabulary
    arrays = arrays_from_rows(newer, dimensions, vocabulary)
    return batch, [group, compare(batch, arrays, plan.rules)]


async def _read_wordings(reader: Reader, ids: Sequence[str]) -> dict[str, Wording]:
    wordings: dict[str, Wording] = {}
    for first in range(0, len(ids), TEXTS):
        rows = await reader.rows(
            "consolidation/read_passages", ids=list(ids[first : first + TEXTS])
        )
        wordings |= {row["id"]: wording(row["passage"]) for row in rows}
    return wordings
