"""Decides about a batch: which texts are new, and which edges each of them proposes. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.consolidation.blocks import Blocks, Ints
from engine.consolidation.model import Duplicate, NearDuplicate, PossibleUpdate
from engine.consolidation.pairs import DIGITS, Found, Pairs, Rules, Scan
from engine.consolidation.scoring import ROUNDING, edge_id
from engine.consolidation.wording import Wording

EXEMPT = "message"  # messages are events: the same words twice are two of them
Alike = list[tuple[float, str]]  # calibrated cosine and id
MOST_NOTED = 20


@dataclass(frozen=True)
class Known:
    """Consolidated memories that a batch has been compared with."""

    blocks: Blocks
    found: Found


@dataclass(frozen=True)
class Decision:
    """What is to be written about a batch."""

    accepted: list[int] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    near: list[NearDuplicate] = field(default_factory=list)
    updates: list[PossibleUpdate] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # consolidated memories that it relies on


@dataclass(frozen=True)
class Batch:
    """Fresh memories, first come first, and the reading of the run."""

    blocks: Blocks
    exempt: Sequence[bool]
    hours: float

    def only(self, rows: list[int]) -> "Batch":
        chosen = np.array(rows, np.int64)
        return Batch(self.blocks.take(chosen), [self.exempt[row] for row in rows], self.hours)


def compare(batch: Batch, known: Blocks, rules: Rules) -> Known:
    """A batch beside consolidated memories: its best partners there, and what it repeats."""
    proximity = rules.proximity(batch.hours - known.hours)
    return Known(known, Scan(batch.blocks, known, rules, proximity).both())


def pair_ids(batch: Batch, known: Sequence[Known], among: Pairs) -> list[str]:
    """Return the memories whose wording decides: all that are near another one."""
    ids = batch.blocks.ids
    chosen = {ids[row] for row in among.rows.tolist()}
    for group in known:
        pairs = group.found.near
        chosen |= {ids[row] for row in pairs.rows.tolist()}
        chosen |= {group.blocks.ids[column] for column in pairs.columns.tolist()}
    return sorted(chosen)


def decide(
    batch: Batch,
    known: Sequence[Known],
    rules: Rules,
    among: Pairs,
    wordings: Mapping[str, Wording],
) -> Decision:
    """Near-duplicates in order of arrival, then edges among what is left and to what is known.

    `among` are the pairs within the batch that are near, `wordings` what `pair_ids` says.
    """
    decision = _walk(batch, _Neighbours(batch, known, among), rules, wordings)
    rows = np.array(decision.accepted, np.int64)
    fresh = batch.only(decision.accepted)
    best = _within(fresh, rules).best()
    edges, others = _edges(batch.blocks, rows, best, known, rules)
    relied = others | {pair.of for pair in decision.duplicates}
    relied |= {pair.of for pair in decision.updates}
    return replace(decision, edges=edges, others=sorted(relied - set(batch.blocks.ids)))


def batch_pairs(batch: Batch, rules: Rules) -> Pairs:
    """Return the pairs of a batch that are nearly the same text."""
    return _within(batch, rules).near()


def _within(batch: Batch, rules: Rules) -> Scan:
    """A batch beside itself: all of it was learned at the same reading."""
    stale = rules.settings.inbatch_hours == "stale"
    apart = np.full(len(batch.blocks), batch.hours if stale else 0.0)
    return Scan(batch.blocks, batch.blocks, rules, rules.proximity(apart), same=True)


def _walk(
    batch: Batch, neighbours: "_Neighbours", rules: Rules, wordings: Mapping[str, Wording]
) -> Decision:
    """Who comes first stays; a later one is measured against what has been let in before it."""
    exact = rules.settings.near_duplicate_exact - ROUNDING
    decision, let_in = Decision(), set[int]()
    for row, id in enumerate(batch.blocks.ids):
        same: Alike = []
        other: Alike = []
        own = wordings.get(id)  # none of what has been forgotten meanwhile
        pairs = neighbours.of(row, let_in) if own else []
        alike = [pair for pair in pairs if pair[1] in wordings]
        for pair in alike:
            (same if own and own.same(wordings[pair[1]]) else other).append(pair)
        if same and same[0][0] >= exact and not batch.exempt[row]:
            decision.duplicates.append(Duplicate(id=id, of=same[0][1], cosine=same[0][0]))
            continue
        decision.accepted.append(row)
        let_in.add(row)
        updates = [PossibleUpdate(id=id, of=of, cosine=c) for c, of in other[:MOST_NOTED]]
        decision.updates.extend(updates)
        if not batch.exempt[row]:
            first = alike[:MOST_NOTED]
            decision.near.extend(NearDuplicate(id=id, other=of, cosine=c) for c, of in first)
    return decision


class _Neighbours:
    """What is near each row of a batch, outside of it and before it."""

    def __init__(self, batch: Batch, known: Sequence[Known], among: Pairs) -> None:
        self._ids = batch.blocks.ids
        self._outside: dict[int, Alike] = {}
        for group in known:
            for row, column, cosine in _triples(group.found.near):
                self._outside.setdefault(row, []).append((cosine, group.blocks.ids[column]))
        self._inside: dict[int, list[tuple[float, int]]] = {}
        for row, column, cosine in _triples(among.where(among.columns < among.rows)):
            self._inside.setdefault(row, []).append((cosine, column))

    def of(self, row: int, let_in: Collection[int]) -> Alike:
        """Return what a row is near to, nearest first; of its batch only what has been let in."""
        inside = self._inside.get(row, [])
        alike = [(cosine, self._ids[place]) for cosine, place in inside if place in let_in]
        alike += self._outside.get(row, [])
        return sorted(alike, key=lambda pair: (-round(pair[0], DIGITS), pair[1]))


def _triples(pairs: Pairs) -> list[tuple[int, int, float]]:
    rows, columns = pairs.rows.tolist(), pairs.columns.tolist()
    return list(zip(rows, columns, pairs.cosines.tolist(), strict=True))


@dataclass(frozen=True)
class _Proposals:
    """Pairs of names: `ours` proposes, both are places in one sorted list of ids."""

    ours: Ints
    theirs: Ints
    pairs: Pairs


def _edges(
    batch: Blocks, accepted: Ints, best: Pairs, known: Sequence[Known], rules: Rules
) -> tuple[list[dict[str, Any]], set[str]]:
    """The best of what each row may propose, as rows to write: lesser id first, each pair once."""
    let_in = np.zeros(len(batch), bool)
    let_in[accepted] = True
    sides = [(accepted[best.rows], [batch.ids[row] for row in accepted[best.columns]], best)]
    for group in known:
        pairs = group.found.best.where(let_in[group.found.best.rows])
        sides.append((pairs.rows, [group.blocks.ids[c] for c in pairs.columns.tolist()], pairs))
    rows = np.concatenate([side[0] for side in sides])
    others = [id for side in sides for id in side[1]]
    everything = _together([side[2] for side in sides])
    names = sorted({*others, *batch.ids})
    place = {name: number for number, name in enumerate(names)}
    ours = np.array([place[batch.ids[row]] for row in rows.tolist()], np.int64)
    theirs = np.array([place[other] for other in others], np.int64)
    chosen = _first_of_each(_Proposals(ours, theirs, everything), rules.settings.edge_degree_cap)
    edges = _rows(_Proposals(ours[chosen], theirs[chosen], everything.where(chosen)), names)
    inside = set(batch.ids)
    ends = {edge[end] for edge in edges for end in ("low", "high")}
    return edges, {end for end in ends if end not in inside}


def _first_of_each(proposals: _Proposals, cap: int) -> Ints:
    """The first so many of each proposer by score, cosine and the other's id."""
    pairs = proposals.pairs
    scores, cosines = np.round(pairs.scores, DIGITS), np.round(pairs.cosines, DIGITS)
    order = np.lexsort((proposals.theirs, -cosines, -scores, proposals.ours))
    ours = proposals.ours[order]
    new = np.concatenate([np.ones(min(1, len(ours)), bool), ours[1:] != ours[:-1]])
    first = np.maximum.accumulate(np.where(new, np.arange(len(ours)), 0))
    chosen: Ints = order[np.arange(len(ours)) - first < cap]
    return chosen


def _rows(proposals: _Proposals, names: list[str]) -> list[dict[str, Any]]:
    low = np.minimum(proposals.ours, proposals.theirs)
    high = np.maximum(proposals.ours, proposals.theirs)
    _, once = np.unique(low * len(names) + high, return_index=True)
    rows = []
    for place in once.tolist():
        a, b = names[low[place]], names[high[place]]
        rows.append(edge_row(a, b, proposals.pairs, place))
    return rows


def edge_rows(blocks: Blocks, best: Pairs, rules: Rules) -> list[dict[str, Any]]:
    """Edges among some memories, each of which proposes its best."""
    return _edges(blocks, np.arange(len(blocks)), best, [], rules)[0]


def edge_row(low: str, high: str, pairs: Pairs, place: int) -> dict[str, Any]:
    """An edge as the database takes it."""
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


def _together(pairs: Sequence[Pairs]) -> Pairs:
    columns = zip(*(vars(some).values() for some in pairs), strict=True)
    return Pairs(*(np.concatenate(column) for column in columns))
