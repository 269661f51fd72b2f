"""Data model: the labels, types and properties that the engine writes, and checks against it."""

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from asterism.database import Row
from asterism.transfer.index_limits import require_indexable
from asterism.transfer.zoned_times import is_zoned_time
from asterism.validation import encodable

FILE = Path(__file__).with_name("data_model.toml")
MOST_DIMENSIONS = 2**16
LONG = 2**63
LARGEST_COUNT = 10**12  # of memories or words: a larger count is damaged, and not believed


@dataclass(frozen=True)
class Property:
    """The type of a property's value, and whether it may be missing."""

    type: str
    required: bool


@dataclass(frozen=True)
class Shape:
    """Properties, labels and ends that a kind of node or relationship may have."""

    properties: Mapping[str, Property]
    renamed: Mapping[str, str]  # names of today by older ones, "" for what is stored no more
    label_sets: frozenset[frozenset[str]] = frozenset()
    start: frozenset[str] = frozenset()
    end: frozenset[str] = frozenset()

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The names of the properties that may not be missing."""
        return tuple(name for name, expected in self.properties.items() if expected.required)

    @cached_property
    def fits(self) -> Mapping[str, Callable[[Any], bool]]:
        """Checks of the values of each property."""
        return {name: _check(expected.type, name) for name, expected in self.properties.items()}


@dataclass(frozen=True)
class DataModel:
    """The shape of every label that names a node, and of every relationship type."""

    nodes: Mapping[str, Shape]
    relationships: Mapping[str, Shape]


@cache
def load() -> DataModel:
    """Read the data model."""
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    relationships = {
        type: _relationship(entry) for entry in document["relationships"] for type in entry["types"]
    }
    nodes = {
        label: _node(label, entry, relationships)
        for entry in document["nodes"]
        for label in entry["labels"]
    }
    return DataModel(nodes, relationships)


def with_current_names(kinds: Iterable[str], properties: Row) -> Row:
    """Return the properties of a node's labels or a relationship's type by their names of today."""
    model = load()
    for kind in kinds:
        shape = model.nodes.get(kind) or model.relationships.get(kind)
        if shape and shape.renamed:
            stored = {name for name in properties if shape.renamed.get(name) != ""}
            return {shape.renamed.get(name, name): properties[name] for name in sorted(stored)}
    return properties


def require_node(labels: list[str], properties: Mapping[str, Any], realm: str) -> None:
    """Refuse a node that the engine doesn't write, by a ValueError that says why."""
    nodes = load().nodes
    own = frozenset(labels)
    named = [label for label in labels if label in nodes]
    if len(named) != 1 or len(own) != len(labels) or own not in nodes[named[0]].label_sets:
        text = _short(", ".join(sorted(labels)) or "none")
        raise ValueError(f"no node of Asterism has the labels {text}")
    _require_properties(named[0], nodes[named[0]], properties)
    require_indexable(named[0], properties, realm)


def require_relationship(
    type: str, start: str, end: str, properties: Mapping[str, Any], realm: str
) -> None:
    """Refuse a relationship that the engine doesn't write, likewise."""
    shape = load().relationships.get(type)
    if shape is None:
        raise ValueError(f"no relationship of Asterism has the type {_short(type) or 'none'}")
    if start not in shape.start or end not in shape.end:
        raise ValueError(f"{type} never joins {start} to {end}")
    _require_properties(type, shape, properties)
    require_indexable(type, properties, realm)


def _require_properties(kind: str, shape: Shape, properties: Mapping[str, Any]) -> None:
    for name, value in properties.items():
        fits = shape.fits.get(name)
        if fits is None:
            raise ValueError(f"{kind} has no property {_short(name)!r}")
        if not fits(value):
            expected = shape.properties[name].type
            raise ValueError(f"{kind}.{name} is {_short(repr(value))}, not {expected}")
    for name in shape.required:
        if name not in properties:
            raise ValueError(f"{kind} lacks {name}")


def _node(label: str, entry: Mapping[str, Any], relationships: Mapping[str, Shape]) -> Shape:
    sets = frozenset(frozenset([label, *others.split()]) for others in entry["beside"])
    parent = relationships[entry["like"]] if "like" in entry else Shape({}, {})
    properties = {**parent.properties, **_properties(entry)}
    renamed = {**parent.renamed, **entry.get("renamed", {})}
    properties.pop("realm", None)  # files leave out the realm of a node
    return Shape(properties, renamed, label_sets=sets)


def _relationship(entry: Mapping[str, Any]) -> Shape:
    ends = frozenset(entry["from"]), frozenset(entry["to"])
    return Shape(_properties(entry), entry.get("renamed", {}), frozenset(), *ends)


def _properties(entry: Mapping[str, Any]) -> dict[str, Property]:
    types = entry.get("properties", {})
    return {
        name: Property(type.removesuffix("!"), type.endswith("!")) for name, type in types.items()
    }


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and encodable(value)


def _is_whole(value: Any) -> bool:
    return type(value) is int and -LONG <= value < LONG


def _is_finite(value: Any) -> bool:
    return (type(value) is float and math.isfinite(value)) or _is_whole(value)


def _is_number(value: Any) -> bool:
    return _is_finite(value) or value in ({"float": "nan"}, {"float": "inf"}, {"float": "-inf"})


def _is_vector(value: Any) -> bool:
    """Tell whether it is encoded numbers, or a list of them."""
    encoded = isinstance(value, dict) and value.keys() == {"vector"}
    return encoded or _list_of(_is_finite)(value)


def _is_time(value: Any) -> bool:
    wrapped = isinstance(value, dict) and value.keys() == {"datetime"}
    return wrapped and is_zoned_time(value["datetime"])


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


TYPES: dict[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "truth": lambda value: isinstance(value, bool),
    "whole": _is_whole,
    "number": _is_number,
    "time": _is_time,
    "texts": _list_of(_is_text),
    "wholes": _list_of(_is_whole),
    "truths": _list_of(lambda value: isinstance(value, bool)),
    "numbers": _list_of(_is_number),
    "vector": _is_vector,
    "count": lambda value: _is_whole(value) and abs(value) <= LARGEST_COUNT,
    "dimensions": lambda value: _is_whole(value) and 0 < value <= MOST_DIMENSIONS,
    "finite": _is_finite,
}


def _check(type: str, name: str) -> Callable[[Any], bool]:
    return (lambda value: value == {"realm": name}) if type == "realm" else TYPES[type]
