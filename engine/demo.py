"""Builds the world of `seed/`: texts, stars over ten weeks, two played evenings, a market."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from engine.causality import identity, readers
from engine.clock import FixedClock
from engine.errors import Conflict
from engine.exploration import Exploration
from engine.graph import Graph

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
    "settings": {"min_link_score": 0.01},  # no single hop has to answer the whole question
}

WALK = "demo-walk"
BOOKKEEPING = {"Realm", "EmbeddingModel", "Cursor"}

OnStep = Callable[[str], None]


async def standing(graph: Graph) -> bool:
    """Whether the world is there; a realm that holds anything else is left alone."""
    if WALK in {run.id for run in await graph.exploration.runs(1000)}:
        return True
    there = set((await graph.realms.stats()).nodes) - BOOKKEEPING
    if there:
        remedy = "delete it and start over with `asterism demo --reset`"
        held = f"it holds {', '.join(sorted(there))}, but not the whole demo"
        raise Conflict(f"realm {graph.realm!r}: {held}: {remedy}")
    return False


async def build(graph: Graph, clock: FixedClock, step: OnStep) -> Exploration:
    """Load everything and walk once; `clock` is the graph's, and ends at noon of the last day."""
    clock.set(NOON)
    step("texts of a year")
    await graph.memories.remember_many(_lines("memories.jsonl"))
    await graph.consolidation.consolidate()
    await _live(graph, clock, step)
    clock.set(NOON)
    for session, file in SESSIONS.items():
        step(f"the evening at the {session}")
        lines = readers.read(seed(file))
        await graph.causality.record(session, lines, dm=DM, players=PLAYERS, embed=True)
    step("the market")
    await graph.memories.observe(_lines("market.jsonl"), source="demo")
    step("ties between the parts")
    await graph.exploration.load([], [_link(given) for given in _document("links.json")])
    step("a walk")
    return await graph.exploration.explore(**QUESTION, run_id=WALK)


def seed(file: str) -> Path:
    """A file of `seed/`: inside the package when installed, beside it in a checkout."""
    here = Path(__file__).parent
    packaged = here / "seed"
    return (packaged if packaged.is_dir() else here.parent / "seed") / file


async def _live(graph: Graph, clock: FixedClock, step: OnStep) -> None:
    life = _document("stars.json")
    first, last = (date.fromisoformat(life[name]) for name in ("begin", "end"))
    clock.set(_noon(first))
    for star in life["stars"]:
        await graph.stars.add(**star)
    for bond in life["connections"]:
        await graph.stars.connect(**bond)
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        clock.set(_noon(day))
        if number % 7 == 0:
            step(f"week {number // 7 + 1} of the stars")
        for due in _due(life["routine"], number, day):
            await graph.stars.engage(due["star"], gains=due["gains"])
        found = [_evidence(due, day) for due in _due(life["evidence"], number, day)]
        await graph.stars.evidence_many(found)
        for act in life["acts"]:
            if act["day"] == day.isoformat():
                kind = [act["kind"]] if "kind" in act else []
                await getattr(graph.stars, act["act"])(act["star"], *kind)
        await graph.stars.close_day(day)


def _due(plan: list[dict[str, Any]], number: int, day: date) -> Iterator[dict[str, Any]]:
    for each in plan:
        begun = each.get("from", "") <= day.isoformat() <= each.get("until", "9999")
        if begun and number % each["every"] == 0:
            yield each


def _evidence(due: dict[str, Any], day: date) -> dict[str, Any]:
    return {"a": due["a"], "b": due["b"], "type": due["type"], "source": f"journal of {day}"}


def _link(given: dict[str, Any]) -> dict[str, Any]:
    ends = {
        end: identity.consequence_id(place["session"], place["line"])
        for end in ("a", "b")
        if isinstance(place := given[end], dict)
    }
    return given | ends


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def _document(file: str) -> Any:
    return json.loads(seed(file).read_text(encoding="utf-8"))


def _lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in seed(file).read_text(encoding="utf-8").splitlines()]
