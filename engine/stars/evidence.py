"""One piece of evidence, the moment it is recorded, and what a pair of stars is worth after it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.database import Transaction
from engine.stars.evaluation import Verdict
from engine.stars.model import COMPUTED, DIRECTED, ConnectionType, EvidenceType, StarState

Held = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Item:
    """One piece of evidence, checked."""

    lower: str
    upper: str
    type: EvidenceType
    source: str
    at: datetime
    id: str
    secondary: bool = False
    wanted: ConnectionType | None = None
    start: str = ""
    day: int = -1  # the ledger's, if not today's
    verdict: Verdict | None = None

    @property
    def pair_key(self) -> str:
        return f"{self.lower}|{self.upper}"

    @property
    def engages(self) -> bool:
        """Whether it engages its stars once it counts: people do, computations do not."""
        return self.type not in COMPUTED


@dataclass(frozen=True)
class Moment:
    """When evidence is recorded."""

    now: datetime
    day: int


def oriented(type: ConnectionType, lower: str, named_first: str, dark: Sequence[str]) -> str:
    """Where a connection of this type starts."""
    if type in DIRECTED:
        return named_first
    if type is ConnectionType.SHADOW_MIRROR and len(dark) == 1:
        return dark[0]
    return lower


async def restate(
    tx: Transaction,
    moment: Moment,
    pairs: Any,
    *,
    rule: str,
    wake: bool = False,
    engaged: bool = True,
) -> None:
    """Say anew what connections are worth, and in which state they are."""
    rows = [
        {
            "lower": lower,
            "upper": upper,
            "day": moment.day,
            "at": moment.now,
            "wake": wake,
            "engaged": engaged,
            "rule": rule,
        }
        for lower, upper in pairs
    ]
    if rows:
        await tx.rows("stars/restate", rows=rows)


async def engage_stars(
    tx: Transaction, held: Held, moment: Moment, ids: Iterable[str], at: datetime
) -> None:
    """Engage stars that the transaction holds; wake them and what slept because of them."""
    engaged = sorted(ids)
    rows = await tx.rows("stars/touch", ids=engaged, at=at, day=moment.day)
    for id in engaged:
        if held[id]["state"] == StarState.DORMANT:
            held[id]["state"] = StarState.FLICKERING
    for waker in sorted({row["waker"] for row in rows}):
        pairs = [row["pair_key"].split("|") for row in rows if row["waker"] == waker]
        await restate(tx, moment, pairs, rule=f"{waker} woke", wake=True)


async def lift_blocks(tx: Transaction, ids: Iterable[str]) -> None:
    """Raise the ceilings of stars that blocks let go of."""
    await tx.rows("stars/lift", ids=sorted(set(ids)))
