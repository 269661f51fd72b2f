"""`graph.stars`: every public method about stars and their connections."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from asterism import clock
from asterism.database import Database
from asterism.errors import Conflict
from asterism.stars import checks
from asterism.stars import query_results as results
from asterism.stars.connection_commands import ConnectionCommands
from asterism.stars.daily_close import DailyClose
from asterism.stars.hypotheses import Hypothesis, hypotheses
from asterism.stars.models import (
    Confrontation,
    Connection,
    DayReport,
    EvidenceItem,
    EvidenceType,
    Outcome,
    Star,
    StarSummary,
    TypeChange,
)
from asterism.stars.queries import Queries
from asterism.stars.reflection import Reflection, proposals
from asterism.stars.reopening import reopen
from asterism.stars.star_commands import StarCommands
from asterism.validation import require_finite, require_flag


class Stars:
    """The stars of a realm, and their connections."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queries = Queries(database)
        self._stars = StarCommands(database)
        self._connections = ConnectionCommands(database)

    # Stars

    async def add(
        self,
        name: str,
        *,
        domain: str,
        id: str | None = None,
        constellation: str = "default",
        brightness: float | None = None,
        state: str = "FLICKERING",
        created_at: clock.Moment | None = None,
        aliases: Iterable[str] = (),
        description: str = "",
    ) -> Star:
        """Add a star, by default with a brightness of 0.3, or 0.1 for a NASCENT one.

        `aliases` are other names by which texts mention it, and `description` is yours.
        """
        star = await self._stars.add(
            name,
            domain=domain,
            id=id,
            constellation=constellation,
            brightness=brightness,
            state=state,
            created_at=created_at,
            words=checks.words(None, aliases, description),
        )
        return await self.get(star)

    async def update(
        self,
        id: str,
        *,
        name: str | None = None,
        aliases: Iterable[str] | None = None,
        description: str | None = None,
    ) -> Star:
        """Give a star another name, other aliases or another description. None stays as it is."""
        await self._stars.update(id, checks.words(name, aliases, description))
        return await self.get(id)

    async def get(self, id: str) -> Star:
        """Return a star, with its brightness of now."""
        return await self._queries.get(id)

    async def remove(self, id: str) -> None:
        """Remove a star, and archive its connections."""
        await self._stars.remove(id)

    async def engage(
        self,
        id: str,
        gains: Iterable[float] = (),
        losses: float | Iterable[float] = 0.0,
        at: clock.Moment | None = None,
    ) -> Star:
        """Engage a star, add gains and losses to its own day, and wake it if it sleeps."""
        return await self._stars.engage(id, gains, losses, at)

    async def acknowledge(self, id: str) -> Star:
        """Acknowledge a proposed star: NASCENT becomes FLICKERING, at 0.3.

        Any other star only counts as engaged, and `note` says so.
        """
        return await self._stars.act(id, "acknowledge")

    async def flag_dark(self, id: str) -> Star:
        """Flag a star as an anti-pattern: it turns DARK, its connections SHADOW_MIRROR."""
        return await self._stars.act(id, "flag_dark")

    async def contradict(self, id: str) -> Star:
        """Record that the user's acts contradict a star, which the third time turns it DARK."""
        return await self._stars.act(id, "contradict")

    async def confront(self, id: str, kind: str) -> Star:
        """Confront a DARK star, which is integrated and turns DIM with a score of 1.

        Any other star only counts as engaged, and `note` says so.
        """
        return await self._stars.act(id, checks.word("kind", kind, Confrontation))

    # Connections

    async def evidence(
        self,
        a: str,
        b: str,
        type: str,
        *,
        source: str,
        at: clock.Moment | None = None,
        id: str | None = None,
        secondary: bool = False,
        memory: str | None = None,
        intent: str | None = None,
    ) -> Connection:
        """Give evidence for a connection, and create it if the rule for the type says so.

        `memory` and `intent` tie it to what it was drawn from, which `why` shows.
        """
        fields: dict[str, Any] = {"a": a, "b": b, "type": type, "source": source}
        fields |= {"at": at, "id": id}
        fields |= {"secondary": secondary, "memory": memory, "intent": intent}
        return await self._connections.evidence(fields)

    async def evidence_many(
        self, items: Iterable[EvidenceItem | dict[str, Any]]
    ) -> list[Outcome | Conflict]:
        """Give much evidence in batches of one transaction each, and return the outcomes in order.

        A pair that can't be connected now is returned as a Conflict, not raised.
        """
        return await self._connections.evidence_many(items)

    async def connect(
        self, a: str, b: str, type: str | None = None, at: clock.Moment | None = None
    ) -> Connection:
        """Connect two stars at the user's word, with a type or without, or wake them."""
        return await self._connections.connect(a, b, type, at)

    async def disconnect(self, a: str, b: str) -> Connection | None:
        """Deny a connection at the user's word, and return None if that ended it."""
        return await self._connections.disconnect(a, b)

    async def retire(self, a: str, b: str) -> Connection:
        """Put a connection to sleep at the user's word, until there is new evidence."""
        return await self._connections.retire(a, b)

    async def assign_type(self, a: str, b: str, type: str) -> Connection:
        """Assign the user's type to a connection, where `a` acts on `b` if it is directed."""
        return await self._connections.assign_type(a, b, type)

    async def hypotheses(self, limit: int = 10) -> list[Hypothesis]:
        """Propose pairs that are not connected, best first, each with its reasons.

        In the first seven days of a constellation there are up to twice as many.
        """
        return await hypotheses(self._database, limit)

    async def reflect(
        self,
        *,
        apply: bool = False,
        since: clock.Moment | None = None,
        limit: int = 1000,
    ) -> Reflection:
        """Propose evidence from texts and intents that mention two stars by a name or an alias.

        Two stars in one text are a co-mention of a response, two in one session that share no text
        a co-mention of a session. `since` leaves out earlier texts, and intents. With `apply=True`
        it is given: each pair and text counts once, however often this is called.
        """
        most = checks.whole("limit", limit)
        earliest = None if since is None else clock.aware(since, "since")
        reflection = await proposals(self._database, earliest, most)
        if not require_flag("apply", apply):
            return reflection
        outcomes = await self._connections.evidence_many(reflection.items)
        return reflection.with_outcomes(outcomes)

    async def confirm(self, a: str, b: str) -> Connection:
        """Confirm a hypothesis: the pair gets evidence of the type tars_confirmed."""
        fields = {"a": a, "b": b, "type": EvidenceType.TARS_CONFIRMED, "source": "hypothesis"}
        return await self._connections.evidence(fields)

    # Queries

    async def connection(self, a: str, b: str) -> Connection | None:
        """Return the connection of two stars in either order, or None."""
        return await self._queries.connection(a, b)

    async def connections(self, star: str, *, limit: int = 20) -> list[Connection]:
        """Return a star's connections, strongest first."""
        return await self._queries.connections(star, limit)

    async def why(self, a: str, b: str) -> results.Why:
        """Return the evidence for a connection with its gains, and the changes since.

        A pair with nothing on record is NotFound, one that ended or lost a star is not.
        """
        return await self._queries.why(a, b)

    async def history(self, a: str, b: str) -> results.History:
        """Return the changes, weekly strengths and earlier connections of a pair.

        A pair with nothing on record is NotFound, one that ended or lost a star is not.
        """
        return await self._queries.history(a, b)

    async def fading(self, limit: int = 20) -> list[results.Fading]:
        """Return the connections that sleep next if nothing happens, soonest first.

        A connection also sleeps when one of its stars does, whichever day comes first.
        """
        return await self._queries.fading(limit)

    async def blockers(self, star: str) -> list[results.Blocker]:
        """Return the blocks of a star, with the ceiling and the end of each."""
        return await self._queries.about(star, results.Blocker, "stars/blockers")

    async def influences(self, star: str) -> list[results.Influence]:
        """Return the neighbours that drained or lifted a star at its last close."""
        return await self._queries.about(star, results.Influence, "stars/influences")

    async def predictions(
        self, *, status: str | None = None, star: str | None = None, limit: int = 50
    ) -> list[results.Prediction]:
        """Return predictions, latest first."""
        return await self._queries.predictions(status, star, limit)

    async def hit_rates(self) -> list[results.HitRate]:
        """Return the share of right predictions of each causal connection."""
        return await self._queries.models(results.HitRate, "stars/hit_rates")

    async def what_if(self, star: str, delta: float, hops: int = 3) -> list[results.Ripple]:
        """Return what a change of a star's brightness would do to others, without writing."""
        change = require_finite("delta", delta, -1.0, 1.0)
        most = min(checks.whole("hops", hops), 3)
        return await self._queries.about(
            star, results.Ripple, "stars/what_if", delta=change, hops=most
        )

    async def loops(self, limit: int = 20) -> list[results.Loop]:
        """Return cycles of up to three directed connections, strongest first."""
        most = checks.whole("limit", limit)
        return await self._queries.models(results.Loop, "stars/loops", limit=most)

    async def overview(self) -> results.Overview:
        """Return figures about all stars."""
        return await self._queries.overview()

    async def verify(self) -> list[results.Offence]:
        """Return violations of rules that must always hold, none if all is well."""
        return await self._queries.models(results.Offence, "stars/verify")

    # The daily work

    async def close_day(self, day: date, *, max_days: int | None = None) -> DayReport:
        """Close a day, and any before it that are still open. Closing twice changes nothing.

        More than 40 open days are closed only if `max_days` allows as many.
        """
        most = None if max_days is None else checks.whole("max_days", max_days)
        last = checks.past_day(day, self._database.clock.now())
        return await DailyClose(self._database).through(last, most)

    async def reopen(self, day: date) -> DayReport:
        """Undo the closes of this day and all after it, which a wrong clock has made.

        Possible for catch-ups of 8 days and more, as long as nobody has acted on stars since.
        Elsewhere it is refused with the reason. The days before are closed again.
        """
        first = checks.day(day)
        closed = await reopen(self._database, first)
        return await DailyClose(self._database).through(first - 1, max_days=first - closed)

    async def evaluate_types(self, day: date) -> list[TypeChange]:
        """Review the types of connections that are due, as the daily close does."""
        last = checks.past_day(day, self._database.clock.now())
        return await DailyClose(self._database).review_types(last)

    async def archive(self) -> int:
        """Archive connections that never got past NASCENT and have slept for 60 days (D-23)."""
        return await DailyClose(self._database).archive_abandoned()

    async def list(
        self, *, constellation: str | None = None, state: str | None = None, limit: int = 100
    ) -> list[StarSummary]:
        """Return stars, brightest first."""
        return await self._queries.list(constellation, state, limit)
