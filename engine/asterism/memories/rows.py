"""Fields of a memory from its row: state, importance, hours left, time of archiving."""

import json
import math
from datetime import datetime
from typing import TypedDict

from asterism.database import Row
from asterism.memories.models import HistoryEntry, State
from asterism.metadata import from_json
from asterism.row_types import row_of
from asterism.timestamps import from_micros

HOUR_SECONDS = 3600


@row_of("memories/history")
class HistoryRow(TypedDict):
    """One piece of evidence, its time in microseconds and what a memory was before as JSON."""

    moment: int
    kind: str
    quantity: float
    strength: float
    effect: str
    source: str
    before: str | None
    other: str | None
    reason: str | None


def memory_fields(row: Row) -> Row:
    """Return the fields of Memory or MarketLevel from a row of memories/get or memories/levels."""
    properties, strength = row["memory"], row["strength"]
    pending = properties["state"] != "live"
    faded = strength < properties["archive_below"] - 1e-12
    state = State.PENDING if pending else State.ARCHIVED if faded else State.ACTIVE
    if properties.get("duplicate_of") is not None:
        state = State.ARCHIVED
    active = state is State.ACTIVE
    fields = {name: value for name, value in properties.items() if value is not None} | {
        "state": state,
        "strength": strength,
        "importance": strength * properties["confidence"],
        "archive_at": _archive_at(properties) if active else None,
        "archive_in_hours": _hours_left(properties, strength) if active else None,
        "lasts": properties.get("tier"),
        "metadata": from_json(properties.get("metadata")),
    }
    if properties["decay"] == "exp":
        fields["half_life_hours"] = math.log(2) / properties["rate"] / HOUR_SECONDS
    return fields


def history_entry(row: HistoryRow) -> HistoryEntry:
    """Return a row of memories/history as an entry."""
    fields: Row = {name: value for name, value in row.items() if name != "moment"}
    fields["before"] = row["before"] and json.loads(row["before"])
    return HistoryEntry(at=from_micros(row["moment"]), **fields)


def _hours_left(properties: Row, strength: float) -> float:
    """Return the hours on its own clock after which a memory is archived if nothing happens."""
    below, rate = float(properties["archive_below"]), float(properties["rate"])
    seconds: float
    if properties["decay"] == "linear":
        seconds = (strength - below) / (properties["strength"] * rate)
    else:
        seconds = math.log(strength / below) / rate
    return max(0.0, seconds / HOUR_SECONDS)


def _archive_at(properties: Row) -> datetime | None:
    """Return the time at which a memory on the wall clock is archived, in closed form."""
    strength, below, rate = (properties[name] for name in ("strength", "archive_below", "rate"))
    if properties["clock"] != "wall" or strength <= below:
        return None
    left = 1 - below / strength if properties["decay"] == "linear" else math.log(strength / below)
    return from_micros(properties["anchor"] + round(left / rate * 1e6))
