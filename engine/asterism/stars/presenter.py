"""Connection rows as results, with the reason for each in a sentence."""

from collections.abc import Collection
from datetime import datetime

from asterism.database import Row
from asterism.stars.models import (
    Connection,
    ConnectionState,
    ConnectionType,
    EvidenceItem,
    Outcome,
    TypeSource,
    pair_key,
)


def to_connection(row: Row, outcome: Outcome | None = None, note: str = "") -> Connection:
    """Return a connection from a row of stars/connection."""
    return Connection(**row, why="; ".join(filter(None, (_why(row), note))), outcome=outcome)


def repetition_note(item: EvidenceItem, hours: float, repeated_ids: Collection[str | None]) -> str:
    """Return the reason for which a piece of evidence did not count again, and a remedy."""
    if item.id in repeated_ids:
        return f"evidence {item.id!r} is recorded already: an id counts once"
    return (
        f"counted once in {hours:g} hours per source and type: {item.type} of source "
        f"{item.source!r} is on record; name another source (source=, on the command line --source)"
    )


def not_connected(item: EvidenceItem, outcome: Outcome, now: datetime, note: str) -> Connection:
    """Return the result of evidence that made no connection."""
    why = "not connected"
    if outcome is Outcome.CANDIDATE:
        why += ": one co-mention waits for another"
    return Connection(
        id=pair_key(item.pair),
        a=item.pair[0],
        b=item.pair[1],
        type=ConnectionType.RESONANCE,
        type_source=TypeSource.DEFAULT,
        state=ConnectionState.NASCENT,
        strength=0.0,
        confidence=0.0,
        evidence_count=0,
        evidence_eff=0.0,
        last_engaged=now,
        created_at=now,
        why="; ".join(filter(None, (why, note))),
        outcome=outcome,
    )


def _why(row: Row) -> str:
    source, count, computed = row["type_source"], row["evidence_count"], row["computed_type"]
    origins = {"USER": "named by the user", "DETECTED": _pattern(row), "DEFAULT": _default(row)}
    pieces = "1 piece of evidence" if count == 1 else f"{count} pieces of evidence"
    text = f"{row['type']} {origins[source]}; {pieces}"
    differs = source == TypeSource.USER and computed and computed != row["type"]
    return f"{text}; the data says {computed}" if differs else text


def _default(row: Row) -> str:
    if row["corr"] is None:
        return "by default, for lack of data"
    return f"by default: no clear pattern, r = {row['corr']:.2f}"


def _pattern(row: Row) -> str:
    if row["corr"] is not None:
        return f"detected, r = {row['corr']:.2f}"
    if row["mean_lag_h"] is not None:
        return f"detected, {row['mean_lag_h']:.0f} hours apart"
    return "detected"
