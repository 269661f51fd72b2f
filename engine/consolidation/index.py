"""The other path: neighbours from the vector index, with a certificate that they are enough.

For clients without room for all vectors. What shares a tag or was used lately is enumerated from
the graph, so that the context of anything else is small; then the k nearest are all that matter,
as soon as the k-th is too far to beat what has been found. The index is approximate: a share of
every run is checked exactly.
"""

import asyncio
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine.consolidation.blocks import Blocks, Vocabulary, from_rows
from engine.consolidation.decide import Batch, Known, compare
from engine.consolidation.kept import Mark
from engine.consolidation.pairs import Pairs, Rules
from engine.consolidation.scoring import certified, least_cosine
from engine.database import Database
from engine.embedding import packed
from engine.recall.notes import tag_keys

if TYPE_CHECKING:
    from engine.consolidation.known import Fresh, Reached

AT_A_TIME = 8
KEYS = 500
FETCH = 1000
FAR = 0.01  # what is less near than this in time adds next to nothing
SLACK = 1e-5  # of a cosine in single precision


@dataclass
class Lookup:
    """A batch on its way through the index."""

    database: Database
    batch: Batch
    rules: Rules
    upto: int
    vocabulary: Vocabulary
    pool: dict[str, None] = field(default_factory=dict)  # candidates, in no particular order
    context: float = 0.0  # the most that tags, category and hours add for what is not in the pool
    blocks: Blocks | None = None

    async def enumerate(self) -> None:
        """Everything that shares a tag or was used lately, if that is not too much."""
        chosen = self.rules.settings
        self.context = self.rules.largest_context
        if await self._all_of(await self._tagged()):
            self.context -= chosen.weight_tags
        reach = chosen.temporal_sigma_hours * math.sqrt(2 * math.log(1 / FAR))
        row = await self.database.row(
            "consolidation/by_hours",
            low=self.batch.hours - reach,
            high=self.batch.hours + reach,
            upto=self.upto,
            limit=chosen.index_enumerated + 1,
        )
        if await self._all_of(row["ids"] if row else []):
            self.context -= chosen.weight_hours * (1 - FAR)

    async def _tagged(self) -> list[str]:
        words = list(self.vocabulary.tags)
        keys = tag_keys(self.database.realm, words)
        found: dict[str, None] = {}
        for first in range(0, len(keys), KEYS):
            query = " ".join(keys[first : first + KEYS])
            row = await self.database.row("consolidation/by_tags", query=query, upto=self.upto)
            found |= dict.fromkeys(row["ids"] if row else [])
        return list(found)

    async def _all_of(self, ids: list[str]) -> bool:
        """Whether there are few enough to be looked at one by one."""
        few = len(ids) <= self.rules.settings.index_enumerated
        self.pool |= dict.fromkeys(ids) if few else {}
        return few

    async def compare(self) -> Known:
        """The batch beside the pool."""
        self.blocks = await self.fetch(self.pool)
        return await asyncio.to_thread(compare, self.batch, self.blocks, self.rules)

    async def fetch(self, ids: Iterable[str]) -> Blocks:
        names, rows = sorted(ids), []
        for first in range(0, len(names), FETCH):
            rows += await self.database.rows(
                "consolidation/named", ids=names[first : first + FETCH], upto=self.upto
            )
        found, _ = from_rows(rows, self.batch.blocks.dimensions, self.vocabulary)
        return found

    async def nearest(self, rows: list[int], count: int) -> dict[int, float]:
        """Add the nearest of some rows to the pool; returns how alike the furthest of them is."""
        turn = asyncio.Semaphore(AT_A_TIME)

        async def one(row: int) -> tuple[int, float]:
            async with turn:
                found = await self.database.rows(
                    "consolidation/nearest",
                    vector=packed(self.batch.blocks.vectors[row]),
                    count=count,
                )
            self.pool |= dict.fromkeys(hit["id"] for hit in found)
            furthest = found[-1]["similarity"] * 2 - 1 if len(found) == count else -1.0
            return row, float(self.rules.calibrated(furthest))

        return dict(await asyncio.gather(*(one(row) for row in rows)))

    async def exactly(self, row: int) -> list[str]:
        """All that could be joined to a row, or be the same text, by looking at everything."""
        settings = self.rules.settings
        least = min(least_cosine(self.rules.largest_context, settings), self.rules.near)
        cosine = self.rules.raw(least) if least > 0 else -1.0
        told = await self.database.row(
            "consolidation/within",
            vector=packed(self.batch.blocks.vectors[row]),
            least=cosine - SLACK,
            upto=self.upto,
        )
        return list(told["ids"]) if told else []


async def beside(database: Database, fresh: "Fresh", rules: Rules) -> "Reached":
    """A batch beside what the index and the graph point to."""
    from engine.consolidation.known import Reached

    state = await database.row("consolidation/state", run=None)
    dimensions = fresh.vectors.shape[1]
    mark = Mark(
        state["token"] if state else "", None, state["promoted_seq"] if state else 0, dimensions
    )
    vocabulary = Vocabulary()
    batch = fresh.batch(vocabulary)
    lookup = Lookup(database, batch, rules, mark.upto, vocabulary)
    await lookup.enumerate()
    known, share = await _widen(lookup)
    recall = await _audit(lookup, known)
    return Reached(
        batch,
        known,
        mark,
        vocabulary,
        mark.upto,
        "index",
        f"{len(lookup.pool)} candidates from the index and the graph",
        certified=share,
        audit_recall=recall,
    )


async def _widen(lookup: Lookup) -> tuple[Known, float]:
    """Ask for more neighbours until each row has its certificate; the last ones exactly."""
    settings, rows = lookup.rules.settings, list(range(len(lookup.batch.blocks)))
    if len(lookup.pool) >= lookup.upto:  # everything there is has been enumerated
        return await lookup.compare(), 1.0
    count, first_share = settings.index_nearest, None
    while rows and count <= settings.index_deepest:
        furthest = await lookup.nearest(rows, count)
        known = await lookup.compare()
        scores = scores_by_row(known.found.best)
        rows = [
            row
            for row in rows
            if furthest[row] >= lookup.rules.near
            or not certified(furthest[row], scores.get(row, []), lookup.context, settings)
        ]
        if first_share is None:
            first_share = 1 - len(rows) / len(lookup.batch.blocks)
        count *= 2
    for row in rows:
        lookup.pool |= dict.fromkeys(await lookup.exactly(row))
    return await lookup.compare(), first_share or 0.0


def scores_by_row(best: Pairs) -> dict[int, list[float]]:
    """Scores of each row's partners, best first."""
    found: dict[int, list[float]] = {}
    order = np.lexsort((-best.scores, best.rows))
    for row, score in zip(best.rows[order].tolist(), best.scores[order].tolist(), strict=True):
        found.setdefault(row, []).append(score)
    return found


async def _audit(lookup: Lookup, known: Known) -> float:
    """The share of edges, among those an exact look finds for some rows, that were found."""
    count = len(lookup.batch.blocks)
    amount = max(1, math.ceil(count * lookup.rules.settings.audit_share))
    rows = np.unique(np.linspace(0, count - 1, amount).astype(np.int64))
    found, wanted = 0, 0
    for row in rows.tolist():
        there = await lookup.fetch(await lookup.exactly(row))
        exact = compare(lookup.batch.only([row]), there, lookup.rules)
        names = {there.ids[column] for column in exact.found.best.columns.tolist()}
        mine = known.found.best.columns[known.found.best.rows == row]
        got = {known.blocks.ids[column] for column in mine.tolist()}
        found, wanted = found + len(names & got), wanted + len(names)
    return found / wanted if wanted else 1.0
