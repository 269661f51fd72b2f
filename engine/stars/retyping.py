"""How connections get another type, and what darkness does to them."""

from typing import Any

from engine.database import Transaction
from engine.stars.evidence import Moment, lift_blocks, oriented, restate
from engine.stars.model import ConnectionType, TypeChange, TypeSource


async def hold(tx: Transaction, ids: set[str]) -> dict[str, dict[str, Any]]:
    """Lock stars in the order of their ids; what decides about them, by id."""
    rows = await tx.rows("stars/lock", ids=sorted(ids))
    return {row["id"]: row for row in rows}


async def retype(tx: Transaction, moment: Moment, rows: list[dict[str, Any]]) -> list[TypeChange]:
    """Give connections other types; says what changed."""
    if not rows:
        return []
    stamped = [{"factor": 1.0, "day": moment.day, "at": moment.now} | row for row in rows]
    done = {row["pair_key"]: row for row in await tx.rows("stars/retype", rows=stamped)}
    return [
        TypeChange(
            a=row["start"], b=row["end"], before=was["was"], after=was["type"], rule=row["rule"]
        )
        for row in stamped
        if (was := done.get(row["pair_key"])) and was["was"] != was["type"]
    ]


async def reshade(
    tx: Transaction, id: str, moment: Moment, *, engaged: bool = True
) -> list[TypeChange]:
    """What a star's turning DARK, or its integration, does to its connections (D-36)."""
    found = await tx.rows("stars/shadows", id=id)
    factor = tx.database.settings.stars.integration_factor
    rows = [row for row in (_shaded(id, each, factor) for each in found) if row]
    changes = await retype(tx, moment, rows)
    pairs = [(row["lower"], row["upper"]) for row in rows]
    await restate(tx, moment, pairs, rule="darkness", engaged=engaged)
    await lift_blocks(tx, {star for pair in pairs for star in pair})
    return changes


def _shaded(id: str, found: dict[str, Any], factor: float) -> dict[str, Any] | None:
    lower, upper, was = found["lower"], found["upper"], found["type"]
    free = found["type_source"] != TypeSource.USER
    other = lower if id == upper else upper
    new = {"lower": lower, "upper": upper, "pair_key": f"{lower}|{upper}"}
    detected = {"type_source": TypeSource.DETECTED.value}
    if found["dark"] and free:
        dark = [id, other] if found["other_dark"] else [id]
        type = ConnectionType.SHADOW_MIRROR
        start = oriented(type, lower, lower, dark)
        rule = f"{id} is DARK"
        return _turned(new | detected, type, start, rule)
    if not found["dark"] and free and was == ConnectionType.SHADOW_MIRROR:
        if found["other_dark"]:
            return _turned(new | detected, ConnectionType.SHADOW_MIRROR, other, f"{other} is DARK")
        return _turned(new | detected, ConnectionType.RESONANCE, lower, f"{id} is integrated")
    if not found["dark"] and was == ConnectionType.BLOCKS and found["start"] == id:
        kept = {"type_source": found["type_source"], "factor": factor}
        return _turned(new | kept, ConnectionType.BLOCKS, id, f"{id} is integrated")
    return None


def _turned(row: dict[str, Any], type: ConnectionType, start: str, rule: str) -> dict[str, Any]:
    end = row["lower"] if start == row["upper"] else row["upper"]
    return row | {"type": type.value, "start": start, "end": end, "rule": rule}
