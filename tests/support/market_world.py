"""A market in a graph, for the tests of price levels."""

from datetime import UTC, datetime, timedelta
from typing import Any

from asterism.graph import Graph
from asterism.memories import MarketLevel, Receipt
from tests.support.comparison import approximately

START = datetime(2026, 3, 1, tzinfo=UTC)
LITERAL = {"memories": {"auto_pass_s": 0}}


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


class Market:
    """One symbol of a graph, with evidence at seconds from its start."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.memories = graph.memories
        self.count = 0

    def item(
        self, t: float, kind: str, quantity: float, price: str = "100.00", **more: Any
    ) -> dict[str, Any]:
        self.count += 1
        base = {"event_id": f"e{self.count:05}", "ts": at(t), "symbol": "X", "side": "bid"}
        return base | {"kind": kind, "quantity": quantity, "price": price} | more

    async def tell(
        self, t: float, kind: str, quantity: float, price: str = "100.00", **more: Any
    ) -> Receipt:
        item = self.item(t, kind, quantity, price, **more)
        return await self.memories.observe([item], source="test")

    async def one(self, t: float, id: str = "X@100") -> MarketLevel:
        return await self.memories.level(id, at=at(t))

    async def strength(self, t: float, id: str = "X@100") -> float:
        return (await self.one(t, id)).strength


def close_to(value: float) -> Any:
    return approximately(value, 1e-9)
