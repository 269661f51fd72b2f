"""Identity of evidence: the id of an event of a source, and what a recorded id stands for."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from asterism.memories.models import Changed
from asterism.timestamps import from_micros, to_micros

EVIDENCE = "memory"
GROWTH_US = 10_000_000  # a visit lasts no longer
FIELDS = ("symbol", "price", "side", "usd", "taker_buy_usd", "run_id", "memory")


class RecordedEvent(TypedDict):
    """An entry of the evidence log, as memories/find_targets returns it."""

    id: str
    memory_id: str
    moment: int
    kind: str
    quantity: float
    taker_buy_usd: float | None
    content: str | None
    source: str


@dataclass
class Classified:
    """The items of a batch: those to apply, and those that are recorded or changed."""

    new: list[Any] = field(default_factory=list)
    former_ids: dict[str, str] = field(default_factory=dict)  # of visits that have grown
    duplicate: int = 0
    changed: list[Changed] = field(default_factory=list)


def evidence_id(source: str, event_id: str) -> str:
    """Return the id of an evidence node: the source, in which `|` is escaped, and the event id."""
    escaped = source.replace("%", "%25").replace("|", "%7C")
    return f"{EVIDENCE}:{escaped}|{event_id}"


def unsourced_id(item: Any) -> str:
    """Return the id that evidence had before its source was part of it."""
    return f"{EVIDENCE}:{getattr(item, 'former_id', None) or item.event_id}"


def content_digest(item: Any) -> str:
    """Return a digest of everything an item states but its id."""
    values = [str(item.kind), to_micros(item.ts), float(item.quantity)]
    values += [str(getattr(item, name, None)) for name in FIELDS]
    return hashlib.blake2b(repr(values).encode(), digest_size=8).hexdigest()


def classify(
    source: str,
    batch: Sequence[Any],
    recorded: Sequence[RecordedEvent],
    last_sequence: int | None,
) -> Classified:
    """Sort a batch into new items, grown visits, duplicates, and recorded ids that changed.

    Events of an earlier version have no source in their id: the same content is the same event.
    """
    events = {event["id"]: event for event in recorded}
    result = Classified()
    for item in batch:
        event = events.get(evidence_id(source, item.event_id))
        if event is None:
            event = _unsourced_event(events.get(unsourced_id(item)), source, item)
        _classify_item(item, event, last_sequence, result)
    return result


def _unsourced_event(event: RecordedEvent | None, source: str, item: Any) -> RecordedEvent | None:
    """Return an event of an earlier version, which had no sources, if it is this item."""
    if event is None or event.get("content"):
        return None
    same = event["source"] == source or _is_same(event, item) or _is_one_visit(event, item)
    return event if same else None


def _classify_item(
    item: Any, event: RecordedEvent | None, last_sequence: int | None, result: Classified
) -> None:
    if event is None:
        if _is_passed(item, last_sequence):
            result.duplicate += 1
        else:
            result.new.append(item)
    elif _is_one_visit(event, item) and item.quantity > event["quantity"]:
        result.former_ids[item.event_id] = event["id"]
        result.new.append(item.model_copy(update={"counted": _counted(event, item)}))
    elif _is_same(event, item) or _is_one_visit(event, item):
        result.duplicate += 1
    else:
        result.changed.append(Changed(event_id=item.event_id, reason=_difference(event, item)))


def _is_passed(item: Any, last_sequence: int | None) -> bool:
    """Return whether a source that numbers its items is beyond this one.

    Readers of files number the items of one reading: those are known by their ids alone.
    """
    if item.sequence is None or last_sequence is None or getattr(item, "former_id", None):
        return False
    return bool(item.sequence <= last_sequence)


def _is_same(event: RecordedEvent, item: Any) -> bool:
    if event.get("content"):
        return event["content"] == content_digest(item)
    values = (str(item.kind), to_micros(item.ts), float(item.quantity))
    recorded = (event["kind"], event["moment"], event["quantity"])
    return values == recorded and _is_same_symbol(event, item)


def _is_same_symbol(event: RecordedEvent, item: Any) -> bool:
    symbol = getattr(item, "symbol", None)
    return symbol is None or str(event["memory_id"]).rpartition("@")[0] == symbol


def _is_one_visit(event: RecordedEvent, item: Any) -> bool:
    """Return whether item and event are the same visit, which may have grown since."""
    if not getattr(item, "cumulative", False) or event["kind"] != str(item.kind):
        return False
    apart = abs(to_micros(item.ts) - event["moment"])
    return _is_same_symbol(event, item) and apart <= GROWTH_US


def _counted(event: RecordedEvent, item: Any) -> tuple[float, float]:
    """Return the USD of a visit that are counted already, and the part that takers bought."""
    usd, bought = event["quantity"], event.get("taker_buy_usd")
    if bought is None:  # an earlier version did not store it: as much as of the whole
        bought = usd * (item.taker_buy_usd or 0.0) / item.quantity
    return usd, bought


def _difference(event: RecordedEvent, item: Any) -> str:
    pairs = (
        ("kind", str(item.kind), event["kind"]),
        ("ts", item.ts, from_micros(event["moment"])),
        ("quantity", item.quantity, event["quantity"]),
    )
    for name, value, recorded in pairs:
        if value != recorded:
            return f"{name}: {value}, where {recorded} is recorded under this id"
    return "symbol, price, side or amounts differ from what is recorded under this id"
