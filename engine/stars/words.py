"""Connections as results, with the reason for them in a sentence."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from engine.stars.evidence import Item
from engine.stars.model import (
    Connection,
    ConnectionState,
    ConnectionType,
    Outcome,
    TypeSource,
)


def described(row: dict[str, Any], outcome: Outcome | None = None, note: str = "") -> Connection:
    """Return a connection from a row of the graph."""
    return Connection(**row, why="; ".join(filter(None, (_why(row), note))), outcome=outcome)


def repetition(item: Item, hours: float, repeated_ids: Collection[str]) -> str:
    """Say why a piece of evidence did not count again, and what would count."""
    if item.id in repeated_ids:
        return f"evidence {item.id!r} is recorded already: an id counts once"
    return (
        f"counted once in {hours:g} hours per source and type: {item.type} of source "
        f"{item.source!r} is on record; name another source (source=, on the command line --source)"
    )


def unconnected(item: Item, outcome: Outcome, now: datetime, note: str = "") -> Connection:
    """What evidence leaves behind that makes no connection: a candidate, or a note."""
    return Connection(
        id=item.pair_key,
        a=item.lower,
        b=item.upper,
        type=ConnectionType.RESONANCE,
        type_source=TypeSource.DEFAULT,
        state=ConnectionState.NASCENT,
        strength=0.0,
        confidence=0.0,
        evidence_count=0,
        evidence_eff=0.0,
        last_engaged=now,
        created_at=now,
        why="; ".join(filter(None, (_waiting(outcome), note))),
        outcome=outcome,
    )


def _waiting(outcome: Outcome) -> str:
    if outcome is Outcome.CANDIDATE:
        return "not connected: one co-mention waits for another"
    return "not connected"


def _why(row: dict[str, Any]) -> str:
    sources = {
        TypeSource.USER: "named by the user",
        TypeSource.DETECTED: _pattern(row),
        TypeSource.DEFAULT: _default(row),
    }
    count = row["evidence_count"]
    pieces = "1 piece of evidence" if count == 1 else f"{count} pieces of evidence"
    text = f"{row['type']} {sources[TypeSource(row['type_source'])]}; {pieces}"
    computed = row["computed_type"]
    if row["type_source"] == TypeSource.USER and computed and computed != row["type"]:
        text += f"; the data says {computed}"
    return text


def _default(row: dict[str, Any]) -> str:
    if row["corr"] is None:
        return "by default, for lack of data"
    return f"by default: no clear pattern, r = {row['corr']:.2f}"


def _pattern(row: dict[str, Any]) -> str:
    if row["corr"] is not None:
        return f"detected, r = {row['corr']:.2f}"
    if row["mean_lag_h"] is not None:
        return f"detected, {row['mean_lag_h']:.0f} hours apart"
    return "detected"
