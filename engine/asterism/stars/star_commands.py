"""Commands that change a star: add, engage, confront, remove."""

import uuid
import zlib
from collections.abc import Iterable
from datetime import timedelta

from asterism import clock
from asterism.database import Database, Row
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.stars import checks
from asterism.stars.locking import Work, write_locked
from asterism.stars.models import Confrontation, Domain, Star, StarState, pair_of
from asterism.stars.star_transaction import StarTransaction
from asterism.timestamps import epoch_day
from asterism.validation import require_finite

BUCKETS = 256  # the close goes by them: an index on what it changes itself would miss rows
REQUIRED_STATE = {"acknowledge": StarState.NASCENT} | dict.fromkeys(Confrontation, StarState.DARK)


class StarCommands:
    """Runs commands on one star."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.stars

    async def add(
        self,
        name: str,
        *,
        domain: str,
        id: str | None,
        constellation: str,
        brightness: float | None,
        state: str,
        created_at: clock.Moment | None,
        words: Row,
    ) -> str:
        settings, now = self._settings, self._database.clock.now()
        chosen = checks.word("state", state, StarState)
        nascent = chosen is StarState.NASCENT
        usual = settings.nascent_brightness if nascent else settings.acknowledged_brightness
        level = usual if brightness is None else brightness
        at = checks.moment("created_at", created_at, now)
        star = checks.identifier("id", id) if id is not None else uuid.uuid4().hex
        try:
            await self._database.rows(
                "stars/add",
                id=star,
                name=checks.text("name", name),
                domain=checks.word("domain", domain, Domain).value,
                constellation=checks.identifier("constellation", constellation),
                brightness=require_finite("brightness", level, settings.brightness_floor, 1.0),
                state=chosen.value,
                label=chosen.value.capitalize(),
                created_at=at,
                created_day=epoch_day(at),
                today=epoch_day(now),
                bucket=zlib.crc32(star.encode()) % BUCKETS,
                **words,
            )
        except Conflict as error:
            remedy = "choose another id, or read it with get (asterism star show)"
            raise Conflict(f"a star {star!r} already exists in this realm: {remedy}") from error
        return star

    async def update(self, id: str, words: Row) -> None:
        if not words:
            raise InvalidInput("name", None, "give a name, aliases or a description to change")
        star = checks.identifier("id", id)
        if await self._database.row("stars/update", id=star, props=words) is None:
            raise NotFound("star", id)

    async def remove(self, id: str) -> None:
        checks.identifier("id", id)

        async def work(locked: StarTransaction) -> None:
            rows = await locked.tx.rows("stars/connected_pairs", id=id)
            await locked.dissolve([pair_of(row["pair_key"]) for row in rows], f"{id} was removed")
            await locked.tx.rows("stars/remove", id=id)

        await write_locked(self._database, {id}, work)

    async def engage(
        self,
        id: str,
        gains: Iterable[float],
        losses: float | Iterable[float],
        at: clock.Moment | None,
    ) -> Star:
        gained, lost = checks.total("gains", gains), checks.total("losses", losses)
        event = str(uuid.uuid4())

        async def work(locked: StarTransaction) -> None:
            engaged_at = checks.moment("at", at, locked.now)
            hours = self._settings.late_hours
            if locked.now - engaged_at > timedelta(hours=hours):
                remedy = f"days older than {hours:g} hours are closed for good"
                raise InvalidInput("at", at, remedy)
            await locked.engage([id], engaged_at)
            await locked.tx.rows(
                "stars/engage",
                id=id,
                gains=gained,
                losses=lost,
                at=engaged_at,
                day=locked.day,
                event=event,
            )

        return await self._write(id, work)

    async def act(self, id: str, action: str) -> Star:
        """Apply an action of the user, which engages the star in any case."""

        async def work(locked: StarTransaction) -> str | None:
            await locked.engage([id], locked.now)
            row = await locked.tx.one("stars/user_action", id=id, action=action)
            if StarState.DARK in (row["before"], row["after"]):
                await locked.apply_dark_rules(id)
            required = REQUIRED_STATE.get(action)
            if required is None or row["before"] == required:
                return None
            return f"it is not {required}: nothing changed, but it counts as engaged today"

        return await self._write(id, work)

    async def _write(self, id: str, work: Work[str | None]) -> Star:
        """Do some work on a star, and return the star with the note of the work."""

        async def work_and_read(locked: StarTransaction) -> Star:
            note = await work(locked)
            return Star(**await locked.tx.one("stars/get", id=id), note=note)

        return await write_locked(self._database, {checks.identifier("id", id)}, work_and_read)
