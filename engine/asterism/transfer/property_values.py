"""Properties as JSON and back, with the same types and bits.

JSON keeps texts, truths, whole numbers and fractions apart, and Python writes a fraction so that it
is read back as it was. What JSON has no word for is an object with one key, which says what it is.
Vectors are float32 in the store and in the file.
"""

import base64
import math
import struct
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from asterism.database import Row
from asterism.embedding import pack_vector
from asterism.realm_names import realm_key
from asterism.search_index import tag_keys

TIMES = {
    "ZONED DATETIME": "datetime",
    "LOCAL DATETIME": "localdatetime",
    "DATE": "date",
    "ZONED TIME": "time",
    "LOCAL TIME": "localtime",
    "DURATION": "duration",
}
VECTOR = "embedding"
PLAIN = frozenset((str, bool, int))
OWN = ("realm", "realm_key", "tag_keys")
JSON_PLAIN = frozenset((str, bool, float))  # most values, as they are
LONG = 2**63
MOST_DIMENSIONS = 4096  # of a vector in the store


@dataclass
class Values:
    """Properties for a statement: plain ones, and those that a function of Cypher makes."""

    properties: Row = field(default_factory=dict)
    times: list[Row] = field(default_factory=list)
    vectors: list[Row] = field(default_factory=list)


def encode(properties: Row, realm: str, left_out: Container[str] = ()) -> Row:
    """Return properties as a file has them, the realm's own values only marked as such."""
    encoded: Row = {}
    for key, value in properties.items():
        if key in left_out:
            continue
        if key in OWN and _same(value, _own(key, realm, properties)):
            encoded[key] = {"realm": key}
        elif type(value) in PLAIN or (type(value) is float and math.isfinite(value)):
            encoded[key] = value
        else:
            encoded[key] = _encoded(key, value)
    return encoded


def decode(document: Row, realm: str) -> Values:
    """Return the properties for a realm, which may be another one, or raise ValueError."""
    values = Values()
    for key, value in document.items():
        if type(value) in JSON_PLAIN:
            values.properties[key] = value
        elif value == {"realm": key} and (own := _own(key, realm, document)) is not None:
            values.properties[key] = own
        else:
            _decode(values, key, value)
    return values


def _decode(values: Values, key: str, value: Any) -> None:
    match value:
        case {"vector": text, **rest} if isinstance(text, str) and not rest:
            values.vectors.append({"key": key, "values": _packed(text)})
        case {"float": str()}:
            values.properties[key] = _plain(value)
        case dict():
            values.times.append(_time(key, value))
        case list():
            values.properties[key] = [_plain(item) for item in value]
            if len({type(item) for item in values.properties[key]}) > 1:
                raise ValueError(f"{key} is a list of several types")
        case _:
            values.properties[key] = _plain(value)


def _same(value: Any, own: Any) -> bool:
    """Compare with the realm's own value, in which the order of tag keys means nothing."""
    return value == own or (isinstance(own, list) and sorted(value) == sorted(own))


def _own(key: str, realm: str, properties: Row) -> Any:
    """Return a property that would be different in another realm, or None."""
    if key == "tag_keys":
        tags = properties.get("tags")
        texts = isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)
        return tag_keys(realm, cast(list[str], tags)) if texts else None
    return {"realm": realm, "realm_key": realm_key(realm)}.get(key)


def _encoded(key: str, value: Any) -> Any:
    if isinstance(value, dict):
        kind = value["type"].removesuffix(" NOT NULL").removeprefix("LIST<").removesuffix(">")
        name = TIMES.get(kind.removesuffix(" NOT NULL"))
        if name is None:
            raise ValueError(f"{key} is a {value['type']}, which no part of Asterism writes")
        return {name: value.get("text", value.get("texts"))}
    if isinstance(value, list):
        text = _vector(value) if key == VECTOR else None
        return [_finite(item) for item in value] if text is None else {"vector": text}
    if isinstance(value, (str, bool, int, float)):
        return _finite(value)
    raise ValueError(f"{key} is a {type(value).__name__}, which no part of Asterism writes")


def _vector(value: list[Any]) -> str | None:
    """Return a vector's bytes, if single precision is all it has."""
    if not value or type(value[0]) is not float:  # as are all the others then
        return None
    exact = np.frombuffer(struct.pack(f"{len(value)}d", *value))  # thrice as fast as from a list
    single = exact.astype("<f4")
    same = exact.tobytes() == single.astype(np.float64).tobytes()
    return base64.b64encode(single.tobytes()).decode() if same else None


def _packed(text: str) -> Any:
    """Return a vector as the server takes it fastest: not number by number."""
    data = base64.b64decode(text, validate=True)
    if not data or len(data) % 4:
        raise ValueError("a vector is cut off")
    vector = np.frombuffer(data, "<f4")
    if not np.isfinite(vector).all() or len(vector) > MOST_DIMENSIONS:
        raise ValueError(f"a vector has at most {MOST_DIMENSIONS} numbers, all of them finite")
    return pack_vector(vector)


def _finite(value: Any) -> Any:
    """Wrap infinity and NaN, for which JSON has no word."""
    beyond = isinstance(value, float) and not math.isfinite(value)
    return {"float": repr(value)} if beyond else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() != {"float"} or value["float"] not in ("nan", "inf", "-inf"):
            raise ValueError(f"{value!r} is no value")
        return float(value["float"])
    if not isinstance(value, (str, bool, int, float)):
        raise ValueError(f"{value!r} is no value")
    if type(value) is int and not -LONG <= value < LONG:
        raise ValueError(f"{value} is larger than a number can be")
    return value


def _time(key: str, value: Row) -> Row:
    if len(value) == 1:
        [(kind, text)] = value.items()
        texts = text if isinstance(text, list) else [text]
        if kind in TIMES.values() and texts and all(isinstance(one, str) for one in texts):
            return {"key": key, "kind": kind, "many": isinstance(text, list), "texts": texts}
    raise ValueError(f"{key} is {value!r}, which is no value")
