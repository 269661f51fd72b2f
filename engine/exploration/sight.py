"""The only eyes of a walk: one statement a tick, for every SubEntity that seeks."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.database import Database, Row
from engine.embedding import packed
from engine.errors import Conflict, NotFound
from engine.exploration.formulas import Array, unit
from engine.exploration.model import Kind
from engine.exploration.subentity import FACTORS, Place, SubEntity, View, Way
from engine.settings import ExplorationSettings

if TYPE_CHECKING:
    from engine.exploration.acts import Question

ROOT, ASKER = "0", "asker"
TINY = 1e-9


class Sight:
    """Reads what SubEntities see, scored by the database, and counts what that took."""

    def __init__(
        self,
        database: Database,
        settings: ExplorationSettings,
        zero: float,
        left: Callable[[], float],
    ) -> None:
        self._database = database
        self._settings = settings
        self._left = left
        self._seconds = 0.0
        self.zero = zero
        self.reads = 0
        self.links_scored = 0
        self.truncated = False

    async def first(self, question: "Question") -> tuple[Place, View]:
        """The start, and what is seen from there."""
        self._question = question
        start = question.start or question.actor
        label = question.start_label if question.start else "Actor"
        fronts = [self._front(ROOT, start=start, label=label, take=self._settings.max_children)]
        if question.start:
            fronts.append(self._front(ASKER, start=question.actor, label="Actor", take=0))
        rows = await self._read(fronts, [])
        if not any(row["key"] == (ASKER if question.start else ROOT) for row in rows):
            raise NotFound("actor", question.actor, "add it with exploration.add('actor', ...)")
        found = [row for row in rows if row["key"] == ROOT]
        if not found:
            raise NotFound("start", start, "it takes the id of a node of this realm")
        if len(found) > 1:
            labels = ", ".join(sorted(Place.of(row["nodes"][0]).label for row in found))
            raise Conflict(f"start={start!r} is a {labels} at once: say which by start_label=")
        [row] = found
        place, *ends = (Place.of(node) for node in row["nodes"])
        return place, self._view(row, ends)

    async def all(
        self, seeking: Iterable[SubEntity], active: Mapping[str, Array]
    ) -> dict[str, View]:
        """What each of them sees, given the focus of everybody who is active."""
        vectors: dict[str, Array] = {}
        fronts = [self._front_of(se, active, vectors) for se in seeking]
        places = {name: at for at, name in enumerate(vectors)}
        for front in fronts:
            front["path"] = [places[name] for name in front["path"]]
            front["siblings"] = [places[name] for name in front["siblings"]]
        rows = await self._read(fronts, vectors.values())
        return {row["key"]: self._view(row, map(Place.of, row["nodes"])) for row in rows}

    def timing(self) -> dict[str, float]:
        """How long the last read took; told at the level `trace` only, since it never repeats."""
        traced = self._settings.trace == "trace"
        return {"ms": round(self._seconds * 1000, 3)} if traced else {}

    def _front_of(
        self, se: SubEntity, active: Mapping[str, Array], vectors: dict[str, Array]
    ) -> Row:
        path = {hop.way.element: hop.way.vector for hop in se.path}
        near = {name: vector for name, vector in path.items() if vector is not None}
        beside = {f"sibling {id}": self._apart(active[id]) for id in se.siblings if id in active}
        beside = {name: vector for name, vector in beside.items() if vector.any()}
        vectors.update(near)
        vectors.update(beside)
        here = se.position
        branching = here.kind is Kind.MOMENT and here.element not in se.no_branch
        return self._front(
            se.id,
            element=here.element,
            walked=list(path),
            path=list(near),
            siblings=list(beside),
            take=self._settings.max_children if branching else 1,
        )

    def _front(self, key: str, *, take: int, element: str | None = None, **given: Any) -> Row:
        blank: Row = {"start": None, "label": None, "walked": [], "path": [], "siblings": []}
        return blank | given | {"key": key, "take": take, "element": [element] if element else []}

    async def _read(self, fronts: list[Row], vectors: Iterable[Array]) -> list[Row]:
        everything = self._settings.trace in ("step", "trace")
        began, left = time.perf_counter(), self._left()
        if left <= 0:
            raise TimeoutError
        walk = {
            "fronts": fronts,
            "vectors": list(map(packed, vectors)),
            "query": packed(self._question.query_embedding),
            "intention": packed(self._question.intention_embedding),
            "basis": list(map(packed, self._basis())),
            "mean": self.zero,
            "floor": 0.0 if self.zero else -1.0,
            "shown": self._settings.max_links if everything else self._settings.shown,
        }
        rows = await self._database.limited(left).rows(
            "exploration/candidates", settings=self._settings.model_dump(mode="json"), walk=walk
        )
        self._seconds = time.perf_counter() - began
        self.reads += 1
        return rows

    def _view(self, row: Row, places: Iterable[Place]) -> View:
        self.links_scored += row["count"]
        self.truncated = self.truncated or row["truncated"]
        ways = tuple(zip(map(Way.of, row["picks"]), places, strict=True))
        shown = tuple(_named(candidate) for candidate in row["shown"])
        return View(row["count"], row["truncated"], shown, ways)

    def _basis(self) -> list[Array]:
        """What siblings share by asking the same: an orthonormal basis of query and intention."""
        if not self._settings.centered_divergence:
            return []
        first = unit(self._question.query_embedding)
        meant = unit(self._question.intention_embedding)
        rest = meant - float(meant @ first) * first
        return [first] if float(np.linalg.norm(rest)) < TINY else [first, unit(rest)]

    def _apart(self, focus: Array) -> Array:
        """A sibling's focus without what all siblings share."""
        basis = self._basis()
        for shared in basis:
            focus = focus - float(focus @ shared) * shared
        return np.zeros(len(focus)) if basis and float(np.linalg.norm(focus)) < TINY else focus


def _named(candidate: Row) -> Row:
    factors = dict(zip(FACTORS, candidate["factors"], strict=True))
    return {**candidate, "factors": factors}
