"""Random lives of a dozen stars, run through the package and the oracle, and compared."""

import random
from datetime import timedelta
from typing import Any

from asterism.clock import FixedClock
from asterism.errors import Conflict
from asterism.graph import Graph
from tests.support.stars_oracle import HALF_LIFE, IMPACT, STAR_HALF_LIFE, Oracle, ordinal
from tests.support.stars_world import run

STARS = [f"s{number:02}" for number in range(12)]
ACTS = ("acknowledge", "flag_dark", "contradict", "contradict")
CONFRONTATIONS = ("engagement", "shadow_task", "acknowledged")
STAR_FIELDS = {
    "brightness": "brightness",
    "variance": "variance",
    "run_days": "calm_days",
    "effective_max": "effective_max",
    "impact_multiplier": "multiplier",
    "state": "state",
    "contradictions": "contradictions",
    "own_change": "own_change",
}
CONNECTION_FIELDS = {
    "strength": "strength",
    "state": "state",
    "engaged_state": "engaged_state",
    "evidence_eff": "effective_evidence",
    "evidence_count": "evidence_count",
    "confidence": "confidence",
    "type_source": "type_source",
    "corr": "correlation",
    "block_active": "block_active",
}


class Life:
    """One random life, where every day ends with a comparison."""

    def __init__(self, graph: Graph, clock: FixedClock, seed: int, *, excavated: bool) -> None:
        self.graph, self.clock, self.random = graph, clock, random.Random(seed)
        clock.set(clock.now().replace(hour=0, minute=0))
        self.created = clock.now() - timedelta(days=0 if excavated else 10)
        self.oracle = Oracle(self.created, clock.now())

    async def live(self, days: int) -> None:
        await self._add_stars()
        for _ in range(days):
            midnight = self.clock.now()
            hours = sorted(self.random.uniform(0.1, 23.5) for _ in range(self.random.randrange(30)))
            for hour in hours:
                self.clock.set(midnight + timedelta(hours=hour))
                await self._something()
            self.clock.set(midnight + timedelta(hours=23.9))
            self.oracle.close(ordinal(midnight), self.clock.now())
            await self.graph.stars.close_day(midnight.date())
            assert await self.differences() == []
            self.clock.set(midnight + timedelta(days=1))

    async def _add_stars(self) -> None:
        states = ["FLICKERING"] * 4 + ["BRIGHT", "DIM", "NASCENT"]
        for id in STARS:
            domain = self.random.choice(list(STAR_HALF_LIFE))
            level, state = round(self.random.uniform(0.05, 1), 3), self.random.choice(states)
            await self.graph.stars.add(
                id, id=id, domain=domain, brightness=level, state=state, created_at=self.created
            )
            self.oracle.add(id, domain, level, state, self.created)

    async def _something(self) -> None:
        chance = self.random.random()
        stars = STARS[:8] if self.random.random() < 0.7 else STARS
        a, b = self.random.sample(stars, 2)
        if chance < 0.45:
            await self._engage(a)
        elif chance < 0.8:
            await self._evidence(a, b)
        elif chance < 0.86:
            await self._connect(a, b)
        elif chance < 0.93:
            await self._change(a, b)
        else:
            await self._act(a)

    async def _engage(self, a: str) -> None:
        gains = [round(self.random.uniform(0, 0.06), 4) for _ in range(self.random.randrange(3))]
        losses = round(self.random.choice([0, 0, 0, self.random.uniform(0, 0.2)]), 4)
        await self.graph.stars.engage(a, gains=gains, losses=losses)
        self.oracle.engage(a, gains, losses, self.clock.now())

    async def _evidence(self, a: str, b: str) -> None:
        kind, source = self.random.choice(list(IMPACT)), self.random.choice("pqr")
        secondary = self.random.random() < 0.2
        now = self.clock.now()
        late = now - timedelta(hours=self.random.uniform(0, 60))
        at = self.random.choice([None, None, None, late])
        expected = self.oracle.evidence(a, b, kind, source, now, at, secondary)
        call = self.graph.stars.evidence(a, b, kind, source=source, at=at, secondary=secondary)
        assert await self._outcome(call) == expected, (a, b, kind, source, at)

    async def _connect(self, a: str, b: str) -> None:
        type = self.random.choice([None, None, *HALF_LIFE])
        expected = self.oracle.connect(a, b, type, self.clock.now())
        assert await self._outcome(self.graph.stars.connect(a, b, type)) == expected, (a, b, type)

    async def _outcome(self, call: Any) -> str:
        try:
            connection = await call
        except Conflict:
            return "refused"
        return str(connection.outcome)

    async def _change(self, a: str, b: str) -> None:
        if (min(a, b), max(a, b)) not in self.oracle.links:
            return
        day, choice = ordinal(self.clock.now()), self.random.randrange(4)
        if choice == 0:
            self.oracle.disconnect(a, b, day)
            await self.graph.stars.disconnect(a, b)
        elif choice == 1:
            self.oracle.retire(a, b, day)
            await self.graph.stars.retire(a, b)
        else:
            type = self.random.choice(list(HALF_LIFE))
            self.oracle.assign_type(a, b, type, day)
            await self.graph.stars.assign_type(a, b, type)

    async def _act(self, a: str) -> None:
        action = self.random.choice(ACTS + CONFRONTATIONS)
        self.oracle.user_action(a, action, ordinal(self.clock.now()))
        if action in CONFRONTATIONS:
            await self.graph.stars.confront(a, action)
        else:
            await getattr(self.graph.stars, action)(a)

    async def differences(self) -> list[tuple[Any, ...]]:
        """Return the values in which graph and oracle disagree by more than 1e-9."""
        wrong: list[tuple[Any, ...]] = []
        stars = await run(self.graph, "MATCH (s:Star {realm: $realm}) RETURN s{.*} AS star")
        for star in (row["star"] for row in stars):
            wrong += _compare(star["id"], star, self.oracle.stars[star["id"]], STAR_FIELDS)
        rows = await run(
            self.graph,
            "MATCH (a:Star {realm: $realm})-[r]->(b:Star) "
            "RETURN a.id AS start, b.id AS end, type(r) AS kind, r{.*} AS r",
        )
        pairs = {(min(row["start"], row["end"]), max(row["start"], row["end"])) for row in rows}
        wrong += [("pairs", pair) for pair in pairs ^ self.oracle.links.keys()]
        for row in rows:
            pair = (min(row["start"], row["end"]), max(row["start"], row["end"]))
            if pair in self.oracle.links:
                link = self.oracle.links[pair]
                ends = {"start": "start", "end": "end", "kind": "kind"}
                wrong += _compare(pair, row["r"], link, CONNECTION_FIELDS)
                wrong += _compare(pair, row, link, ends)
        return wrong


def _compare(
    name: Any, row: dict[str, Any], expected: Any, fields: dict[str, str]
) -> list[tuple[Any, ...]]:
    wrong = []
    for ours, theirs in fields.items():
        a, b = row.get(ours), getattr(expected, theirs)
        plain = a is None or b is None or isinstance(a, str | bool)
        if (a != b) if plain else abs(a - b) > 1e-9:
            wrong.append((name, ours, a, b))
    return wrong
