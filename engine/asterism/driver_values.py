"""Values of the driver as native Python values."""

from typing import Any, cast

from neo4j import Record
from neo4j.time import Date, DateTime, Time

SCALARS = frozenset((str, int, float, bool, type(None)))


def plain_row(record: Record) -> dict[str, Any]:
    """Return a row as native Python values, with the times that they stand for."""
    return {key: _plain(value) for key, value in cast(Any, record).items()}


def _plain(value: Any) -> Any:
    """Return native Python values all the way down, except vectors, which are long."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, list):
        vector = bool(value) and isinstance(value[0], float)
        return value if vector else _plain_list(value)
    if isinstance(value, (DateTime, Date, Time)):
        return value.to_native()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _plain_list(items: list[Any]) -> list[Any]:
    return [item if type(item) in SCALARS else _plain(item) for item in items]
