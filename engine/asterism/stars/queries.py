"""Queries about stars and connections, none of which writes."""

from collections import Counter
from typing import Any, NoReturn, TypeVar

from asterism.base_model import Frozen
from asterism.database import Database
from asterism.errors import NotFound
from asterism.stars import checks
from asterism.stars import query_results as results
from asterism.stars.daily_close import OpenDays
from asterism.stars.forecast import NEVER, Forecast, ForecastLink, ForecastStar
from asterism.stars.models import Connection, Pair, Star, StarState, StarSummary, pair_key
from asterism.stars.presenter import to_connection
from asterism.timestamps import epoch_day

Result = TypeVar("Result", bound=Frozen)


class Queries:
    """Answers the questions of `Stars`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.stars

    async def get(self, id: str) -> Star:
        row = await self._database.row("stars/get", id=checks.identifier("id", id))
        if row is None:
            raise NotFound("star", id)
        return Star(**row)

    async def connection(self, a: str, b: str) -> Connection | None:
        connection = await self._connection(checks.pair(a, b))
        if connection is None:
            await self._require_stars(a, b)
        return connection

    async def connections(self, star: str, limit: int) -> list[Connection]:
        await self.get(star)
        most = checks.whole("limit", limit)
        rows = await self._database.rows("stars/connections", id=star, limit=most)
        return [to_connection(row) for row in rows]

    async def why(self, a: str, b: str) -> results.Why:
        pair = checks.pair(a, b)
        connection = await self._connection(pair)
        evidence = await self.models(results.EvidenceRecord, "stars/why", pair_key=pair_key(pair))
        changes = await self.models(results.Change, "stars/history", pair_key=pair_key(pair))
        if not (connection or evidence or changes):
            await self._refuse_unrecorded(a, b)
        return results.Why(connection=connection, evidence=evidence, changes=changes)

    async def history(self, a: str, b: str) -> results.History:
        lower, upper = pair = checks.pair(a, b)
        changes = await self.models(results.Change, "stars/history", pair_key=pair_key(pair))
        past = await self.models(
            results.PastConnection, "stars/past_connections", pair_key=pair_key(pair)
        )
        row = await self._database.row("stars/weekly_strengths", lower=lower, upper=upper)
        if row is None and not (changes or past):
            await self._refuse_unrecorded(a, b)
        weekly = [*row["strengths"], row["strength"]] if row else []
        return results.History(changes=changes, weekly=weekly, past=past)

    async def fading(self, limit: int) -> list[results.Fading]:
        most, today = checks.whole("limit", limit), epoch_day(self._database.clock.now())
        stream = self._database.stream
        stars = [ForecastStar(**row) async for row in stream("stars/forecast_stars")]
        # The two reads may fall on either side of a write: links of stars that slept are left out.
        awake = {star.id for star in stars}
        links = [
            ForecastLink(**row)
            async for row in stream("stars/forecast_links")
            if row["start"] in awake and row["end"] in awake
        ]
        row = await self._database.row("stars/open_days")
        if row is None or not links:
            return []
        close = OpenDays(**row)
        forecast = Forecast(stars, links, dict(close.constellations), self._settings)
        sleep_days, fall_days = forecast.run(min(close.closed_day, today) + 1)
        fading = [
            results.Fading(
                a=link.start,
                b=link.end,
                type=link.type,
                state=link.state,
                strength=link.strength,
                sleeps_in=max(0, int(sleeps) - today),
                falls_in=None if falls == NEVER else max(0, int(falls) - today),
            )
            for link, sleeps, falls in zip(links, sleep_days, fall_days, strict=True)
        ]
        fading.sort(key=lambda each: (each.sleeps_in, -each.strength, each.a, each.b))
        return fading[:most]

    async def predictions(
        self, status: str | None, star: str | None, limit: int
    ) -> list[results.Prediction]:
        if star is not None:
            await self.get(star)
        chosen = (
            None
            if status is None
            else checks.word("status", status, results.PredictionStatus).value
        )
        most = checks.whole("limit", limit)
        return await self.models(
            results.Prediction, "stars/predictions", status=chosen, star=star, limit=most
        )

    async def overview(self) -> results.Overview:
        overview = await self._database.one("stars/overview")
        types: Counter[str] = Counter()
        states: Counter[str] = Counter()
        for row in await self._database.rows("stars/connection_counts"):
            counted = results.ConnectionCount(**row)
            types[counted.type] += counted.connections
            states[counted.state] += counted.connections
        return results.Overview(**overview, by_type=dict(types), by_state=dict(states))

    async def models(self, model: type[Result], statement: str, **arguments: Any) -> list[Result]:
        """Return the rows of a statement as models."""
        return [model(**row) for row in await self._database.rows(statement, **arguments)]

    async def about(
        self, star: str, model: type[Result], statement: str, **arguments: Any
    ) -> list[Result]:
        """Return the rows of a statement about a star, or raise NotFound."""
        await self.get(star)
        return await self.models(model, statement, id=star, **arguments)

    async def _connection(self, pair: Pair) -> Connection | None:
        row = await self._database.row("stars/connection", lower=pair[0], upper=pair[1])
        return to_connection(row) if row else None

    async def _require_stars(self, *ids: str) -> None:
        for id in ids:
            await self.get(id)

    async def _refuse_unrecorded(self, a: str, b: str) -> NoReturn:
        """Raise NotFound for the star that is missing, or else for the pair."""
        await self._require_stars(a, b)
        raise NotFound("pair", f"{a}|{b}", "connect the two stars, or give evidence for them")

    async def list(
        self, constellation: str | None, state: str | None, limit: int
    ) -> list[StarSummary]:
        if constellation is not None:
            checks.identifier("constellation", constellation)
        chosen = None if state is None else checks.word("state", state, StarState).value
        return await self.models(
            StarSummary,
            "stars/list",
            constellation=constellation,
            state=chosen,
            limit=checks.whole("limit", limit),
        )
