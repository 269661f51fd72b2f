"""Pure functions that compare a batch, and decide which texts are new and which edges they get."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from asterism.consolidation.arrays import Ints, MemoryArrays
from asterism.consolidation.edge_score import ROUNDING, edge_id
from asterism.consolidation.exact_search import (
    DIGITS,
    ExactSearch,
    Matches,
    Rules,
    ScoredPairs,
    join_pairs,
)
from asterism.consolidation.models import Duplicate, NearDuplicate, PossibleUpdate
from asterism.consolidation.realm_scale import RealmSample, RealmScale
from asterism.database import Row
from asterism.text.wording import Wording

# Messages are events: the same words twice are two of them. So are items of a store, which has
# each of them under a name of its own.
EXEMPT = frozenset({"message", "item"})
Pair = tuple[str, str]
Neighbours = list[tuple[float, str]]  # calibrated cosine and id
MOST_RECORDED = 20


@dataclass(frozen=True)
class Batch:
    """Waiting memories, first come first, and the active hours of the run."""

    arrays: MemoryArrays
    exempt: Sequence[bool]
    hours: float

    def select(self, rows: list[int]) -> "Batch":
        chosen = np.array(rows, np.int64)
        return Batch(self.arrays.select(chosen), [self.exempt[row] for row in rows], self.hours)


@dataclass(frozen=True)
class ComparedGroup:
    """Consolidated memories that a batch has been compared with.

    They are all that there are, unless `sample` holds some of the realm.
    """

    arrays: MemoryArrays
    matches: Matches
    sample: RealmSample | None = None


@dataclass(frozen=True)
class LookAgain:
    """Texts that were looked at again, and the pairs of them that still belong together.

    `outdated` is the number of their edges that nobody used and whose ends found closer ones.
    """

    ids: Sequence[str] = ()
    pairs: frozenset[Pair] = frozenset()
    outdated: int = 0

    def outdated_ids(self, rows: Sequence[Row]) -> set[str]:
        """Return the ids of these edges, of rows of consolidation/read_similar_edges."""
        ids = set(self.ids)
        return {
            edge["edge_id"]
            for row in rows
            for edge in row["edges"]
            if not edge["used"]
            and {row["id"], edge["other"]} <= ids
            and pair_of(row["id"], edge["other"]) not in self.pairs
        }


def pair_of(a: str, b: str) -> Pair:
    """Return two ids, the lesser one first."""
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True)
class Decision:
    """Accepted rows of a batch, duplicates, and edges to write.

    `scale` and `text_scales` are to be stored with them.
    """

    accepted: list[int] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    near_duplicates: list[NearDuplicate] = field(default_factory=list)
    updates: list[PossibleUpdate] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # consolidated memories that it relies on
    again: LookAgain = LookAgain()
    scale: RealmScale | None = None
    text_scales: list[Row] = field(default_factory=list)


def compare(batch: Batch, arrays: MemoryArrays, rules: Rules) -> ComparedGroup:
    """Compare a batch with consolidated memories: its best partners there, and what it repeats.

    Partners by kin need the words of both, and are searched for when it is decided.
    """
    proximity = rules.proximity(batch.hours - arrays.hours)
    search = ExactSearch(batch.arrays, arrays, rules, proximity)
    return ComparedGroup(arrays, search.search(best=rules.settings.signal == "cosine"))


def batch_pairs(batch: Batch, rules: Rules) -> ScoredPairs:
    """Return the pairs of a batch that are nearly the same text."""
    search = search_among(batch.arrays, batch.hours, rules)
    return search.search(best=False).near_duplicates


def wording_ids(batch: Batch, groups: Sequence[ComparedGroup], inside: ScoredPairs) -> list[str]:
    """Return the memories whose wording decides: all that are near another one."""
    ids = batch.arrays.ids
    chosen = {ids[row] for row in inside.rows.tolist()}
    for group in groups:
        pairs = group.matches.near_duplicates
        chosen |= {ids[row] for row in pairs.rows.tolist()}
        chosen |= {group.arrays.ids[column] for column in pairs.columns.tolist()}
    return sorted(chosen)


def decide(
    batch: Batch,
    groups: Sequence[ComparedGroup],
    rules: Rules,
    inside: ScoredPairs,
    wordings: Mapping[str, Wording],
) -> Decision:
    """Decide on duplicates in order of arrival, then on edges by cosine among what is accepted.

    `inside` are the pairs of `batch_pairs`, `wordings` those of the memories of `wording_ids`.
    """
    neighbours = _NeighbourLists(batch, groups, inside)
    decision = _decide_duplicates(batch, neighbours, rules, wordings)
    others = {pair.of for pair in decision.duplicates} | {pair.of for pair in decision.updates}
    if rules.settings.signal == "kin":
        return replace(decision, others=sorted(others - set(batch.arrays.ids)))
    accepted = batch.arrays.select(np.array(decision.accepted, np.int64))
    best = best_pairs(accepted, batch.hours, rules)
    rows = np.array(decision.accepted, np.int64)
    edges, ends = _propose_edges(batch.arrays, rows, best, groups, rules)
    others |= ends
    return replace(decision, edges=edges, others=sorted(others - set(batch.arrays.ids)))


def edge_rows(arrays: MemoryArrays, best: ScoredPairs, rules: Rules) -> list[dict[str, Any]]:
    """Return the edges among some memories, each of which proposes its best."""
    return _propose_edges(arrays, np.arange(len(arrays)), best, [], rules)[0]


def edge_row(low: str, high: str, pairs: ScoredPairs, place: int) -> dict[str, Any]:
    """Return an edge as consolidation/create_edges takes it."""
    cosine, tags, category, hours = pairs.parts[place].tolist()
    parts = {
        "weight": float(pairs.scores[place]),
        "cosine": float(pairs.cosines[place]),
        "from_cosine": cosine,
        "from_tags": tags,
        "from_category": category,
        "from_hours": hours,
    }
    return {"low": low, "high": high, "edge_id": edge_id(low, high), "parts": parts}


def best_pairs(arrays: MemoryArrays, hours: float, rules: Rules) -> ScoredPairs:
    """Return the best partners of each among memories learned at the same active hours."""
    return search_among(arrays, hours, rules).search(near_duplicates=False).best


def search_among(arrays: MemoryArrays, hours: float, rules: Rules) -> ExactSearch:
    stale = rules.settings.inbatch_hours == "stale"
    apart = np.full(len(arrays), hours if stale else 0.0)
    return ExactSearch(arrays, arrays, rules, rules.proximity(apart), same=True)


def _decide_duplicates(
    batch: Batch,
    neighbours: "_NeighbourLists",
    rules: Rules,
    wordings: Mapping[str, Wording],
) -> Decision:
    """Accept the first of each wording, compared with what has been accepted before it."""
    least = rules.settings.near_duplicate_exact - ROUNDING
    decision, accepted = Decision(), set[int]()
    for row, id in enumerate(batch.arrays.ids):
        own = wordings.get(id)  # none of what has been forgotten meanwhile
        pairs = neighbours.of(row, accepted) if own else []
        similar = [pair for pair in pairs if pair[1] in wordings]
        same: Neighbours = []
        different: Neighbours = []
        for pair in similar:
            (same if own and own.same(wordings[pair[1]]) else different).append(pair)
        if same and same[0][0] >= least and not batch.exempt[row]:
            decision.duplicates.append(Duplicate(id=id, of=same[0][1], cosine=same[0][0]))
            continue
        decision.accepted.append(row)
        accepted.add(row)
        decision.updates.extend(
            PossibleUpdate(id=id, of=of, cosine=cosine) for cosine, of in different[:MOST_RECORDED]
        )
        if not batch.exempt[row]:
            decision.near_duplicates.extend(
                NearDuplicate(id=id, other=of, cosine=cosine)
                for cosine, of in similar[:MOST_RECORDED]
            )
    return decision


class _NeighbourLists:
    """Lists of what is nearly the same as each row of a batch, outside of it and before it."""

    def __init__(self, batch: Batch, groups: Sequence[ComparedGroup], inside: ScoredPairs) -> None:
        self._ids = batch.arrays.ids
        self._outside: dict[int, Neighbours] = {}
        for group in groups:
            for row, column, cosine in _triples(group.matches.near_duplicates):
                self._outside.setdefault(row, []).append((cosine, group.arrays.ids[column]))
        self._inside: dict[int, list[tuple[float, int]]] = {}
        for row, column, cosine in _triples(inside.where(inside.columns < inside.rows)):
            self._inside.setdefault(row, []).append((cosine, column))

    def of(self, row: int, accepted: Collection[int]) -> Neighbours:
        """Return the neighbours of a row, nearest first, of its batch only the accepted ones."""
        inside = self._inside.get(row, [])
        pairs = [(cosine, self._ids[place]) for cosine, place in inside if place in accepted]
        pairs += self._outside.get(row, [])
        return sorted(pairs, key=lambda pair: (-round(pair[0], DIGITS), pair[1]))


def _triples(pairs: ScoredPairs) -> list[tuple[int, int, float]]:
    rows, columns = pairs.rows.tolist(), pairs.columns.tolist()
    return list(zip(rows, columns, pairs.cosines.tolist(), strict=True))


def _propose_edges(
    batch: MemoryArrays,
    accepted: Ints,
    best: ScoredPairs,
    groups: Sequence[ComparedGroup],
    rules: Rules,
) -> tuple[list[dict[str, Any]], set[str]]:
    """Return the edges to write, lesser id first, each once, and their ends outside the batch."""
    is_accepted = np.zeros(len(batch), bool)
    is_accepted[accepted] = True
    sides = [(accepted[best.rows], [batch.ids[row] for row in accepted[best.columns]], best)]
    for group in groups:
        own = group.matches.best.where(is_accepted[group.matches.best.rows])
        sides.append((own.rows, [group.arrays.ids[c] for c in own.columns.tolist()], own))
    rows = np.concatenate([side[0] for side in sides])
    others = [id for side in sides for id in side[1]]
    everything = join_pairs([side[2] for side in sides])
    names = sorted({*others, *batch.ids})
    place = {name: number for number, name in enumerate(names)}
    ours = np.array([place[batch.ids[row]] for row in rows.tolist()], np.int64)
    theirs = np.array([place[other] for other in others], np.int64)
    chosen = _first_of_each(ours, theirs, everything, rules.settings.edge_degree_cap)
    low = np.minimum(ours[chosen], theirs[chosen])
    high = np.maximum(ours[chosen], theirs[chosen])
    _, once = np.unique(low * len(names) + high, return_index=True)
    pairs = everything.where(chosen)
    edges = [
        edge_row(names[low[place]], names[high[place]], pairs, place) for place in once.tolist()
    ]
    inside = set(batch.ids)
    ends = {edge[end] for edge in edges for end in ("low", "high")}
    return edges, ends - inside


def _first_of_each(ours: Ints, theirs: Ints, pairs: ScoredPairs, cap: int) -> Ints:
    """Return the first so many pairs of each in `ours` by score, cosine and the other's id."""
    scores, cosines = np.round(pairs.scores, DIGITS), np.round(pairs.cosines, DIGITS)
    order = np.lexsort((theirs, -cosines, -scores, ours))
    proposers = ours[order]
    new = np.concatenate([np.ones(min(1, len(proposers)), bool), proposers[1:] != proposers[:-1]])
    first = np.maximum.accumulate(np.where(new, np.arange(len(proposers)), 0))
    chosen: Ints = order[np.arange(len(proposers)) - first < cap]
    return chosen
