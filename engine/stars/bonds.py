"""What brings two stars together or apart: evidence, and the user's word."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from engine import clock
from engine.database import Transaction
from engine.errors import Conflict, InvalidInput, NotFound
from engine.stars import checks
from engine.stars.evidence import Held, Item, Moment, lift_blocks, oriented, restate
from engine.stars.ledger import Ledger
from engine.stars.model import (
    Connection,
    ConnectionState,
    ConnectionType,
    EvidenceItem,
    EvidenceType,
    Outcome,
    StarState,
    TypeSource,
)
from engine.stars.retyping import retype
from engine.stars.words import described, repetition, unconnected
from engine.stars.writing import Writing

EVIDENCE_BATCH = 500
ITEM = "an EvidenceItem, or a dict with a, b, type and source"


class Bonds(Writing):
    """The calls that write connections."""

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
    ) -> Connection:
        """Something speaks for a connection; creates it if the rule for its type says so."""
        fields = {"a": a, "b": b, "source": source, "at": at, "id": id, "secondary": secondary}
        chosen = checks.word("type", type, EvidenceType)
        return await self._give(self._item(_evidence_item(fields | {"type": chosen})))

    async def evidence_many(
        self, items: Iterable[EvidenceItem | dict[str, Any]]
    ) -> list[Outcome | Conflict]:
        """Much evidence, in batches of one transaction each; what became of each, in their order.

        A pair that can't be connected now is reported as a Conflict, not raised.
        """
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
            raise InvalidInput("items", items, f"give a list, and as each item {ITEM}")
        checked = [
            self._item(_evidence_item(item, f"items[{index}]")) for index, item in enumerate(items)
        ]
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
        self, a: str, b: str, type: str | None = None, at: clock.Moment | None = None
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
            state = (await self._connected(tx, lower, upper))["state"]
            if state == ConnectionState.DORMANT:
                row = await tx.row("stars/asleep_since", lower=lower, upper=upper)
                state = row["state"] if row else state
            if state not in (ConnectionState.NASCENT, ConnectionState.FORMING):
                loss = self._settings.denial
                row = await self._act_on_pair(tx, lower, upper, moment, loss=loss)
                if row["strength"] > 0.0:
                    await restate(tx, moment, [(lower, upper)], rule="denied by the user")
                    await lift_blocks(tx, (lower, upper))
                    return described(await self._connected(tx, lower, upper))
            end = {"lower": lower, "upper": upper} | self._ending(moment, "denied by the user")
            await tx.rows("stars/dissolve", rows=[end])
            await lift_blocks(tx, (lower, upper))
            return None

        return await self._write({lower, upper}, work)

    async def retire(self, a: str, b: str) -> Connection:
        """The user no longer sees it: it sleeps until there is new evidence."""
        lower, upper = checks.pair(a, b)

        async def work(tx: Transaction, held: Held, moment: Moment) -> Connection:
            await self._connected(tx, lower, upper)
            await self._act_on_pair(tx, lower, upper, moment, retired=True)
            await restate(tx, moment, [(lower, upper)], rule="retired by the user")
            await lift_blocks(tx, (lower, upper))
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
            await lift_blocks(tx, (lower, upper))
            return described(await self._connected(tx, lower, upper))

        return await self._write({lower, upper}, work)

    async def _give(self, item: Item) -> Connection:
        async def work(tx: Transaction, held: Held, moment: Moment) -> Connection:
            ledger = Ledger(tx, held, moment, self._settings)
            [outcome] = await ledger.apply([item])
            if isinstance(outcome, Conflict):
                raise outcome
            pair = (item.lower, item.upper)
            row = await tx.row("stars/connection", lower=item.lower, upper=item.upper)
            note = ""
            if outcome is Outcome.DUPLICATE:
                note = repetition(item, self._settings.source_hours, ledger.repeated_ids)
            if row is None:
                return unconnected(item, outcome, moment.now, note)
            by_user = item.source == "user" and item.type is EvidenceType.USER_CREATES
            if item.wanted is not None and outcome is not Outcome.CREATED:
                await self._assign(tx, held, moment, pair, item.wanted, item.start)
            if by_user and outcome is not Outcome.CREATED:
                await restate(tx, moment, [pair], rule="connected by the user", wake=True)
                await lift_blocks(tx, pair)
                row = await self._connected(tx, *pair)
            return described(row, outcome, note)

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


def _new_id() -> str:
    return uuid.uuid4().hex


def _evidence_item(given: Any, place: str = "") -> EvidenceItem:
    """Return an item as it is, or made of a mapping; `place` says which of a list it is."""
    if isinstance(given, EvidenceItem):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput(place or "item", given, f"give {ITEM}")
    try:
        return EvidenceItem.model_validate(dict(given))
    except ValidationError as error:
        [first, *_] = error.errors()
        name = ".".join([place, *map(str, first["loc"])]).lstrip(".")
        raise InvalidInput(name, first["input"], _remedy(first)) from error


def _remedy(problem: ErrorDetails) -> str:
    if problem["type"] == "extra_forbidden":
        return f"there is no such field: choose among {', '.join(EvidenceItem.model_fields)}"
    return problem["msg"]
