"""Write transaction that has locked stars, with the changes that several commands make in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from asterism.database import Transaction
from asterism.row_types import row_of
from asterism.stars.dark_rules import DarkRuleConnection, dark_decision
from asterism.stars.models import Pair, StarState, TypeChange, pair_of, stars_of
from asterism.stars.type_rules import TypeDecision


@dataclass(frozen=True)
class RecordingTime:
    """Time at which changes are recorded, and the epoch day they belong to."""

    now: datetime
    day: int


@row_of("stars/lock_stars")
@dataclass
class LockedStar:
    """A locked star, with what decides about its connections."""

    id: str
    state: str
    constellation: str
    closed_day: int
    excavated_from: int | None


class StarTransaction:
    """A transaction and the stars that it has locked, by id."""

    def __init__(self, tx: Transaction, time: RecordingTime) -> None:
        self.tx = tx
        self.now, self.day = time.now, time.day
        self.settings = tx.database.settings.stars
        self.stars: dict[str, LockedStar] = {}

    async def lock(self, ids: Iterable[str]) -> None:
        """Lock stars in the order of their ids, so that two writers never wait for each other."""
        rows = await self.tx.rows("stars/lock_stars", ids=sorted(ids))
        self.stars |= {row["id"]: LockedStar(**row) for row in rows}

    def with_state(self, ids: Iterable[str], state: StarState) -> list[str]:
        """Return those of the locked stars that are in this state."""
        return [id for id in ids if self.stars[id].state == state]

    async def engage(self, ids: Iterable[str], at: datetime) -> None:
        """Engage locked stars, and wake them and the connections that slept because of them."""
        engaged = sorted(ids)
        rows = await self.tx.rows("stars/mark_engaged", ids=engaged, at=at, day=self.day)
        for id in self.with_state(engaged, StarState.DORMANT):
            self.stars[id].state = StarState.FLICKERING
        # One call for each star that woke, since the change record names it.
        for waker in sorted({row["waker"] for row in rows}):
            pairs = [pair_of(row["pair_key"]) for row in rows if row["waker"] == waker]
            await self.recompute(pairs, f"{waker} woke", wake=True)

    async def recompute(
        self, pairs: Iterable[Pair], rule: str, *, wake: bool = False, engaged: bool = True
    ) -> None:
        """Recompute effective evidence, confidence, state and block of these connections."""
        if rows := [list(pair) for pair in pairs]:
            await self.tx.rows(
                "stars/recompute_connections",
                pairs=rows,
                rule=rule,
                wake=wake,
                engaged=engaged,
                at=self.now,
                day=self.day,
            )

    async def lift_blocks(self, ids: Iterable[str]) -> None:
        """Raise the ceilings of stars that no block holds down any more."""
        await self.tx.rows("stars/lift_blocks", ids=sorted(set(ids)))

    async def dissolve(self, pairs: Sequence[Pair], reason: str) -> None:
        """Archive and delete connections, and lift the blocks among them."""
        if pairs:
            rows = [list(pair) for pair in pairs]
            await self.tx.rows(
                "stars/dissolve", pairs=rows, reason=reason, at=self.now, day=self.day
            )
            await self.lift_blocks(stars_of(pairs))

    async def change_types(self, decisions: Sequence[TypeDecision]) -> list[TypeChange]:
        """Give connections the types decided on, and return the changes."""
        if not decisions:
            return []
        rows = [decision.row() for decision in decisions]
        results = await self.tx.rows("stars/change_types", rows=rows, at=self.now, day=self.day)
        before = {pair_of(row["pair_key"]): row["before"] for row in results}
        return [
            TypeChange(a=to.start, b=to.end, before=before[to.pair], after=to.type, rule=to.rule)
            for to in decisions
            if before.get(to.pair, to.type) != to.type
        ]

    async def apply_dark_rules(self, id: str, *, engaged: bool = True) -> None:
        """Give a star's connections the types that its turning DARK, or its end, decides (D-36)."""
        rows = await self.tx.rows("stars/dark_rule_connections", id=id)
        factor = self.settings.integration_factor
        decisions = [dark_decision(id, DarkRuleConnection(**row), factor) for row in rows]
        changing = [decision for decision in decisions if decision]
        await self.change_types(changing)
        pairs = [decision.pair for decision in changing]
        await self.recompute(pairs, "darkness", engaged=engaged)
        await self.lift_blocks(stars_of(pairs))
