"""Nodes and relationships as lines of a file, and as rows of a statement."""

from collections.abc import Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any, NamedTuple

import orjson

from asterism.database import Row
from asterism.filter_marks import stored_marks
from asterism.schema import MARKED_SINCE
from asterism.transfer.data_model import require_node, require_relationship, with_current_names
from asterism.transfer.disk_sort import End
from asterism.transfer.models import VERSION
from asterism.transfer.property_values import decode, encode
from asterism.validation import encodable

NAMED_BY = dict.fromkeys(
    (
        *("Star", "Memory", "Actor", "Moment", "Narrative", "Space", "Thing"),
        *("Intent", "Consequence", "Utterance", "Session", "Evidence", "Prediction"),
        *("BrightnessEvent", "ConnectionChange", "ArchivedConnection", "Candidate", "Run"),
        *("Cursor", "KeptStar", "KeptConnection", "Expectation", "StoreItem"),
    ),
    "id",
) | {"Name": "key", "Term": "stem"}
ONE_EACH = ("EmbeddingModel", "Realm")
OF_THE_REALM = ("caption", "importing", "locked_at", "origin", "realm", "realm_key")

OF_THE_NEXT_MODEL = ("embedding_next", "embedding_next_model", "next_name", "swapping")


class Kind(NamedTuple):
    """Kind of relationship: its type, and the labels that name its ends."""

    type: str
    start: str
    end: str


class NodeRow(NamedTuple):
    """A node as transfer/create_nodes takes it."""

    labels: list[str]
    properties: Row
    times: list[Row]
    vectors: list[Row]


class RelationshipRow(NamedTuple):
    """A relationship as transfer/create_relationships takes it."""

    start: str
    end: str
    properties: Row
    times: list[Row]
    vectors: list[Row]


def line(document: Row) -> bytes:
    """Return one line of JSON, always the same for the same content."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def end(labels: Sequence[str], key: str | None) -> End:
    """Return the name of a node: the label of its constraint, and its key."""
    for label in labels:
        if label in NAMED_BY:
            return label, str(key)
        if label in ONE_EACH:
            return label, ""
    raise ValueError(f"nothing names a node with the labels {', '.join(labels) or 'none'}")


@lru_cache(maxsize=256)
def naming_label(labels: str) -> str:
    """Return the label of its constraint that a node with these labels has, which are one text."""
    return end(labels.split(), "")[0]


def node_line(labels: list[str], properties: Row, realm: str) -> bytes:
    """Return a node's line, without the realm that it is in and a model that is still to come."""
    left_out = OF_THE_REALM if "Realm" in labels else ("realm",)
    facts = encode(properties, realm, (*left_out, *OF_THE_NEXT_MODEL))
    require_node(labels, facts, realm)
    return line({"labels": sorted(labels), "properties": facts})


def relationship_line(type: str, start: End, to: End, properties: Row, realm: str) -> bytes:
    """Return a relationship's line."""
    encoded = encode(properties, realm, OF_THE_NEXT_MODEL) if properties else properties
    require_relationship(type, start[0], to[0], encoded, realm)
    sort = orjson.OPT_SORT_KEYS
    facts = orjson.dumps(encoded, option=sort).decode() if encoded else "{}"  # most have none
    text = f'{{"from":{_end_text(start)},"properties":{facts},"to":{_end_text(to)},'
    return f'{text}"type":{encode_basestring(type)}}}\n'.encode()


def _end_text(end: End) -> str:
    return f"[{encode_basestring(end[0])},{encode_basestring(end[1])}]"


def of_version(document: Row, version: int, schema_version: int) -> Row:
    """Return a line of a file of some version as one of today: with its names, and with marks."""
    if version >= VERSION and schema_version >= MARKED_SINCE:
        return document
    labels, properties = document.get("labels", [document.get("type")]), document.get("properties")
    if not isinstance(properties, dict) or not isinstance(labels, list):
        return document
    if version < VERSION:
        kinds = [label for label in labels if isinstance(label, str)]
        properties = with_current_names(kinds, properties)
    if schema_version < MARKED_SINCE and "Memory" in labels and properties.get("kind") == "text":
        properties = properties | {"marks": stored_marks(properties)}
    return document | {"properties": properties}


def node_row(document: Row, realm: str) -> tuple[End, NodeRow]:
    """Return a node's name and its row, or raise ValueError."""
    if document.keys() != {"labels", "properties"} or not isinstance(document["properties"], dict):
        raise ValueError("a node has labels and properties")
    labels, properties = document["labels"], document["properties"]
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise ValueError("labels are a list of words")
    naming = [label for label in labels if label in NAMED_BY]
    key = properties.get(NAMED_BY[naming[0]]) if naming else ""
    if not isinstance(key, str):
        raise ValueError("a node lacks what names it")
    name = end(labels, key)
    require_node(labels, properties, realm)
    values = decode(properties, realm)
    return name, NodeRow(labels, values.properties, values.times, values.vectors)


def relationship_row(document: Row, realm: str) -> tuple[Kind, RelationshipRow]:
    """Return a relationship's kind and its row, or raise ValueError."""
    if document.keys() != {"from", "properties", "to", "type"}:
        raise ValueError("a relationship has from, properties, to and type")
    if not isinstance(document["type"], str) or not isinstance(document["properties"], dict):
        raise ValueError("a type is a word, and properties are an object")
    start, to = _end(document["from"]), _end(document["to"])
    kind = Kind(document["type"], start[0], to[0])
    require_relationship(*kind, document["properties"], realm)
    values = decode(document["properties"], realm)
    row = RelationshipRow(start[1], to[1], values.properties, values.times, values.vectors)
    return kind, row


def _end(document: Any) -> End:
    if isinstance(document, list) and len(document) == 2:
        label, key = document
        named = isinstance(label, str) and label in NAMED_BY
        if named and isinstance(key, str) and encodable(key):
            return label, key
    raise ValueError(f"{document!r} is no end of a relationship")
