"""Identity of evidence: the key of an event of a source, and what a known key stands for."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.memories.model import Changed, micros, moment

EVIDENCE = "memory"
GROWTH_US = 10_000_000  # a visit lasts no longer
FIELDS = ("symbol", "price", "side", "usd", "taker_buy_usd", "run_id", "memory")


def key(source: str, event_id: str) -> str:
    """Return the id of an evidence node: the source, in which `|` is escaped, and the event id."""
    escaped = source.replace("%", "%25").replace("|", "%7C")
    return f"{EVIDENCE}:{escaped}|{event_id}"


def former_key(item: Any) -> str:
    """Return the id that evidence had before its source was part of it."""
    return f"{EVIDENCE}:{getattr(item, 'former_id', None) or item.event_id}"


def content(item: Any) -> str:
    """Return a digest of what an item says, whatever its id."""
    values = [str(item.kind), micros(item.ts), float(item.quantity)]
    values += [str(getattr(item, name, None)) for name in FIELDS]
    return hashlib.blake2b(repr(values).encode(), digest_size=8).hexdigest()


@dataclass
class Sorted:
    """The items of a batch: those to apply, and how many are known or changed."""

    fresh: list[Any] = field(default_factory=list)
    known_as: dict[str, str] = field(default_factory=dict)  # visits that have grown, by event id
    duplicate: int = 0
    changed: list[Changed] = field(default_factory=list)


def sort(
    source: str, batch: Sequence[Any], known: Sequence[dict[str, Any]], mark: int | None
) -> Sorted:
    """Tell new items from known ones, grown ones and known ids with other content.

    What an earlier version wrote has no source in its id: it is known if it says the same.
    """
    entries = {entry["id"]: entry for entry in known}
    result = Sorted()
    for item in batch:
        entry = entries.get(key(source, item.event_id))
        if entry is None:
            entry = _of_earlier_version(entries.get(former_key(item)), source, item)
        _judge(item, entry, mark, result)
    return result


def _of_earlier_version(
    entry: dict[str, Any] | None, source: str, item: Any
) -> dict[str, Any] | None:
    """Return an entry that an earlier version wrote for the item, which told no sources apart."""
    if entry is None or entry.get("content"):
        return None
    its_own = entry["source"] == source or _says_the_same(entry, item) or _is_one_visit(entry, item)
    return entry if its_own else None


def _judge(item: Any, entry: dict[str, Any] | None, mark: int | None, result: Sorted) -> None:
    if entry is None:
        if _is_passed(item, mark):
            result.duplicate += 1
        else:
            result.fresh.append(item)
    elif _has_grown(entry, item):
        result.known_as[item.event_id] = entry["id"]
        result.fresh.append(item.model_copy(update={"counted": _counted(entry, item)}))
    elif _says_the_same(entry, item) or _is_earlier_part(entry, item):
        result.duplicate += 1
    else:
        result.changed.append(Changed(event_id=item.event_id, reason=_difference(entry, item)))


def _is_passed(item: Any, mark: int | None) -> bool:
    """Return whether a source that numbers its items is beyond this one.

    Adapters number what one reading of a file gives: their ids say which item it is.
    """
    if item.sequence is None or mark is None or getattr(item, "former_id", None):
        return False
    return bool(item.sequence <= mark)


def _says_the_same(entry: dict[str, Any], item: Any) -> bool:
    if entry.get("content"):
        return bool(entry["content"] == content(item))
    same = (str(item.kind), micros(item.ts), float(item.quantity))
    return same == (entry["kind"], entry["moment"], entry["quantity"]) and _same_place(entry, item)


def _same_place(entry: dict[str, Any], item: Any) -> bool:
    symbol = getattr(item, "symbol", None)
    return symbol is None or str(entry["memory_id"]).rpartition("@")[0] == symbol


def _is_one_visit(entry: dict[str, Any], item: Any) -> bool:
    if not getattr(item, "cumulative", False) or entry["kind"] != str(item.kind):
        return False
    return _same_place(entry, item) and abs(micros(item.ts) - entry["moment"]) <= GROWTH_US


def _has_grown(entry: dict[str, Any], item: Any) -> bool:
    return _is_one_visit(entry, item) and item.quantity > entry["quantity"]


def _is_earlier_part(entry: dict[str, Any], item: Any) -> bool:
    return _is_one_visit(entry, item) and item.quantity <= entry["quantity"]


def _counted(entry: dict[str, Any], item: Any) -> tuple[float, float]:
    """Return the USD of a visit that are counted already, and how much of it was bought."""
    usd, bought = entry["quantity"], entry.get("taker_buy_usd")
    if bought is None:  # an earlier version did not keep it: as much as of the whole
        bought = usd * (item.taker_buy_usd or 0.0) / item.quantity
    return usd, bought


def _difference(entry: dict[str, Any], item: Any) -> str:
    pairs = (
        ("kind", str(item.kind), entry["kind"]),
        ("ts", item.ts, moment(entry["moment"])),
        ("quantity", item.quantity, entry["quantity"]),
    )
    for name, value, recorded in pairs:
        if value != recorded:
            return f"{name}: {value}, where {recorded} is recorded under this id"
    return "symbol, price, side or amounts differ from what is recorded under this id"
