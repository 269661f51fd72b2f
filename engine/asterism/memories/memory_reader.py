"""Reads memories: one of any kind, the price levels of a symbol, and what one was made of."""

from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from asterism.active_hours import ActiveHours
from asterism.clock import Moment, aware
from asterism.database import Database
from asterism.errors import InvalidInput, NotFound
from asterism.memories.item_checks import require_key
from asterism.memories.market import price_grid
from asterism.memories.market.models import MarketLevel, Side
from asterism.memories.models import HistoryEntry, Memory
from asterism.memories.rows import HistoryRow, history_entry, memory_fields
from asterism.timestamps import to_micros
from asterism.validation import require_finite, require_whole

MOST_CELL = 10**9
NO_LIMIT = 1_000_000


class MemoryReader:
    """Reads memories of one realm, as of a time."""

    def __init__(self, database: Database, hours: ActiveHours) -> None:
        self._database = database
        self._hours = hours

    async def levels(
        self,
        symbol: str,
        *,
        near: Decimal | str | None,
        bps: float,
        side: str | None,
        minimum: float,
        at: Moment | None,
        limit: int,
    ) -> list[MarketLevel]:
        require_key("symbol", symbol)
        require_whole("limit", limit, 1, NO_LIMIT)
        if not isinstance(side, str | None) or (side is not None and side not in set(Side)):
            raise InvalidInput("side", side, "give bid, ask, both, or none")
        minimum = require_finite("minimum", _as_float(minimum), 0, 1)
        bps = require_finite("bps", _as_float(bps), 0, 10_000)
        low, high = price_grid.price_range(near, bps)
        row = await self._database.one(
            "memories/levels",
            symbol=symbol,
            low=low,
            high=high,
            first_cell=-MOST_CELL if near is None else price_grid.cell_of_ticks(low) - 1,
            last_cell=MOST_CELL if near is None else price_grid.cell_of_ticks(high) + 1,
            side=None if side in (None, Side.BOTH) else side,
            minimum=minimum,
            moment=to_micros(self._time(at)),
            limit=limit,
        )
        return [MarketLevel(**memory_fields(level)) for level in row["levels"]]

    async def level(self, id: str, at: Moment | None) -> MarketLevel:
        memory = await self.get(id, at)
        if not isinstance(memory, MarketLevel):
            raise NotFound("price level", id, "it is a memory of another kind: use get")
        return memory

    async def get(self, id: str, at: Moment | None = None) -> Memory:
        require_key("id", id)
        time = self._time(at)
        active = await self._hours.reading(at)
        row = await self._database.row("memories/get", id=id, wall=to_micros(time), active=active)
        if row is None:
            raise NotFound("memory", id)
        fields = memory_fields(row)
        return MarketLevel(**fields) if row["memory"]["kind"] == "market" else Memory(**fields)

    async def history(self, id: str, limit: int) -> list[HistoryEntry]:
        require_whole("limit", limit, 1, NO_LIMIT)
        require_key("id", id)
        entries = await self._database.rows("memories/history", id=id, limit=limit)
        if not entries:
            await self.get(id)
        return [history_entry(entry) for entry in cast("list[HistoryRow]", entries)]

    def _time(self, at: Moment | None) -> datetime:
        return self._database.clock.now() if at is None else aware(at)


def _as_float(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value
