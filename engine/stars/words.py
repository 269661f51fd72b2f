"""Connections as results, with the reason for them in a sentence."""

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


def described(row: dict[str, Any], outcome: Outcome | None = None) -> Connection:
    """A connection from a row of the graph."""
    return Connection(**row, why=_why(row), outcome=outcome)


def unconnected(item: Item, outcome: Outcome, now: datetime) -> Connection:
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
        why="not connected: one co-mention waits for another"
        if outcome is Outcome.CANDIDATE
        else "not connected",
        outcome=outcome,
    )


def _why(row: dict[str, Any]) -> str:
    sources = {
        TypeSource.USER: "named by the user",
        TypeSource.DETECTED: _pattern(row),
        TypeSource.DEFAULT: "by default, for lack of data",
    }
    count = row["evidence_count"]
    pieces = "1 piece of evidence" if count == 1 else f"{count} pieces of evidence"
    text = f"{row['type']} {sources[TypeSource(row['type_source'])]}; {pieces}"
    computed = row["computed_type"]
    if row["type_source"] == TypeSource.USER and computed and computed != row["type"]:
        text += f"; the data says {computed}"
    return text


def _pattern(row: dict[str, Any]) -> str:
    if row["corr"] is not None:
        return f"detected, r = {row['corr']:.2f}"
    if row["mean_lag_h"] is not None:
        return f"detected, {row['mean_lag_h']:.0f} hours apart"
    return "detected"
