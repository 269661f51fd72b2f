"""Entities and relations of the reference memory server, as texts that recall can find.

An entity is a text with its name and type, each of its observations is one, and so is a relation.
Metadata hold the parts, so that the graph can be read from them exactly.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from asterism.memories.digests import digest_of

EntityPart = Literal["entity", "observation", "relation"]
PARTS: tuple[EntityPart, ...] = ("entity", "observation", "relation")
LINE_TYPES = ("entity", "relation")  # of a line of its file


def entity_id(name: str) -> str:
    """Return the id of the text that stands for an entity."""
    return f"entity-{digest_of(name)}"


def observation_id(name: str, text: str) -> str:
    """Return the id of one observation of an entity."""
    return f"observation-{digest_of(name, text)}"


def relation_id(source: str, target: str, relation_type: str) -> str:
    """Return the id of a relation."""
    return f"relation-{digest_of(source, relation_type, target)}"


def entity_fields(name: str, entity_type: str) -> dict[str, Any]:
    """Return the fields of the text that stands for an entity."""
    metadata = {"part": "entity", "entity": name, "entity_type": entity_type}
    text = f"{name}: {entity_type}"
    return {"id": entity_id(name), "text": text, "about": name, "metadata": metadata}


def observations_fields(name: str, texts: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the fields of observations of an entity, each once, with their order."""
    for place, text in enumerate(dict.fromkeys(texts)):
        metadata = {"part": "observation", "entity": name, "place": place}
        id = observation_id(name, text)
        yield {"id": id, "text": text, "about": name, "metadata": metadata}


def relation_fields(source: str, target: str, relation_type: str) -> dict[str, Any]:
    """Return the fields of a relation: a sentence, for an active verb as its type."""
    metadata = {"part": "relation", "entity": source, "to": target, "relation": relation_type}
    return {
        "id": relation_id(source, target, relation_type),
        "text": f"{source} {relation_type.replace('_', ' ')} {target}",
        "about": source,
        "metadata": metadata,
    }


def is_entity_line(row: Mapping[str, Any]) -> bool:
    """Tell whether a line of JSON is of the reference memory server's file."""
    needed = {"entity": "entityType", "relation": "relationType"}.get(str(row.get("type")))
    return needed is not None and needed in row and "text" not in row


def line_fields(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the texts of one line of that file, or refuse it with ValueError."""
    if row["type"] == "relation":
        yield relation_fields(*(_text(row, name) for name in ("from", "to", "relationType")))
        return
    name, observations = _text(row, "name"), row.get("observations", [])
    if not isinstance(observations, list) or not all(
        isinstance(each, str) for each in observations
    ):
        raise ValueError(f"observations={observations!r}: give a list of texts")
    yield entity_fields(name, _text(row, "entityType"))
    yield from observations_fields(name, observations)


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name}={value!r}: give a text that is not empty")
    return value
