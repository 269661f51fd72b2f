"""What people ask about stars: why, what next, what blocks, what if. Nothing here writes."""

from collections import Counter
from enum import StrEnum
from typing import NoReturn

from engine.database import Database
from engine.errors import NotFound
from engine.stars import checks, days
from engine.stars.answers import (
    Blocker,
    Change,
    EvidenceRecord,
    Fading,
    History,
    HitRate,
    Influence,
    Loop,
    Offence,
    Overview,
    PastConnection,
    Prediction,
    Ripple,
    Why,
)
from engine.stars.forecast import NEVER, Forecast
from engine.stars.model import Connection, Star, StarState, StarSummary
from engine.stars.words import described


class PredictionStatus(StrEnum):
    """Where a prediction stands."""

    OPEN = "OPEN"
    VERIFIED = "VERIFIED"
    EXPIRED = "EXPIRED"


class Questions:
    """The calls that read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.stars

    async def get(self, id: str) -> Star:
        """A star as it stands now."""
        row = await self._database.row("stars/star", id=checks.identifier("id", id))
        if row is None:
            raise NotFound("star", id)
        return Star(**row)

    async def connection(self, a: str, b: str) -> Connection | None:
        """The connection of two stars, in whichever order; None if there is none, or no more."""
        lower, upper = checks.pair(a, b)
        row = await self._database.row("stars/connection", lower=lower, upper=upper)
        if row is None:
            for star in (a, b):
                await self.get(star)
        return described(row) if row else None

    async def connections(self, star: str, *, limit: int = 20) -> list[Connection]:
        """A star's connections, strongest first."""
        await self.get(star)
        rows = await self._database.rows(
            "stars/connections", id=star, limit=checks.whole("limit", limit)
        )
        return [described(row) for row in rows]

    async def why(self, a: str, b: str) -> Why:
        """Why they are connected: the evidence, what it gave, and what changed since.

        A pair with nothing on record is NotFound; one that ended, or lost a star, is not.
        """
        lower, upper = checks.pair(a, b)
        key = f"{lower}|{upper}"
        row = await self._database.row("stars/connection", lower=lower, upper=upper)
        evidence = await self._database.rows("stars/why", pair_key=key)
        changes = await self._database.rows("stars/history", pair_key=key)
        if row is None and not evidence and not changes:
            await self._no_pair(a, b)
        return Why(
            connection=described(row) if row else None,
            evidence=[EvidenceRecord(**row) for row in evidence],
            changes=[Change(**row) for row in changes],
        )

    async def history(self, a: str, b: str) -> History:
        """How it went between them: changes, weekly strengths, earlier connections.

        A pair with nothing on record is NotFound; one that ended, or lost a star, is not.
        """
        lower, upper = checks.pair(a, b)
        key = f"{lower}|{upper}"
        changes = await self._database.rows("stars/history", pair_key=key)
        past = await self._database.rows("stars/past", pair_key=key)
        weekly = await self._database.row("stars/weekly", lower=lower, upper=upper)
        if weekly is None and not changes and not past:
            await self._no_pair(a, b)
        return History(
            changes=[Change(**row) for row in changes],
            weekly=[*weekly["strengths"], weekly["strength"]] if weekly else [],
            past=[PastConnection(**row) for row in past],
        )

    async def _no_pair(self, a: str, b: str) -> NoReturn:
        """Say what is missing: a star, or anything between the two."""
        for star in (a, b):
            await self.get(star)
        raise NotFound("pair", f"{a}|{b}", "connect the two stars, or give evidence for them")

    async def fading(self, limit: int = 20) -> list[Fading]:
        """What fades next if nothing happens: soonest asleep first.

        A connection also sleeps when one of its stars does, whichever day comes first.
        """
        most, today = checks.whole("limit", limit), days.number(self._database.clock.now())
        stars = [row async for row in self._database.stream("stars/forecast_stars")]
        known = {row["id"] for row in stars}
        links = [
            row
            async for row in self._database.stream("stars/forecast_links")
            if row["a"] in known and row["b"] in known
        ]
        close = await self._database.row("stars/open_days")
        if close is None or not links:
            return []
        forecast = Forecast(stars, links, dict(close["constellations"]), self._settings)
        ahead = forecast.run(min(close["closed_day"], today) + 1)
        found = [
            Fading(
                **{name: row[name] for name in ("a", "b", "type", "state", "strength")},
                sleeps_in=max(0, int(sleeps) - today),
                falls_in=None if falls == NEVER else max(0, int(falls) - today),
            )
            for row, sleeps, falls in zip(links, ahead.sleeps, ahead.falls, strict=True)
        ]
        return sorted(found, key=lambda f: (f.sleeps_in, -f.strength, f.a, f.b))[:most]

    async def blockers(self, star: str) -> list[Blocker]:
        """What blocks a star, how far its ceiling is lowered, and what would lift it."""
        await self.get(star)
        rows = await self._database.rows("stars/blockers", id=star)
        return [Blocker(**row) for row in rows]

    async def influences(self, star: str) -> list[Influence]:
        """Who drained and who lifted a star at its last close."""
        await self.get(star)
        rows = await self._database.rows("stars/influences", id=star)
        return [Influence(**row) for row in rows]

    async def predictions(
        self, *, status: str | None = None, star: str | None = None, limit: int = 50
    ) -> list[Prediction]:
        """Predictions, latest first."""
        if star is not None:
            await self.get(star)
        chosen = None if status is None else checks.word("status", status, PredictionStatus).value
        rows = await self._database.rows(
            "stars/predictions", status=chosen, star=star, limit=checks.whole("limit", limit)
        )
        return [Prediction(**row) for row in rows]

    async def hit_rates(self) -> list[HitRate]:
        """How often each causal link predicted right."""
        return [HitRate(**row) for row in await self._database.rows("stars/hit_rates")]

    async def what_if(self, star: str, delta: float, hops: int = 3) -> list[Ripple]:
        """What a change of a star's brightness would do to others; writes nothing."""
        await self.get(star)
        change = checks.number("delta", delta, -1.0, 1.0)
        far = min(checks.whole("hops", hops), 3)
        rows = await self._database.rows("stars/what_if", id=star, delta=change, hops=far)
        return [Ripple(**row) for row in rows]

    async def loops(self, limit: int = 20) -> list[Loop]:
        """Circles of up to three directed connections, strongest first."""
        rows = await self._database.rows("stars/loops", limit=checks.whole("limit", limit))
        return [Loop(**row) for row in rows]

    async def overview(self) -> Overview:
        """All stars in figures."""
        row = await self._database.row("stars/overview")
        types: Counter[str] = Counter()
        states: Counter[str] = Counter()
        for found in await self._database.rows("stars/figures"):
            types[found["type"]] += found["count"]
            states[found["state"]] += found["count"]
        return Overview(**(row or {}), by_type=dict(types), by_state=dict(states))

    async def verify(self) -> list[Offence]:
        """Whatever breaks a rule that must always hold; nothing, if all is well."""
        return [Offence(**row) for row in await self._database.rows("stars/verify")]

    async def list(
        self,
        *,
        constellation: str | None = None,
        state: str | None = None,
        limit: int = 100,
    ) -> list[StarSummary]:
        """Stars, brightest first."""
        rows = await self._database.rows(
            "stars/list",
            constellation=None
            if constellation is None
            else checks.identifier("constellation", constellation),
            state=None if state is None else checks.word("state", state, StarState).value,
            limit=checks.whole("limit", limit),
        )
        return [StarSummary(**row) for row in rows]
