"""Fetches what pictures and charts are drawn from. Nothing here writes."""

from typing import Any

from engine.database import Database, Row
from engine.errors import InvalidInput, NotFound
from engine.memories.hours import ActiveHours
from engine.memories.model import micros, moment
from engine.view.model import Kind, Line, Mark, Point, Subgraph, Timeline

STATEMENTS = {
    None: "view/strongest",
    Kind.STAR: "view/around",
    Kind.MEMORY: "view/around",
    Kind.RUN: "view/run",
    Kind.SESSION: "view/session",
}
LABELS = {Kind.STAR: "Star", Kind.MEMORY: "Memory"}
WHERE = {
    Kind.STAR: "`asterism star list` shows them",
    Kind.MEMORY: "`asterism recall` and `asterism memory levels` show them",
    Kind.RUN: "`asterism exploration runs` lists them",
    Kind.SESSION: "`asterism causal sessions` lists them",
}


class View:
    """A graph to look at."""

    def __init__(self, database: Database, hours: ActiveHours) -> None:
        self._database = database
        self._settings = database.settings.view
        self._hours = hours

    async def look(
        self, kind: str | None = None, id: str | None = None, *, limit: int | None = None
    ) -> Subgraph:
        """What is around a star or a memory, or belongs to a run or a session; without a kind, the
        strongest of each kind of the realm."""
        chosen = _kind(kind, id)
        most = self._settings.nodes if limit is None else limit
        if not 1 <= most <= 1000:
            raise InvalidInput("limit", limit, "give a number of nodes from 1 to 1000")
        clocks = await self._clocks()
        asked: dict[str, Any] = {"limit": most}
        asked |= clocks if chosen is None else {"id": id}
        asked |= {"label": LABELS[chosen]} if chosen in LABELS else {}
        row = await self._database.row(STATEMENTS[chosen], **asked)
        if chosen is not None and (row is None or not row["elements"]):
            raise NotFound(chosen, str(id), WHERE[chosen])
        elements = row["elements"] if row else []
        most = self._settings.relationships
        drawn = await self._database.row("view/drawn", elements=elements, limit=most, **clocks)
        return Subgraph(realm=self._database.realm, kind=chosen, id=id, **(drawn or {}))

    async def timeline(self, kind: str, id: str, *, limit: int | None = None) -> Timeline:
        """How the strength of a star's connections, or of a price level, went over time."""
        chosen = _kind(kind, id)
        if chosen is Kind.STAR:
            return await self._connections(id, self._settings.lines if limit is None else limit)
        if chosen is Kind.MEMORY:
            return await self._level(id)
        raise InvalidInput("kind", kind, "a chart is of a star or a memory")

    async def _connections(self, id: str, limit: int) -> Timeline:
        if limit < 1:
            raise InvalidInput("limit", limit, "give a number of connections, at least 1")
        star = await self._database.row("stars/star", id=id)
        if star is None:
            raise NotFound(Kind.STAR, id, WHERE[Kind.STAR])
        rows = await self._database.rows("view/connections", id=id, limit=limit)
        if not rows:
            raise NotFound("connection of star", id, "connect it, or ask for another star")
        return Timeline(
            title=f"{star['name']} and its connections", lines=[Line(**r) for r in rows]
        )

    async def _level(self, id: str) -> Timeline:
        now = micros(self._database.clock.now())
        row = await self._database.row("view/level", id=id, moment=now)
        if row is None or not row["points"]:
            raise NotFound("price level", id, "a chart of a memory is of a price level")
        line = Line(
            id=id,
            name=id,
            type="MarketLevel",
            points=[Point(at=moment(p["moment"]), strength=p["strength"]) for p in row["points"]],
        )
        return Timeline(title=id, lines=[line], evidence=[_mark(e) for e in row["evidence"]])

    async def _clocks(self) -> Row:
        """Now, on both clocks that memories live on."""
        return {"wall": micros(self._database.clock.now()), "active": await self._hours.reading()}


def _kind(kind: str | None, id: str | None) -> Kind | None:
    if kind is not None and kind not in set(Kind):
        raise InvalidInput("kind", kind, f"give {', '.join(Kind)}, or nothing for the whole realm")
    if (kind is None) != (not id):
        raise InvalidInput("id", id, "give a kind and an id, or neither for the whole realm")
    return None if kind is None else Kind(kind)


def _mark(row: Row) -> Mark:
    return Mark(at=moment(row["moment"]), strength=row["strength"], kind=row["kind"])
