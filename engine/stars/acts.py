"""What people and sources do: stars added and engaged, evidence given, connections named."""

import uuid
import zlib
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from pydantic import ValidationError

from engine.database import Transaction
from engine.errors import Conflict, InvalidInput, NotFound
from engine.stars import checks, days
from engine.stars.close import Close, hold, reshade, retype
from engine.stars.evidence import Held, Item, Ledger, Moment, oriented, restate
from engine.stars.model import (
    Confrontation,
    Connection,
    ConnectionState,
    ConnectionType,
    Domain,
    EvidenceItem,
    EvidenceType,
    Outcome,
    Star,
    StarState,
    TypeSource,
)
from engine.stars.questions import Questions
from engine.stars.words import described, unconnected

T = TypeVar("T")
Work = Callable[[Transaction, Held, Moment], Awaitable[T]]
BUCKETS = 256
EVIDENCE_BATCH = 500


class Acts(Questions):
    """The calls that write."""

    async def add(
        self,
        name: str,
        *,
        domain: str,
        id: str | None = None,
        constellation: str = "default",
        brightness: float | None = None,
        state: str = "FLICKERING",
        created_at: datetime | None = None,
    ) -> Star:
        """Add a star. Brightness is 0.3 if not given, 0.1 for a NASCENT one."""
        s, now = self._settings, self._database.clock.now()
        chosen = checks.word("state", state, StarState)
        nascent = chosen is StarState.NASCENT
        usual = s.nascent_brightness if nascent else s.acknowledged_brightness
        level = usual if brightness is None else brightness
        at = checks.moment("created_at", created_at, now)
        star = checks.identifier("id", id) if id is not None else uuid.uuid4().hex
        await self._database.rows(
            "stars/add",
            id=star,
            name=checks.text("name", name),
            domain=checks.word("domain", domain, Domain).value,
            constellation=checks.identifier("constellation", constellation),
            brightness=checks.number("brightness", level, s.brightness_floor, 1.0),
            state=chosen.value,
            label=chosen.value.capitalize(),
            created_at=at,
            created_day=days.number(at),
            today=days.number(now),
            bucket=zlib.crc32(star.encode()) % BUCKETS,
        )
        return await self.get(star)

    async def remove(self, id: str) -> None:
        """Remove a star; its connections go to the archive."""
        checks.identifier("id", id)

        async def work(tx: Transaction, held: Held, moment: Moment) -> None:
            pairs = await tx.rows("stars/pairs", id=id)
            rows = [pair | self._ending(moment, f"{id} was removed") for pair in pairs]
            for row in rows:
                row.pop("pair_key")
            if rows:
                await tx.rows("stars/dissolve", rows=rows)
            await tx.rows("stars/remove", id=id)

        await self._write({id}, work)

    async def engage(
        self,
        id: str,
        gains: Iterable[float] = (),
        losses: float = 0.0,
        at: datetime | None = None,
    ) -> Star:
        """The star's own day: what raised it, what cost it. Wakes it if it sleeps."""
        raised = checks.total("gains", gains)
        lost = checks.total("losses", losses)
        event = str(uuid.uuid4())

        async def work(tx: Transaction, held: Held, moment: Moment) -> None:
            then = self._recent(at, moment)
            await self._touch(tx, id, then, moment)
            await tx.rows(
                "stars/engage",
                id=id,
                gains=raised,
                losses=lost,
                at=then,
                day=moment.day,
                event=event,
            )

        return await self._on_star(id, work)

    async def acknowledge(self, id: str) -> Star:
        """The user says yes to a proposed star: NASCENT becomes FLICKERING, at 0.3."""
        return await self._act(id, "acknowledge")

    async def flag_dark(self, id: str) -> Star:
        """The user calls it an anti-pattern: it turns DARK, its connections SHADOW_MIRROR."""
        return await self._act(id, "flag_dark")

    async def contradict(self, id: str) -> Star:
        """What was done contradicts it; the third time turns it DARK."""
        return await self._act(id, "contradict")

    async def confront(self, id: str, kind: str) -> Star:
        """Face a dark star; with a score of 1 it is integrated and turns DIM."""
        return await self._act(id, checks.word("kind", kind, Confrontation).value)

    async def evidence(
        self,
        a: str,
        b: str,
        type: str,
        *,
        source: str,
        at: datetime | None = None,
        id: str | None = None,
        secondary: bool = False,
    ) -> Connection:
        """Something speaks for a connection; creates it if the rule for its type says so."""
        item = EvidenceItem(
            a=checks.identifier("a", a),
            b=checks.identifier("b", b),
            type=checks.word("type", type, EvidenceType),
            source=checks.text("source", source),
            at=at,
            id=id,
            secondary=secondary,
        )
        return await self._give(self._item(item))

    async def evidence_many(
        self, items: Iterable[EvidenceItem | dict[str, Any]]
    ) -> list[Outcome | Conflict]:
        """Much evidence, in batches of one transaction each; what became of each, in their order.

        A pair that can't be connected now is reported as a Conflict, not raised.
        """
        checked = [self._item(_evidence_item(item)) for item in items]
        outcomes: list[Outcome | Conflict] = []
        for start in range(0, len(checked), EVIDENCE_BATCH):
            batch = checked[start : start + EVIDENCE_BATCH]

            async def work(
                tx: Transaction, held: Held, moment: Moment, batch: list[Item] = batch
            ) -> list[Outcome | Conflict]:
                return await Ledger(tx, held, moment, self._settings).apply(batch)

            outcomes += await self._write({s for i in batch for s in (i.lower, i.upper)}, work)
        return outcomes

    async def connect(
        self, a: str, b: str, type: str | None = None, at: datetime | None = None
    ) -> Connection:
        """The user says these two belong together, and perhaps how. Wakes a sleeping connection."""
        wanted = None if type is None else checks.word("type", type, ConnectionType)
        lower, upper = checks.pair(a, b)
        then = checks.moment("at", at, self._database.clock.now())
        item = Item(
            lower, upper, EvidenceType.USER_CREATES, "user", then, _new_id(), wanted=wanted, start=a
        )
        return await self._give(item)

    async def disconnect(self, a: str, b: str) -> Connection | None:
        """The user says: not connected. None when that ended it."""
        lower, upper = checks.pair(a, b)

        async def work(tx: Transaction, held: Held, moment: Moment) -> Connection | None:
            known = await self._connected(tx, lower, upper)
            young = known["state"] in (ConnectionState.NASCENT, ConnectionState.FORMING)
            if not young:
                loss = self._settings.denial
                row = await self._act_on_pair(tx, lower, upper, moment, loss=loss)
                if row["strength"] > 0.0:
                    await restate(tx, moment, [(lower, upper)], rule="denied by the user")
                    return described(await self._connected(tx, lower, upper))
            end = {"lower": lower, "upper": upper} | self._ending(moment, "denied by the user")
            await tx.rows("stars/dissolve", rows=[end])
            return None

        return await self._write({lower, upper}, work)

    async def retire(self, a: str, b: str) -> Connection:
        """The user no longer sees it: it sleeps until there is new evidence."""
        lower, upper = checks.pair(a, b)

        async def work(tx: Transaction, held: Held, moment: Moment) -> Connection:
            await self._connected(tx, lower, upper)
            await self._act_on_pair(tx, lower, upper, moment, retired=True)
            await restate(tx, moment, [(lower, upper)], rule="retired by the user")
            return described(await self._connected(tx, lower, upper))

        return await self._write({lower, upper}, work)

    async def assign_type(self, a: str, b: str, type: str) -> Connection:
        """The user says how they belong together; of a directed type, `a` acts on `b`."""
        wanted = checks.word("type", type, ConnectionType)
        lower, upper = checks.pair(a, b)

        async def work(tx: Transaction, held: Held, moment: Moment) -> Connection:
            await self._connected(tx, lower, upper)
            await self._act_on_pair(tx, lower, upper, moment)
            await self._assign(tx, held, moment, (lower, upper), wanted, a)
            await restate(tx, moment, [(lower, upper)], rule="type assigned by the user")
            return described(await self._connected(tx, lower, upper))

        return await self._write({lower, upper}, work)

    async def _give(self, item: Item) -> Connection:
        async def work(tx: Transaction, held: Held, moment: Moment) -> Connection:
            [outcome] = await Ledger(tx, held, moment, self._settings).apply([item])
            if isinstance(outcome, Conflict):
                raise outcome
            pair = (item.lower, item.upper)
            row = await tx.row("stars/connection", lower=item.lower, upper=item.upper)
            if row is None:
                return unconnected(item, outcome, moment.now)
            by_user = item.source == "user" and item.type is EvidenceType.USER_CREATES
            if item.wanted is not None and outcome is not Outcome.CREATED:
                await self._assign(tx, held, moment, pair, item.wanted, item.start)
            if by_user and outcome is not Outcome.CREATED:
                await restate(tx, moment, [pair], rule="connected by the user", wake=True)
                row = await self._connected(tx, *pair)
            return described(row, outcome)

        return await self._write({item.lower, item.upper}, work)

    async def _assign(
        self,
        tx: Transaction,
        held: Held,
        moment: Moment,
        pair: tuple[str, str],
        type: ConnectionType,
        first: str,
    ) -> None:
        lower, upper = pair
        dark = [star for star in pair if held[star]["state"] == StarState.DARK]
        start = oriented(type, lower, first, dark)
        row = {
            "pair_key": f"{lower}|{upper}",
            "start": start,
            "end": lower if start == upper else upper,
            "type": type.value,
            "type_source": TypeSource.USER.value,
            "rule": "assigned by the user",
        }
        await retype(tx, moment, [row])

    async def _act(self, id: str, act: str) -> Star:
        async def work(tx: Transaction, held: Held, moment: Moment) -> None:
            await self._touch(tx, id, moment.now, moment)
            row = await tx.row("stars/act", id=id, act=act)
            if row and StarState.DARK in (row["before"], row["after"]):
                await reshade(tx, id, moment)

        return await self._on_star(id, work)

    async def _on_star(self, id: str, work: Work[None]) -> Star:
        async def and_read(tx: Transaction, held: Held, moment: Moment) -> Star:
            await work(tx, held, moment)
            row = await tx.row("stars/star", id=id)
            assert row is not None
            return Star(**row)

        return await self._write({checks.identifier("id", id)}, and_read)

    async def _touch(self, tx: Transaction, id: str, at: datetime, moment: Moment) -> None:
        row = await tx.row("stars/touch", id=id, at=at, day=moment.day)
        woken = [key.split("|") for key in row["woken"]] if row else []
        await restate(tx, moment, woken, rule=f"{id} woke", wake=True)

    async def _act_on_pair(
        self,
        tx: Transaction,
        lower: str,
        upper: str,
        moment: Moment,
        *,
        loss: float = 0.0,
        retired: bool = False,
    ) -> dict[str, Any]:
        row = await tx.row(
            "stars/act_on_pair",
            lower=lower,
            upper=upper,
            loss=loss,
            retired=retired,
            at=moment.now,
            day=moment.day,
        )
        assert row is not None
        return row

    async def _connected(self, tx: Transaction, lower: str, upper: str) -> dict[str, Any]:
        row = await tx.row("stars/connection", lower=lower, upper=upper)
        if row is None:
            raise NotFound("connection", f"{lower}|{upper}", "connect the two stars first")
        return row

    async def _write(self, ids: set[str], work: Work[T]) -> T:
        """Do some work that holds these stars, on a graph closed up to yesterday.

        What happened on open days is settled first: a day takes nothing that came after it.
        """
        while True:
            now = self._database.clock.now()
            moment = Moment(now, days.number(now))
            behind = False

            async def attempt(tx: Transaction, moment: Moment = moment) -> T | None:
                nonlocal behind
                held = await hold(tx, ids)
                for id in sorted(ids - held.keys()):
                    raise NotFound("star", id)
                behind = any(star["closed_day"] < moment.day - 1 for star in held.values())
                return None if behind else await work(tx, held, moment)

            result = await self._database.transaction(attempt)
            if not behind:
                return result  # type: ignore[return-value]
            await Close(self._database).through(moment.day - 1)

    def _item(self, given: EvidenceItem) -> Item:
        lower, upper = checks.pair(given.a, given.b)
        return Item(
            lower,
            upper,
            given.type,
            checks.text("source", given.source),
            checks.moment("at", given.at, self._database.clock.now()),
            _new_id() if given.id is None else checks.identifier("id", given.id),
            given.secondary,
        )

    def _recent(self, at: datetime | None, moment: Moment) -> datetime:
        then = checks.moment("at", at, moment.now)
        hours = self._settings.late_hours
        if moment.now - then > timedelta(hours=hours):
            raise InvalidInput("at", at, f"days older than {hours:g} hours are closed for good")
        return then

    def _ending(self, moment: Moment, reason: str) -> dict[str, Any]:
        return {"at": moment.now, "day": moment.day, "reason": reason}


def _new_id() -> str:
    return uuid.uuid4().hex


def _evidence_item(given: EvidenceItem | dict[str, Any]) -> EvidenceItem:
    try:
        return given if isinstance(given, EvidenceItem) else EvidenceItem(**given)
    except ValidationError as error:
        [first, *_] = error.errors()
        name = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"items: {name}", first["input"], first["msg"]) from error
