"""What people do with stars: add them, engage them, face them, remove them."""

import uuid
import zlib
from collections.abc import Iterable
from datetime import datetime, timedelta

from engine import clock
from engine.database import Transaction
from engine.errors import Conflict, InvalidInput
from engine.stars import checks, days
from engine.stars.bonds import Bonds
from engine.stars.evidence import Held, Moment, engage_stars, lift_blocks
from engine.stars.model import (
    Confrontation,
    Domain,
    Star,
    StarState,
)
from engine.stars.retyping import reshade
from engine.stars.writing import Work

BUCKETS = 256
NEEDED = {"acknowledge": StarState.NASCENT} | dict.fromkeys(Confrontation, StarState.DARK)


class Acts(Bonds):
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
        created_at: clock.Moment | None = None,
    ) -> Star:
        """Add a star. Brightness is 0.3 if not given, 0.1 for a NASCENT one."""
        s, now = self._settings, self._database.clock.now()
        chosen = checks.word("state", state, StarState)
        nascent = chosen is StarState.NASCENT
        usual = s.nascent_brightness if nascent else s.acknowledged_brightness
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
                brightness=checks.number("brightness", level, s.brightness_floor, 1.0),
                state=chosen.value,
                label=chosen.value.capitalize(),
                created_at=at,
                created_day=days.number(at),
                today=days.number(now),
                bucket=zlib.crc32(star.encode()) % BUCKETS,
            )
        except Conflict as error:
            remedy = "choose another id, or read it with get (asterism star show)"
            raise Conflict(f"a star {star!r} already exists in this realm: {remedy}") from error
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
                await lift_blocks(tx, {row[end] for row in rows for end in ("lower", "upper")})
            await tx.rows("stars/remove", id=id)

        await self._write({id}, work)

    async def engage(
        self,
        id: str,
        gains: Iterable[float] = (),
        losses: float | Iterable[float] = 0.0,
        at: clock.Moment | None = None,
    ) -> Star:
        """The star's own day: what raised it, what cost it. Wakes it if it sleeps."""
        raised = checks.total("gains", gains)
        lost = checks.total("losses", losses)
        event = str(uuid.uuid4())

        async def work(tx: Transaction, held: Held, moment: Moment) -> None:
            then = self._recent(at, moment)
            await engage_stars(tx, held, moment, [id], then)
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
        """The user says yes to a proposed star: NASCENT becomes FLICKERING, at 0.3.

        Any other star only counts as engaged; `note` says so.
        """
        return await self._act(id, "acknowledge")

    async def flag_dark(self, id: str) -> Star:
        """The user calls it an anti-pattern: it turns DARK, its connections SHADOW_MIRROR."""
        return await self._act(id, "flag_dark")

    async def contradict(self, id: str) -> Star:
        """What was done contradicts it; the third time turns it DARK."""
        return await self._act(id, "contradict")

    async def confront(self, id: str, kind: str) -> Star:
        """Face a dark star; with a score of 1 it is integrated and turns DIM.

        Any other star only counts as engaged; `note` says so.
        """
        return await self._act(id, checks.word("kind", kind, Confrontation).value)

    async def _act(self, id: str, act: str) -> Star:
        async def work(tx: Transaction, held: Held, moment: Moment) -> str | None:
            await engage_stars(tx, held, moment, [id], moment.now)
            row = await tx.row("stars/act", id=id, act=act)
            assert row is not None
            if StarState.DARK in (row["before"], row["after"]):
                await reshade(tx, id, moment)
            needed = NEEDED.get(act)
            if needed is None or row["before"] == needed:
                return None
            return f"it is not {needed}: nothing changed, but it counts as engaged today"

        return await self._on_star(id, work)

    async def _on_star(self, id: str, work: Work[str | None]) -> Star:
        async def and_read(tx: Transaction, held: Held, moment: Moment) -> Star:
            note = await work(tx, held, moment)
            row = await tx.row("stars/star", id=id)
            assert row is not None
            return Star(**row, note=note)

        return await self._write({checks.identifier("id", id)}, and_read)

    def _recent(self, at: clock.Moment | None, moment: Moment) -> datetime:
        then = checks.moment("at", at, moment.now)
        hours = self._settings.late_hours
        if moment.now - then > timedelta(hours=hours):
            raise InvalidInput("at", at, f"days older than {hours:g} hours are closed for good")
        return then
