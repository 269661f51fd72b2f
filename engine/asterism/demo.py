"""Builds the world of `seed/`: texts, stars over ten weeks, two played evenings, a market."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from asterism.causality import identity
from asterism.causality.transcripts import readers
from asterism.clock import FixedClock
from asterism.errors import Conflict
from asterism.exploration import Exploration
from asterism.graph import Graph

REALM = "demo"
NOON = datetime(2026, 6, 20, 12, tzinfo=UTC)
SESSIONS = {"lighthouse": "lighthouse_session.csv", "market": "market_session.csv"}
DM = "Rowan (DM)"
PLAYERS = [
    {"id": "ada", "canonical_name": "Ada", "aliases": ["Lyra"]},
    {"id": "ben", "canonical_name": "Ben"},
    {"id": "chiara", "canonical_name": "Chiara"},
]
QUESTION: dict[str, Any] = {
    "actor": "ada",
    "query": "Why does Lyra light the lamp?",
    "intention": "remember the ship that was lost",
    "mode": "literal",
    "settings": {"min_link_score": 0.01},  # no single hop has to answer the whole question
}

WALK = "demo-walk"
BOOKKEEPING = {"Realm", "EmbeddingModel", "Cursor"}

OnStep = Callable[[str], None]


async def is_built(graph: Graph) -> bool:
    """Tell whether the world is there, and refuse a realm that holds anything else."""
    if WALK in {run.id for run in await graph.exploration.runs(1000)}:
        return True
    labels = set((await graph.realms.stats()).nodes) - BOOKKEEPING
    if labels:
        remedy = "delete it and start over with `asterism demo --reset`"
        content = f"it holds {', '.join(sorted(labels))}, but not the whole demo"
        raise Conflict(f"realm {graph.realm!r}: {content}: {remedy}")
    return False


async def build(graph: Graph, clock: FixedClock, step: OnStep) -> Exploration:
    """Load everything and walk once. `clock` is the graph's, and ends at noon of the last day."""
    clock.set(NOON)
    step("texts of a year")
    await graph.memories.remember_many(_lines("memories.jsonl"))
    await graph.consolidation.consolidate()
    await _live_stars(graph, clock, step)
    clock.set(NOON)
    for session, file in SESSIONS.items():
        step(f"the evening at the {session}")
        lines = readers.read(seed(file))
        await graph.causality.record(session, lines, dm=DM, players=PLAYERS, embed=True)
    step("the market")
    await graph.memories.observe(_lines("market.jsonl"), source="demo")
    step("ties between the parts")
    await graph.exploration.load([], [_link(link) for link in _document("links.json")])
    step("a walk")
    return await graph.exploration.explore(**QUESTION, run_id=WALK)


def seed(file: str) -> Path:
    """Return a file of `seed/`: inside the package when installed, else in the checkout."""
    package = Path(__file__).parent
    packaged = package / "seed"
    return (packaged if packaged.is_dir() else package.parents[1] / "seed") / file


async def _live_stars(graph: Graph, clock: FixedClock, step: OnStep) -> None:
    life = _document("stars.json")
    first, last = (date.fromisoformat(life[name]) for name in ("begin", "end"))
    clock.set(_noon(first))
    for star in life["stars"]:
        await graph.stars.add(**star)
    for connection in life["connections"]:
        await graph.stars.connect(**connection)
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        clock.set(_noon(day))
        if number % 7 == 0:
            step(f"week {number // 7 + 1} of the stars")
        for item in _due(life["routine"], number, day):
            await graph.stars.engage(item["star"], gains=item["gains"])
        evidence = [_evidence(item, day) for item in _due(life["evidence"], number, day)]
        await graph.stars.evidence_many(evidence)
        for act in life["acts"]:
            if act["day"] == day.isoformat():
                kind = [act["kind"]] if "kind" in act else []
                await getattr(graph.stars, act["act"])(act["star"], *kind)
        await graph.stars.close_day(day)


def _due(plan: list[dict[str, Any]], number: int, day: date) -> Iterator[dict[str, Any]]:
    for item in plan:
        active = item.get("from", "") <= day.isoformat() <= item.get("until", "9999")
        if active and number % item["every"] == 0:
            yield item


def _evidence(item: dict[str, Any], day: date) -> dict[str, Any]:
    return {name: item[name] for name in ("a", "b", "type")} | {"source": f"journal of {day}"}


def _link(link: dict[str, Any]) -> dict[str, Any]:
    ends = {
        end: identity.consequence_id(place["session"], place["line"])
        for end in ("a", "b")
        if isinstance(place := link[end], dict)
    }
    return link | ends


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def _document(file: str) -> Any:
    return json.loads(seed(file).read_text(encoding="utf-8"))


def _lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in seed(file).read_text(encoding="utf-8").splitlines()]
