"""Search by the vector index, with a certificate that its neighbours are enough.

For clients without room for all vectors. What shares a tag or was used lately is enumerated from
the graph, so that the context of anything else is small. Then the k nearest are all that matter,
as soon as the k-th is too far to beat the best candidates. The index is approximate: a share of
every run is checked exactly.
"""

import asyncio
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from asterism.consolidation.arrays import MemoryArrays, Vocabulary, arrays_from_rows
from asterism.consolidation.decision import Batch, ComparedGroup, compare
from asterism.consolidation.edge_score import is_certified, least_cosine
from asterism.consolidation.exact_search import Rules, ScoredPairs
from asterism.database import Database
from asterism.embedding import pack_vector
from asterism.search_index import tag_keys

QUERIES_AT_ONCE = 8
KEYS = 500
FETCH = 1000
FAR = 0.01  # what is less near than this in time adds next to nothing
SLACK = 1e-5  # of a cosine in single precision


@dataclass
class IndexSearch:
    """Search for the partners of one batch."""

    database: Database
    batch: Batch
    rules: Rules
    last_seq: int
    vocabulary: Vocabulary
    candidates: dict[str, None] = field(default_factory=dict)
    context: float = 0.0  # the most that tags, category and hours add for any other memory

    async def run(self) -> tuple[ComparedGroup, float]:
        """Ask for more neighbours until each row has its certificate, and the last ones exactly.

        Returns the comparison, and the share of rows with a certificate at the first attempt.
        """
        await self.enumerate()
        settings, rows = self.rules.settings, list(range(len(self.batch.arrays)))
        if len(self.candidates) >= self.last_seq:  # everything there is has been enumerated
            return await self._compare(), 1.0
        count, first_share = settings.index_nearest, None
        while rows and count <= settings.index_deepest:
            farthest = await self.add_nearest(rows, count)
            scores = scores_by_row((await self._compare()).matches.best)
            rows = [
                row
                for row in rows
                if farthest[row] >= self.rules.near_duplicate
                or not is_certified(farthest[row], scores.get(row, []), self.context, settings)
            ]
            if first_share is None:
                first_share = 1 - len(rows) / len(self.batch.arrays)
            count *= 2
        for row in rows:
            self.candidates |= dict.fromkeys(await self.exact_candidates(row))
        return await self._compare(), first_share or 0.0

    async def audit(self, group: ComparedGroup) -> float:
        """Return the share of edges, among those an exact look finds for some rows, in `group`."""
        count = len(self.batch.arrays)
        amount = max(1, math.ceil(count * self.rules.settings.audit_share))
        rows = np.unique(np.linspace(0, count - 1, amount).astype(np.int64))
        shared, total = 0, 0
        for row in rows.tolist():
            others = await self._fetch(await self.exact_candidates(row))
            exact = compare(self.batch.select([row]), others, self.rules)
            expected = {others.ids[column] for column in exact.matches.best.columns.tolist()}
            best = group.matches.best
            columns = best.columns[best.rows == row].tolist()
            partners = {group.arrays.ids[column] for column in columns}
            shared, total = shared + len(expected & partners), total + len(expected)
        return shared / total if total else 1.0

    async def enumerate(self) -> None:
        """Add everything that shares a tag or was used lately, if that is not too much."""
        settings = self.rules.settings
        self.context = self.rules.largest_context
        if self._add_all(await self._with_shared_tags()):
            self.context -= settings.weight_tags
        reach = settings.temporal_sigma_hours * math.sqrt(2 * math.log(1 / FAR))
        row = await self.database.one(
            "consolidation/find_by_hours",
            low=self.batch.hours - reach,
            high=self.batch.hours + reach,
            last_seq=self.last_seq,
            limit=settings.index_enumerated + 1,
        )
        if self._add_all(row["ids"]):
            self.context -= settings.weight_hours * (1 - FAR)

    async def exact_candidates(self, row: int) -> list[str]:
        """Return all that could be joined to a row, or be the same text, from everything."""
        settings = self.rules.settings
        least = least_cosine(self.rules.largest_context, settings)
        least = min(least, self.rules.near_duplicate)
        cosine = self.rules.raw(least) if least > 0 else -1.0
        answer = await self.database.one(
            "consolidation/find_within",
            vector=pack_vector(self.batch.arrays.vectors[row]),
            least=cosine - SLACK,
            last_seq=self.last_seq,
        )
        return list(answer["ids"])

    async def _with_shared_tags(self) -> list[str]:
        keys = tag_keys(self.database.realm, list(self.vocabulary.tags))
        ids: dict[str, None] = {}
        for first in range(0, len(keys), KEYS):
            query = " ".join(keys[first : first + KEYS])
            row = await self.database.one(
                "consolidation/find_by_tags", query=query, last_seq=self.last_seq
            )
            ids |= dict.fromkeys(row["ids"])
        return list(ids)

    def _add_all(self, ids: list[str]) -> bool:
        """Add candidates if they are few enough to be compared one by one."""
        few = len(ids) <= self.rules.settings.index_enumerated
        self.candidates |= dict.fromkeys(ids) if few else {}
        return few

    async def add_nearest(self, rows: list[int], count: int) -> dict[int, float]:
        """Add the nearest of some rows, and return the cosine of the farthest of them by row."""
        chosen = self.batch.arrays.select(np.array(rows, np.int64))
        farthest = await self.add_nearest_of(chosen, count)
        return {rows[place]: float(self.rules.calibrated(raw)) for place, raw in farthest.items()}

    async def add_nearest_of(self, arrays: MemoryArrays, count: int) -> dict[int, float]:
        """Add the nearest of some texts, and return the model's cosine of the farthest by row."""
        slots = asyncio.Semaphore(QUERIES_AT_ONCE)

        async def add(row: int) -> tuple[int, float]:
            async with slots:
                neighbours = await self.database.rows(
                    "consolidation/find_nearest",
                    vector=pack_vector(arrays.vectors[row]),
                    count=count,
                )
            self.candidates |= dict.fromkeys(neighbour["id"] for neighbour in neighbours)
            full = len(neighbours) == count
            return row, neighbours[-1]["similarity"] * 2 - 1 if full else -1.0

        return dict(await asyncio.gather(*(add(row) for row in range(len(arrays)))))

    async def _compare(self) -> ComparedGroup:
        arrays = await self._fetch(self.candidates)
        return await asyncio.to_thread(compare, self.batch, arrays, self.rules)

    async def _fetch(self, ids: Iterable[str]) -> MemoryArrays:
        names, rows = sorted(ids), []
        for first in range(0, len(names), FETCH):
            rows += await self.database.rows(
                "consolidation/read_by_id",
                ids=names[first : first + FETCH],
                last_seq=self.last_seq,
            )
        return arrays_from_rows(rows, self.batch.arrays.dimensions, self.vocabulary)


def scores_by_row(best: ScoredPairs) -> dict[int, list[float]]:
    """Return the scores of each row's partners, best first."""
    scores: dict[int, list[float]] = {}
    order = np.lexsort((-best.scores, best.rows))
    for row, score in zip(best.rows[order].tolist(), best.scores[order].tolist(), strict=True):
        scores.setdefault(row, []).append(score)
    return scores
