"""Search for kin by the vector index: the nearest of each text, and what shares its rare words.

A pair without shared words is kin by its cosine alone, so that the nearest are enough as soon as
the last of them is below the guard.
"""

import math
from collections.abc import Sequence

import numpy as np

from asterism.consolidation.arrays import MemoryArrays, concatenate
from asterism.consolidation.decision import ComparedGroup, compare
from asterism.consolidation.index_search import FETCH, SLACK, IndexSearch
from asterism.consolidation.kin_edges import measure, most_kin
from asterism.consolidation.realm_scale import SAMPLE, RealmSample, RealmScale, least_cosine
from asterism.embedding import pack_vector


class KinIndexSearch(IndexSearch):
    """Search for the partners of one batch, and for the partners of these."""

    async def run(self) -> tuple[ComparedGroup, float]:
        """Return the candidates, and the share of rows with a certificate."""
        batch = self.batch.arrays
        row = await self.database.one("consolidation/sample_ids", count=SAMPLE)
        others = await self._fetch(row["ids"])
        self.candidates |= dict.fromkeys(others.ids)
        every = concatenate([others, batch])
        sample = RealmSample(every, self.last_seq + len(batch))
        texts = await measure(self.database, every, self.rules, sample=sample)
        self._scale = texts.scale
        certified = await self._add_candidates(batch)
        arrays = concatenate([await self._fetch(self.candidates), batch])
        texts = await measure(self.database, arrays, self.rules, sample=sample)
        first = len(arrays) - len(batch)
        best = await most_kin(
            self.database, texts, self.rules, np.arange(first, len(arrays), dtype=np.int64)
        )
        partners = np.unique(best.columns[best.columns < first])
        await self._add_candidates(arrays.select(partners))
        arrays = await self._fetch(self.candidates)
        group = compare(self.batch, arrays, self.rules)
        return ComparedGroup(arrays, group.matches, sample=sample), certified

    async def audit(self, group: ComparedGroup) -> float:
        """Return the share of near texts, as an exact look finds them for some rows, in `group`."""
        count = len(self.batch.arrays)
        amount = max(1, math.ceil(count * self.rules.settings.audit_share))
        rows = np.unique(np.linspace(0, count - 1, amount).astype(np.int64))
        expected = [
            id
            for row in rows.tolist()
            for id in await self._within(self.batch.arrays.vectors[row].tolist(), SLACK)
        ]
        there = set(group.arrays.ids)
        return sum(id in there for id in expected) / len(expected) if expected else 1.0

    async def _add_candidates(self, arrays: MemoryArrays) -> float:
        """Add what may be kin of some texts, and return the share that the index was enough for."""
        for first in range(0, len(arrays), FETCH):
            words = await self.database.rows(
                "consolidation/shared_words", ids=arrays.ids[first : first + FETCH]
            )
            self.candidates |= dict.fromkeys(id for word in words for id in word["members"])
        farthest = await self.add_nearest_of(arrays, self.rules.settings.index_deepest)
        open_rows = [row for row, cosine in farthest.items() if cosine >= self._least()]
        for row in open_rows:
            neighbours = await self._within(arrays.vectors[row].tolist(), -SLACK)
            self.candidates |= dict.fromkeys(neighbours)
        return 1 - len(open_rows) / len(arrays) if len(arrays) else 1.0

    async def _within(self, vector: Sequence[float], slack: float) -> list[str]:
        row = await self.database.one(
            "consolidation/find_within",
            vector=pack_vector(vector),
            least=self._least() + slack,
            last_seq=self.last_seq,
        )
        return list(row["ids"])

    def _least(self) -> float:
        """Return the least cosine that may be kin without words, or be the same text."""
        scale: RealmScale = self._scale
        kin = float(least_cosine(np.array(self.rules.guard), scale))
        return max(-1.0, min(kin, float(self.rules.raw(self.rules.near_duplicate))))
