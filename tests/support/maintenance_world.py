"""A small harbour town where something happens every day, in all parts at once."""

import zlib
from datetime import timedelta
from typing import Any

from asterism.graph import Graph
from tests.support.sessions import CHEST

PEOPLE = ("Ada", "Ben", "Lyra")
PLACES = ("harbour", "market", "lighthouse", "mill", "chapel")
STARS = ("trust", "courage", "debts", "grief")
KINDS = ("user_confirms", "co_mention_session", "tars_confirmed", "causation_detected")


async def begin(graph: Graph) -> None:
    """Stars, and people and places to walk between."""
    created = graph.clock.now() - timedelta(days=2)
    for id in STARS:
        await graph.stars.add(id, id=id, domain="health", brightness=0.6, created_at=created)
    nodes: list[dict[str, Any]] = [
        {"kind": "actor", "name": name, "id": name.lower()} for name in PEOPLE
    ]
    nodes += [{"kind": "space", "name": f"The {name}", "id": name} for name in PLACES]
    secret = "Whoever keeps the key decides who may climb the lighthouse."
    nodes += [{"kind": "narrative", "name": "The key", "id": "key", "content": secret}]
    links = [
        {"a": person.lower(), "b": place, "id": f"{person} {place}", "synthesis": f"knows {place}"}
        for person in PEOPLE
        for place in PLACES
    ]
    links += [{"a": "lighthouse", "b": "key", "id": "lighthouse key", "synthesis": "the key"}]
    await graph.exploration.load(nodes, links)


async def live(graph: Graph, day: int) -> None:
    """Live one day, which adds little or nothing if it is repeated."""
    await graph.memories.remember_many(texts(day))
    await graph.memories.observe(trades(graph, day), source="town")
    for number, id in enumerate(STARS[: 2 + day % 3]):
        await graph.stars.engage(id, gains=[0.03], losses=0.01 * number)
    pair = STARS[day % 3], STARS[day % 3 + 1]
    await graph.stars.evidence(*pair, KINDS[day % 4], source=f"day {day}", id=f"evidence {day}")
    if day % 7 == 0:
        await graph.causality.record(
            f"scene {day}", CHEST.lines, dm=CHEST.dm, players=CHEST.players, embed=False
        )
    if day % 7 == 1:
        await graph.exploration.explore("ada", "Who keeps the key?", "get inside", mode="literal")
    if day % 3 == 0:
        await graph.memories.reinforce(f"text {day} 0", event_id=f"use {day}")
    if day % 5 == 4:
        await graph.memories.forget(f"text {day - 2} 1")


def texts(day: int) -> list[dict[str, Any]]:
    """Return the texts of a day, of which one repeats another."""
    person, other = PEOPLE[day % 3], PEOPLE[(day + 1) % 3]
    place, next_place = PLACES[day % 5], PLACES[(day + 2) % 5]
    sentences = [
        f"{person} walks from the {place} to the {next_place} with {day} baskets.",
        f"{other} tells {person} that the {place} was closed on day {day}.",
        f"{other} tells {person} that the {place} was closed on day {day}.".upper(),
        f"The keeper lights lamp {day} at the {next_place}.",
    ]
    where: dict[str, Any] = {"session": f"talk {day // 2}", "about": person, "speaker": other}
    return [
        {
            "id": f"text {day} {at}",
            "text": text,
            "tags": [place, "town"],
            "category": "day",
            **where,
        }
        for at, text in enumerate(sentences)
    ]


def trades(graph: Graph, day: int) -> list[dict[str, Any]]:
    """Return the trades of a day at the market of the town."""
    usual = {"symbol": "FISH", "kind": "execution", "side": "ask", "quantity": 2500.0}
    return [
        {
            "event_id": f"trade {day} {at}",
            "ts": graph.clock.now() - timedelta(minutes=at),
            "price": str(100 + (day + at) % 9),
            **usual,
        }
        for at in range(4)
    ]


class Words:
    """An embedder that knows words by their looks alone: texts of the same words are alike."""

    name = "words"
    dimensions = 64

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in text.lower().split():
            vector[zlib.crc32(word.encode()) % self.dimensions] += 1.0
        return vector if any(vector) else [1.0, *vector[1:]]
