"""Commands that create, change or end connections: evidence, and the user's word."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from asterism import clock
from asterism.database import Database, Row
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.stars import checks
from asterism.stars.apply_evidence import EvidenceLedger
from asterism.stars.locking import write_locked
from asterism.stars.models import (
    Connection,
    ConnectionState,
    ConnectionType,
    EvidenceItem,
    EvidenceType,
    Outcome,
    Pair,
    StarState,
    pair_key,
    stars_of,
)
from asterism.stars.presenter import not_connected, repetition_note, to_connection
from asterism.stars.star_transaction import StarTransaction
from asterism.stars.type_review import batches
from asterism.stars.type_rules import user_decision

EVIDENCE_BATCH = 500


class ConnectionCommands:
    """Runs commands on the connection of a pair."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.stars

    async def evidence(self, fields: Mapping[str, Any]) -> Connection:
        type = checks.word("type", fields["type"], EvidenceType)
        item = self._checked(checks.evidence_item({**fields, "type": type}))
        return await self._apply(item)

    async def evidence_many(
        self, items: Iterable[EvidenceItem | dict[str, Any]]
    ) -> list[Outcome | Conflict]:
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
            raise InvalidInput("items", items, f"give a list, and as each item {checks.ITEM}")
        checked = [
            self._checked(checks.evidence_item(item, f"items[{index}]"))
            for index, item in enumerate(items)
        ]
        outcomes: list[Outcome | Conflict] = []
        for batch in batches(checked, EVIDENCE_BATCH):

            async def work(
                locked: StarTransaction, batch: list[EvidenceItem] = batch
            ) -> list[Outcome | Conflict]:
                return await EvidenceLedger(locked).apply(batch)

            stars = stars_of(item.pair for item in batch)
            outcomes += await write_locked(self._database, stars, work)
        return outcomes

    async def connect(
        self, a: str, b: str, type: str | None, at: clock.Moment | None
    ) -> Connection:
        chosen = None if type is None else checks.word("type", type, ConnectionType)
        checks.pair(a, b)
        then = checks.moment("at", at, self._database.clock.now())
        item = EvidenceItem(a=a, b=b, type=EvidenceType.USER_CREATES, source="user", at=then)
        return await self._apply(self._checked(item), chosen)

    async def disconnect(self, a: str, b: str) -> Connection | None:
        pair = checks.pair(a, b)
        reason = "denied by the user"

        async def work(locked: StarTransaction) -> Connection | None:
            state = (await _connection(locked, pair))["state"]
            if state == ConnectionState.DORMANT:
                row = await locked.tx.row("stars/state_before_sleep", lower=pair[0], upper=pair[1])
                state = row["state"] if row else state
            if state not in (ConnectionState.NASCENT, ConnectionState.FORMING):
                strength = await self._act(locked, pair, loss=self._settings.denial)
                if strength > 0.0:
                    return to_connection(await _recomputed(locked, pair, reason))
            await locked.dissolve([pair], reason)
            return None

        return await write_locked(self._database, pair, work)

    async def retire(self, a: str, b: str) -> Connection:
        pair = checks.pair(a, b)

        async def work(locked: StarTransaction) -> Connection:
            await self._act(locked, pair, retired=True)
            return to_connection(await _recomputed(locked, pair, "retired by the user"))

        return await write_locked(self._database, pair, work)

    async def assign_type(self, a: str, b: str, type: str) -> Connection:
        chosen = checks.word("type", type, ConnectionType)
        pair = checks.pair(a, b)

        async def work(locked: StarTransaction) -> Connection:
            await self._act(locked, pair)
            dark = locked.with_state(pair, StarState.DARK)
            await locked.change_types([user_decision(chosen, pair, a, dark)])
            row = await _recomputed(locked, pair, "type assigned by the user")
            return to_connection(row)

        return await write_locked(self._database, pair, work)

    async def _apply(self, item: EvidenceItem, type: ConnectionType | None = None) -> Connection:
        """Apply one piece of evidence, and assign the type that the user chose with it, if any."""
        pair = item.pair

        async def work(locked: StarTransaction) -> Connection:
            decisions = {}
            if type is not None:
                dark = locked.with_state(pair, StarState.DARK)
                decisions[pair] = user_decision(type, pair, item.a, dark)
            ledger = EvidenceLedger(locked, decisions)
            [outcome] = await ledger.apply([item])
            if isinstance(outcome, Conflict):
                raise outcome
            note = ""
            if outcome is Outcome.DUPLICATE:
                note = repetition_note(item, self._settings.source_hours, ledger.repeated_ids)
            row = await locked.tx.row("stars/connection", lower=pair[0], upper=pair[1])
            if row is None:  # a candidate, or late evidence
                return not_connected(item, outcome, locked.now, note)
            by_user = item.source == "user" and item.type is EvidenceType.USER_CREATES
            if by_user and outcome is not Outcome.CREATED:
                await locked.change_types(list(decisions.values()))
                row = await _recomputed(locked, pair, "connected by the user", wake=True)
            return to_connection(row, outcome, note)

        return await write_locked(self._database, pair, work)

    async def _act(
        self, locked: StarTransaction, pair: Pair, *, loss: float = 0.0, retired: bool = False
    ) -> float:
        """Engage a connection, take its loss or put it to sleep, and return its strength."""
        row = await locked.tx.row(
            "stars/user_connection_action",
            lower=pair[0],
            upper=pair[1],
            loss=loss,
            retired=retired,
            at=locked.now,
            day=locked.day,
        )
        return float(_required(row, pair)["strength"])

    def _checked(self, item: EvidenceItem) -> EvidenceItem:
        """Refuse bad values, and fill in the time and the id."""
        checks.pair(item.a, item.b)
        checks.text("source", item.source)
        at = checks.moment("at", item.at, self._database.clock.now())
        id = uuid.uuid4().hex if item.id is None else checks.identifier("id", item.id)
        return item.model_copy(update={"at": at, "id": id})


async def _connection(locked: StarTransaction, pair: Pair) -> Row:
    row = await locked.tx.row("stars/connection", lower=pair[0], upper=pair[1])
    return _required(row, pair)


async def _recomputed(locked: StarTransaction, pair: Pair, rule: str, *, wake: bool = False) -> Row:
    await locked.recompute([pair], rule, wake=wake)
    await locked.lift_blocks(pair)
    return await _connection(locked, pair)


def _required(row: Row | None, pair: Pair) -> Row:
    if row is None:
        raise NotFound("connection", pair_key(pair), "connect the two stars first")
    return row
