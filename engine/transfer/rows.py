"""A node or a relationship as a line of a file, and as a row for the store."""

import json
from collections.abc import Sequence
from typing import Any

from engine.database import Row
from engine.recall.words import encodable
from engine.transfer.data_model import require_node, require_relationship
from engine.transfer.spool import End
from engine.transfer.values import Values, decoded, encoded

NAMED_BY = dict.fromkeys(
    (
        *("Star", "Memory", "Actor", "Moment", "Narrative", "Space", "Thing"),
        *("Intent", "Consequence", "Utterance", "Session", "Evidence", "Prediction"),
        *("BrightnessEvent", "ConnectionChange", "ArchivedConnection", "Candidate", "Run"),
        *("Cursor", "KeptStar", "KeptConnection"),
    ),
    "id",
) | {"Name": "key", "Term": "stem"}
ONE_EACH = ("EmbeddingModel", "Realm")
OF_THE_REALM = ("caption", "importing", "locked_at", "origin", "realm", "realm_key")


def line(document: Row) -> bytes:
    """One line of JSON, always the same for the same content."""
    text = json.dumps(
        document, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text.encode() + b"\n"


def end(labels: Sequence[str], key: str | None) -> End:
    """What names a node: the label its uniqueness is of, and its key."""
    for label in labels:
        if label in NAMED_BY:
            return label, str(key)
        if label in ONE_EACH:
            return label, ""
    raise ValueError(f"nothing names a node with the labels {', '.join(labels) or 'none'}")


def node_line(labels: Sequence[str], pairs: Sequence[Any], realm: str) -> bytes:
    """A node's line; which realm it is in goes without saying."""
    properties = encoded(pairs, realm)
    for key in OF_THE_REALM if "Realm" in labels else ("realm",):
        properties.pop(key, None)
    require_node(list(labels), properties, realm)
    return line({"labels": sorted(labels), "properties": properties})


def relationship_line(type: str, start: End, to: End, pairs: Sequence[Any], realm: str) -> bytes:
    """A relationship's line."""
    properties = encoded(pairs, realm)
    require_relationship(type, start[0], to[0], properties, realm)
    return line({"from": start, "properties": properties, "to": to, "type": type})


def node_row(told: Row, realm: str) -> tuple[End, Row]:
    """A node's name and its row; ValueError says what is wrong."""
    if told.keys() != {"labels", "properties"} or not isinstance(told["properties"], dict):
        raise ValueError("a node has labels and properties")
    labels, properties = told["labels"], told["properties"]
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise ValueError("labels are a list of words")
    known = [label for label in labels if label in NAMED_BY]
    key = properties.get(NAMED_BY[known[0]]) if known else ""
    if not isinstance(key, str):
        raise ValueError("a node lacks what names it")
    name = end(labels, key)
    require_node(labels, properties, realm)
    return name, {"labels": labels} | vars(decoded(properties, realm))


def relationship_row(told: Row, realm: str) -> tuple[End, End, Row]:
    """A relationship's ends and its row; ValueError says what is wrong."""
    if told.keys() != {"from", "properties", "to", "type"}:
        raise ValueError("a relationship has from, properties, to and type")
    if not isinstance(told["type"], str) or not isinstance(told["properties"], dict):
        raise ValueError("a type is a word, and properties are an object")
    start, to = _end(told["from"]), _end(told["to"])
    require_relationship(told["type"], start[0], to[0], told["properties"], realm)
    values: Values = decoded(told["properties"], realm)
    row = {"type": told["type"], "start": _named(start), "end": _named(to)} | vars(values)
    return start, to, row


def _end(told: Any) -> End:
    match told:
        case [str(label), str(key)] if label in NAMED_BY and encodable(key):
            return label, key
    raise ValueError(f"{told!r} is no end of a relationship")


def _named(end: End) -> Row:
    """An end by the property that its label is looked up by."""
    label, key = end
    return {"label": label} | dict.fromkeys(("id", "key", "stem")) | {NAMED_BY[label]: key}
