"""A small town with something of every part in it, to look at and to draw."""

import csv
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engine.clock import FixedClock
from engine.graph import Graph

SESSION = Path(__file__).parent.parent / "seed" / "lighthouse_session.csv"
WEEKS = 6
BEGAN = datetime(2026, 1, 19, 12, tzinfo=UTC)
ENDED = BEGAN + timedelta(weeks=WEEKS)
STARS = [
    ("sea", "The sea", "soul", 0.7),
    ("sail", "Sailing", "health", 0.8),
    ("work", "The harbour office", "wealth", 0.55),
    ("sleep", "Enough sleep", "health", 0.3),
    ("quarrel", "The old quarrel", "relationships", 0.2),
    ("music", "The brass band", "soul", 0.6),
]
BONDS = [
    ("sail", "sea", "GROWTH_EDGE"),
    ("work", "sleep", "TENSION"),
    ("quarrel", "music", "BLOCKS"),
    ("sea", "music", "RESONANCE"),
    ("quarrel", "sleep", "SHADOW_MIRROR"),
    ("work", "sail", "CAUSATION"),
]
GAINS = {"sail": 0.05, "sea": 0.05, "music": 0.02, "work": 0.01, "sleep": 0.0, "quarrel": 0.0}
LASTED = {"sail": 9, "sea": 9, "music": 9, "work": 9, "sleep": 9, "quarrel": 1}
TOLD = [
    ("key", "Lyra keeps the lighthouse key.", ["lyra", "lighthouse"]),
    ("kitchen", "The lighthouse key hangs in Lyra's kitchen.", ["lyra", "lighthouse"]),
    ("lamp", "The lamp of the lighthouse went out on a Tuesday.", ["lighthouse"]),
    ("stairs", "The lighthouse stairs have ninety steps.", ["lighthouse"]),
    ("bread", "Bread at the market needs flour, water and salt.", ["market"]),
    ("fish", "The market sells fish on Friday.", ["market"]),
    ("again", "Lyra keeps the lighthouse key.", ["lyra"]),
]
NODES = [
    {"kind": "actor", "name": "Nora", "id": "nora"},
    {"kind": "space", "name": "The lighthouse", "id": "lighthouse"},
    {"kind": "thing", "name": "The key", "id": "the-key"},
    {"kind": "moment", "name": "The evening at the tower", "id": "evening"},
    {"kind": "narrative", "name": "Whoever has the key goes in", "id": "goes-in"},
]
LINKS = [
    ("nora", "evening", "Nora was at the tower that evening"),
    ("evening", "lighthouse", "the evening at the lighthouse"),
    ("lighthouse", "the-key", "the key of the lighthouse"),
    ("the-key", "kitchen", "the lighthouse key in the kitchen"),
    ("evening", "goes-in", "who goes in at the lighthouse"),
    ("lighthouse", "sea", "the lighthouse stands by the sea"),
]


async def build(graph: Graph, clock: FixedClock) -> None:
    """Six weeks of a town; ends on the day the clock then shows."""
    await _stars(graph, clock)
    await _market(graph, clock)
    await graph.memories.remember_many(
        [{"id": id, "text": text, "tags": tags} for id, text, tags in TOLD[:-1]]
    )
    await graph.consolidation.consolidate()
    await graph.memories.remember(TOLD[-1][1], id="again", tags=TOLD[-1][2], session="evening")
    await graph.consolidation.consolidate()
    await graph.memories.connect("kitchen", "key", "SUPPORTS")
    with SESSION.open(encoding="utf-8") as file:
        lines = [tuple(row.values())[:3] for row in csv.DictReader(file)]
    await graph.causality.record(
        "lighthouse", lines, dm="Rowan (DM)", players=["Ada", "Ben", "Chiara", "Lyra"]
    )
    await _explored(graph)


async def _stars(graph: Graph, clock: FixedClock) -> None:
    for id, name, domain, brightness in STARS:
        await graph.stars.add(name, id=id, domain=domain, brightness=brightness)
    for a, b, type in BONDS:
        await graph.stars.connect(a, b, type)
    for week in range(WEEKS):
        for at, (a, b, _) in enumerate(BONDS):
            if (week + at) % 3:
                await graph.stars.evidence(a, b, "user_confirms", source=f"diary {week}")
        for id, gain in GAINS.items():
            if week < LASTED[id]:
                await graph.stars.engage(id, gains=[gain])
        clock.advance(days=7)
        await graph.stars.close_day((clock.now() - timedelta(days=1)).date())
    await graph.stars.flag_dark("quarrel")


async def _market(graph: Graph, clock: FixedClock) -> None:
    """An afternoon at the fish market: two prices that come and go."""
    began = clock.now() - timedelta(hours=5)
    items: list[dict[str, Any]] = []
    for price, side, step in (("12.40", "bid", 17), ("12.90", "ask", 29)):
        for number in range(240 // step):
            busy = math.sin(number / 2) > -0.3
            ts = began + timedelta(minutes=step * number)
            item = {"event_id": f"{price}/{number}", "ts": ts, "symbol": "HERRING", "price": price}
            kind = {"kind": "execution", "quantity": 4000} if busy else None
            items += [item | (kind or {"kind": "persistence", "quantity": 30}) | {"side": side}]
    await graph.memories.observe(sorted(items, key=lambda item: item["ts"]), source="market")


async def _explored(graph: Graph) -> None:
    links = [
        {
            "a": a,
            "b": b,
            "synthesis": said,
            "polarity": (1, 0.5),
            "permanence": 0.1,
            "id": f"{a}>{b}",
        }
        for a, b, said in LINKS
    ]
    await graph.exploration.load(NODES, links)
    await graph.exploration.explore(
        "nora",
        "Where is the lighthouse key?",
        "get into the lighthouse",
        settings={"min_link_score": 0.02},
        run_id="into-the-lighthouse",
    )
