"""Edges by kin: what is most kin to each other, on the scale of the realm.

A realm of up to 400 texts is looked at as a whole whenever something is added, so that the order of
arrival does not matter. In a larger one only the new texts look for partners, among all.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from asterism.consolidation.arrays import Floats, Ints, MemoryArrays
from asterism.consolidation.decision import Pair, pair_of
from asterism.consolidation.edge_score import edge_id
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.kin_search import (
    SLACK,
    Claims,
    KinPairs,
    KinSearch,
    claims_of,
    mutual,
)
from asterism.consolidation.rare_words import Reader
from asterism.consolidation.realm_scale import (
    SAMPLE,
    RealmSample,
    RealmScale,
    measure_realm,
    measure_texts,
    sample_rows,
)
from asterism.consolidation.shared_words import read_word_pairs
from asterism.consolidation.tag_overlap import TagOverlap
from asterism.database import Row
from asterism.row_types import row_of

READ = 1000  # memories of one statement


@row_of("consolidation/read_use")
class Use(NamedTuple):
    """Row of consolidation/read_use: when a memory came, and when it was used last."""

    id: str
    number: int
    run: str | None
    learned: float
    used: float
    rebuilt: bool


@dataclass(frozen=True)
class MeasuredTexts:
    """Texts with the scale of their realm, and the rows whose own scale is new."""

    arrays: MemoryArrays
    scale: RealmScale
    renewed: bool
    new_rows: Ints

    def text_scales(self) -> list[Row]:
        """Return what consolidation/store_text_scales takes."""
        arrays, rows = self.arrays, self.new_rows
        means, deviations = arrays.means.tolist(), arrays.deviations.tolist()
        return [
            {"id": arrays.ids[row], "mean": means[row], "deviation": deviations[row]}
            for row in rows.tolist()
        ]


async def measure(
    reader: Reader,
    arrays: MemoryArrays,
    rules: Rules,
    *,
    sample: RealmSample | None = None,
    renew: bool = False,
) -> MeasuredTexts:
    """Return texts on the scale of their realm, which is measured again where it has grown.

    `sample` are texts of the realm where `arrays` are not all of them.
    """
    rows = await reader.rows("consolidation/read_scale")
    stored = RealmScale(**rows[0]) if rows else None
    missing = np.nonzero(np.isnan(arrays.deviations))[0]
    if sample is None:
        sample = RealmSample(arrays.select(sample_rows(arrays.ids)), len(arrays))
    due = stored is None or renew or stored.is_due(sample.texts)
    scale = stored
    if scale is None or due:
        scale = await asyncio.to_thread(measure_realm, sample, rules.calibration)
        missing = np.arange(len(arrays))
    means, deviations = arrays.means.copy(), arrays.deviations.copy()
    means[missing], deviations[missing] = await asyncio.to_thread(
        measure_texts, arrays.select(missing), sample.arrays, scale
    )
    return MeasuredTexts(arrays.with_scales(means, deviations), scale, due, missing)


async def most_kin(
    reader: Reader, texts: MeasuredTexts, rules: Rules, rows: Ints, claims: Claims | None = None
) -> KinPairs:
    """Return the most kin of some texts among all, or what settles the claims on them."""
    arrays = texts.arrays
    search = KinSearch(arrays, texts.scale, rules.guard, rules.settings.edge_degree_cap)
    place = {id: row for row, id in enumerate(arrays.ids)}
    words = await read_word_pairs(reader, [arrays.ids[row] for row in rows.tolist()], place)
    return await asyncio.to_thread(search.best, rows, words, claims)


async def mutual_pairs(
    reader: Reader, texts: MeasuredTexts, rules: Rules, new: Ints | None = None
) -> KinPairs:
    """Return the pairs that are among the most kin of both: all, or those of new texts.

    New texts claim their most kin as partners where the pair may reach the threshold. Only these
    partners are searched, and only as far as it takes to grant or to refuse the claim.
    """
    count = len(texts.arrays)
    if new is None:
        return mutual(await most_kin(reader, texts, rules, np.arange(count)), count)
    best = await most_kin(reader, texts, rules, new)
    best = best.where(np.nonzero(may_join(texts.arrays, best, rules))[0])
    claims = claims_of(best, new)
    more = await most_kin(reader, texts, rules, claims.rows, claims)
    columns = zip(vars(best).values(), vars(more).values(), strict=True)
    pairs = mutual(KinPairs(*(np.concatenate(column) for column in columns)), count)
    is_new = np.isin(pairs.rows, new) | np.isin(pairs.columns, new)
    return pairs.where(np.nonzero(is_new)[0])


def may_join(arrays: MemoryArrays, pairs: KinPairs, rules: Rules) -> NDArray[np.bool_]:
    """Mark the pairs that reach the threshold if no hours lie between their texts."""
    scores = _parts(arrays, pairs, np.zeros(len(pairs)), rules).sum(axis=1)
    marks: NDArray[np.bool_] = scores >= rules.threshold - SLACK
    return marks


def kin_edge_rows(arrays: MemoryArrays, pairs: KinPairs, apart: Floats, rules: Rules) -> list[Row]:
    """Return the pairs that reach the threshold as consolidation/create_edges takes them."""
    parts = _parts(arrays, pairs, apart, rules)
    scores = parts.sum(axis=1)
    cosines = rules.calibrated(pairs.cosines)
    edges = []
    for place in np.nonzero(scores >= rules.threshold)[0].tolist():
        low, high = sorted((arrays.ids[pairs.rows[place]], arrays.ids[pairs.columns[place]]))
        names = ("from_cosine", "from_tags", "from_category", "from_hours")
        properties = {
            "weight": float(scores[place]),
            "cosine": float(cosines[place]),
            "kin": float(pairs.kin[place]),
            "words": float(pairs.words[place]),
            **dict(zip(names, parts[place].tolist(), strict=True)),
        }
        edges.append({"low": low, "high": high, "edge_id": edge_id(low, high), "parts": properties})
    return sorted(edges, key=lambda edge: (str(edge["low"]), str(edge["high"])))


def _parts(arrays: MemoryArrays, pairs: KinPairs, apart: Floats, rules: Rules) -> Floats:
    """Return what each of the four signals adds to a score."""
    chosen = rules.settings
    first, second = arrays.select(pairs.rows), arrays.select(pairs.columns)
    places = np.arange(len(pairs))
    equal = first.categories == second.categories
    return np.stack(
        [
            chosen.weight_cosine * pairs.kin,
            chosen.weight_tags * TagOverlap(first, second).jaccard(places, places),
            chosen.weight_category * np.where(equal, 1.0, chosen.cross_category_score),
            chosen.weight_hours * rules.proximity(apart),
        ],
        axis=1,
    )


async def hours_apart(
    reader: Reader,
    arrays: MemoryArrays,
    pairs: KinPairs,
    first_new: int,
    hours: float,
    rules: Rules,
) -> Floats:
    """Return how many active hours lay between two texts when the later one came.

    Rows from `first_new` on are those of the run, which came at `hours`.
    """
    stale = rules.settings.inbatch_hours == "stale"
    within = hours if stale else 0.0
    low, high = np.minimum(pairs.rows, pairs.columns), np.maximum(pairs.rows, pairs.columns)
    apart = np.where(low >= first_new, within, hours - arrays.hours[low])
    old = np.nonzero(high < first_new)[0]
    ends = np.unique(np.concatenate([low[old], high[old]])).tolist()
    uses = await _read_uses(reader, [arrays.ids[row] for row in ends])
    for place in old.tolist():
        a, b = (uses.get(arrays.ids[row[place]]) for row in (low, high))
        apart[place] = _apart(a, b, stale=stale) if a and b else 0.0
    return apart


def _apart(a: Use, b: Use, *, stale: bool) -> float:
    earlier, later = sorted((a, b), key=lambda use: use.number)
    if (a.rebuilt and b.rebuilt) or a.run == b.run:
        return later.learned if stale else 0.0
    return later.learned - (earlier.used if earlier.used <= later.learned else earlier.learned)


async def _read_uses(reader: Reader, ids: Sequence[str]) -> dict[str, Use]:
    uses: dict[str, Use] = {}
    for first in range(0, len(ids), READ):
        rows: list[dict[str, Any]] = await reader.rows(
            "consolidation/read_use", ids=list(ids[first : first + READ])
        )
        uses |= {row["id"]: Use(**row) for row in rows}
    return uses


def named_pairs(arrays: MemoryArrays, pairs: KinPairs) -> list[Pair]:
    """Return pairs by their ids, the lesser one first."""
    rows = zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True)
    return [pair_of(arrays.ids[row], arrays.ids[column]) for row, column in rows]


def is_small(arrays: MemoryArrays) -> bool:
    """Return True for a realm that is looked at as a whole."""
    return len(arrays) <= SAMPLE
