"""Reads the contents of pictures and charts from the graph, without ever writing."""

import asyncio
from os import PathLike
from pathlib import Path
from typing import Any

from asterism.active_hours import ActiveHours
from asterism.database import Database, Row
from asterism.errors import InvalidInput, NotFound
from asterism.timestamps import from_micros, to_micros
from asterism.view.models import (
    Chart,
    EvidencePoint,
    Kind,
    Line,
    Page,
    Point,
    Subgraph,
    Timeline,
)
from asterism.view.output_files import refuse_unwritable, save

STATEMENTS = {
    None: "view/strongest",
    Kind.STAR: "view/around",
    Kind.MEMORY: "view/around",
    Kind.RUN: "view/run",
    Kind.SESSION: "view/session",
}
LABELS = {Kind.STAR: "Star", Kind.MEMORY: "Memory"}
REMEDIES = {
    Kind.STAR: "`asterism star list` shows them",
    Kind.MEMORY: "`asterism recall` and `asterism memory levels` show them",
    Kind.RUN: "`asterism exploration runs` lists them",
    Kind.SESSION: "`asterism causal sessions` lists them",
}


class View:
    """Pictures and charts of a graph."""

    def __init__(self, database: Database, hours: ActiveHours) -> None:
        self._database = database
        self._settings = database.settings.view
        self._hours = hours

    async def look(
        self, kind: str | None = None, id: str | None = None, *, limit: int | None = None
    ) -> Subgraph:
        """Return the nodes around a star or a memory, or of a run or a session.

        Without a kind, these are the strongest of each kind of the realm.
        """
        chosen = _kind(kind, id)
        node_limit = self._settings.nodes if limit is None else limit
        if not 1 <= node_limit <= 1000:
            raise InvalidInput("limit", limit, "give a number of nodes from 1 to 1000")
        clocks = await self._clocks()
        arguments: dict[str, Any] = clocks if chosen is None else {"id": id}
        if chosen in LABELS:
            arguments |= {"label": LABELS[chosen]}
        row = await self._database.row(STATEMENTS[chosen], limit=node_limit, **arguments)
        if chosen is not None and (row is None or not row["elements"]):
            raise NotFound(chosen, str(id), REMEDIES[chosen])
        drawing = await self._database.one(
            "view/drawing",
            elements=row["elements"] if row else [],
            limit=self._settings.relationships,
            **clocks,
        )
        return Subgraph(realm=self._database.realm, kind=chosen, id=id, **drawing)

    async def html(
        self,
        kind: str | None = None,
        id: str | None = None,
        *,
        file: str | PathLike[str] | None = None,
        limit: int | None = None,
    ) -> Page:
        """Return what `look` returns as an interactive page, and write it to a named file.

        A notebook shows it. The page loads nothing, so that it can be sent as it is.
        """
        from asterism.view import drawing

        path = None if file is None else Path(file)
        if path is not None:
            await asyncio.to_thread(refuse_unwritable, path, "file")
        subgraph = await self.look(kind, id, limit=limit)
        page = Page(await asyncio.to_thread(drawing.subgraph_page, subgraph))
        if path is not None:
            await asyncio.to_thread(save, path, page, "file")
        return page

    async def chart(
        self,
        kind: str,
        id: str,
        *,
        file: str | PathLike[str] | None = None,
        limit: int | None = None,
    ) -> Chart:
        """Return what `timeline` returns as an SVG, and write it to a file if one is named.

        The file is an .svg or .png. A notebook shows it. It needs the extra asterism[charts].
        """
        from asterism.view import charts

        charts.require_matplotlib()
        path = None if file is None else Path(file)
        if path is not None:
            await asyncio.to_thread(charts.refuse_undrawable, path)
        timeline = await self.timeline(kind, id, limit=limit)
        if path is not None:
            await asyncio.to_thread(charts.draw, timeline, path)
        return Chart((await asyncio.to_thread(charts.picture, timeline, "svg")).decode())

    async def timeline(self, kind: str, id: str, *, limit: int | None = None) -> Timeline:
        """Return the strength of a star's connections, or of a price level, over time."""
        chosen = _kind(kind, id)
        if chosen is Kind.STAR:
            return await self._connections(id, self._settings.lines if limit is None else limit)
        if chosen is Kind.MEMORY:
            return await self._level(id)
        raise InvalidInput("kind", kind, "a chart is of a star or a memory")

    async def _connections(self, id: str, limit: int) -> Timeline:
        if limit < 1:
            raise InvalidInput("limit", limit, "give a number of connections, at least 1")
        star = await self._database.row("stars/get", id=id)
        if star is None:
            raise NotFound(Kind.STAR, id, REMEDIES[Kind.STAR])
        rows = await self._database.rows("view/connections", id=id, limit=limit)
        if not rows:
            raise NotFound("connection of star", id, "connect it, or ask for another star")
        lines = [Line(**row) for row in rows]
        return Timeline(title=f"{star['name']} and its connections", lines=lines)

    async def _level(self, id: str) -> Timeline:
        now = to_micros(self._database.clock.now())
        row = await self._database.row("view/level", id=id, moment=now)
        if row is None or not row["points"]:
            raise NotFound("price level", id, "a chart of a memory is of a price level")
        points = [Point(at=from_micros(p["moment"]), strength=p["strength"]) for p in row["points"]]
        return Timeline(
            title=id,
            lines=[Line(id=id, name=id, type="MarketLevel", points=points)],
            evidence=[
                EvidencePoint(
                    at=from_micros(entry["moment"]), strength=entry["strength"], kind=entry["kind"]
                )
                for entry in row["evidence"]
            ],
        )

    async def _clocks(self) -> Row:
        """Return the time on both clocks that memories live on."""
        return {
            "wall": to_micros(self._database.clock.now()),
            "active": await self._hours.reading(),
        }


def _kind(kind: str | None, id: str | None) -> Kind | None:
    if kind is not None and kind not in set(Kind):
        raise InvalidInput("kind", kind, f"give {', '.join(Kind)}, or nothing for the whole realm")
    if (kind is None) != (not id):
        raise InvalidInput("id", id, "give a kind and an id, or neither for the whole realm")
    return None if kind is None else Kind(kind)
