"""Reads scored candidate links for all seeking SubEntities: one statement a tick."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, cast

import numpy as np

from asterism.database import Database, Row
from asterism.embedding import pack_vector
from asterism.errors import Conflict, NotFound
from asterism.exploration.formulas import Array, unit
from asterism.exploration.models import Kind
from asterism.exploration.query import Query, QueryVectors
from asterism.exploration.subentity import (
    Candidates,
    NodeSnapshot,
    ScoredLink,
    SubEntity,
)
from asterism.row_types import row_of
from asterism.settings import ExplorationSettings

ROOT, ACTOR = "0", "actor"
TINY_NORM = 1e-9


@row_of("exploration/candidates")
class CandidatesRow(TypedDict):
    """Row of exploration/candidates."""

    key: str
    count: int
    truncated: bool
    nodes: list[Row]
    sample: list[Row]
    best: list[Row]


@dataclass
class CandidateReader:
    """Reads candidates, scored by the database, and counts the reads."""

    database: Database
    settings: ExplorationSettings
    query: Query
    vectors: QueryVectors
    seconds_left: Callable[[], float]
    reads: int = 0
    links_scored: int = 0
    truncated: bool = False
    last_seconds: float = 0.0

    async def read_start(self) -> tuple[NodeSnapshot, Candidates]:
        """Return the start node and its candidates."""
        query = self.query
        start = query.start or query.actor
        label = query.start_label if query.start else "Actor"
        walkers = [_walker(ROOT, self.settings.max_children, start=start, label=label)]
        if query.start:
            walkers.append(_walker(ACTOR, 0, start=query.actor, label="Actor"))
        rows = await self._read(walkers, [])
        if not any(row["key"] == (ACTOR if query.start else ROOT) for row in rows):
            raise NotFound("actor", str(query.actor), "add it with exploration.add('actor', ...)")
        starts = [row for row in rows if row["key"] == ROOT]
        if not starts:
            raise NotFound("start", str(start), "it takes the id of a node of this realm")
        if len(starts) > 1:
            nodes = [NodeSnapshot.from_row(row["nodes"][0]) for row in starts]
            labels = ", ".join(sorted(node.label for node in nodes))
            raise Conflict(f"start={start!r} is a {labels} at once: say which by start_label=")
        [row] = starts
        node, *ends = map(NodeSnapshot.from_row, row["nodes"])
        return node, self._candidates(row, ends)

    async def read(
        self, seeking: Iterable[SubEntity], active_focuses: Mapping[str, Array]
    ) -> dict[str, Candidates]:
        """Return each seeking SubEntity's candidates, compared with its active siblings."""
        vectors: dict[str, Array] = {}
        walkers = [self._walker_of(se, active_focuses, vectors) for se in seeking]
        places = {name: place for place, name in enumerate(vectors)}
        for walker in walkers:
            for part in ("path", "siblings"):
                walker[part] = [places[name] for name in walker[part]]
        rows = await self._read(walkers, vectors.values())
        return {
            row["key"]: self._candidates(row, map(NodeSnapshot.from_row, row["nodes"]))
            for row in rows
        }

    def last_duration(self) -> dict[str, float]:
        """Return the milliseconds of the last read, at the level `trace` only."""
        traced = self.settings.trace == "trace"
        return {"ms": round(self.last_seconds * 1000, 3)} if traced else {}

    def _walker_of(
        self, se: SubEntity, active_focuses: Mapping[str, Array], vectors: dict[str, Array]
    ) -> Row:
        """Return the walker of a SubEntity, and add the vectors that it names to `vectors`."""
        path = {
            hop.link.element_id: hop.link.vector for hop in se.path if hop.link.vector is not None
        }
        siblings = {
            f"sibling {id}": self._without_shared(active_focuses[id])
            for id in se.siblings
            if id in active_focuses
        }
        siblings = {name: vector for name, vector in siblings.items() if vector.any()}
        vectors.update(path | siblings)
        node = se.position
        branches = node.kind is Kind.MOMENT and node.element_id not in se.no_branch_nodes
        return _walker(
            se.id,
            self.settings.max_children if branches else 1,
            node=node.element_id,
            used_links=[hop.link.element_id for hop in se.path],
            path=list(path),
            siblings=list(siblings),
        )

    async def _read(self, walkers: list[Row], vectors: Iterable[Array]) -> list[CandidatesRow]:
        settings = self.settings
        everything = settings.trace in ("step", "trace")
        began, left = time.perf_counter(), self.seconds_left()
        if left <= 0:
            raise TimeoutError
        walk = {
            "walkers": walkers,
            "vectors": list(map(pack_vector, vectors)),
            "query": pack_vector(self.vectors.query),
            "intention": pack_vector(self.vectors.intention),
            "shared_basis": list(map(pack_vector, self._shared_basis())),
            "baseline_cosine": self.vectors.baseline_cosine,
            "lowest_cosine": 0.0 if self.vectors.baseline_cosine else -1.0,
            "sample_size": settings.max_links if everything else settings.shown,
        }
        rows = await self.database.limited(left).rows(
            "exploration/candidates", settings=settings.model_dump(mode="json"), walk=walk
        )
        self.last_seconds = time.perf_counter() - began
        self.reads += 1
        return cast(list[CandidatesRow], rows)

    def _candidates(self, row: CandidatesRow, nodes: Iterable[NodeSnapshot]) -> Candidates:
        self.links_scored += row["count"]
        self.truncated = self.truncated or row["truncated"]
        best = tuple(zip(map(ScoredLink.from_row, row["best"]), nodes, strict=True))
        return Candidates(row["count"], tuple(row["sample"]), best)

    def _shared_basis(self) -> list[Array]:
        """Return an orthonormal basis of query and intention, for centred divergence only."""
        if not self.settings.centered_divergence:
            return []
        first = unit(self.vectors.query)
        second = unit(self.vectors.intention)
        rest = second - float(second @ first) * first
        return [first] if float(np.linalg.norm(rest)) < TINY_NORM else [first, unit(rest)]

    def _without_shared(self, focus: Array) -> Array:
        """Return a sibling's focus without its part in the shared basis."""
        basis = self._shared_basis()
        for shared in basis:
            focus = focus - float(focus @ shared) * shared
        tiny = basis and float(np.linalg.norm(focus)) < TINY_NORM
        return np.zeros(len(focus)) if tiny else focus


def _walker(key: str, best: int, *, node: str | None = None, **values: Any) -> Row:
    """Return a walker as the statement takes it. `best`: number of links returned in full."""
    empty: Row = {"start": None, "label": None, "used_links": [], "path": [], "siblings": []}
    return empty | values | {"key": key, "best": best, "nodes": [node] if node else []}
