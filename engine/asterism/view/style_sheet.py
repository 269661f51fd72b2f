"""Style sheet of Neo4j Browser, read as Browser reads it: pictures look the same everywhere."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent.parent
_RULE = re.compile(r"([\w.]+)\s*\{([^}]*)\}")
_PROPERTY = re.compile(r"([\w-]+)\s*:\s*(\"[^\"]*\"|[^;]+);")


@dataclass(frozen=True)
class Style:
    """Colours and size of a node or a relationship."""

    color: str
    text: str
    size: float


@dataclass(frozen=True)
class Rule:
    """Properties that one selector sets, for nodes or relationships that have all its labels."""

    target: str
    labels: frozenset[str]
    properties: dict[str, str]


def path() -> Path:
    """Return the file: inside the package when installed, among the docs in a checkout."""
    packaged = _HERE / "asterism.grass"
    return packaged if packaged.is_file() else _HERE.parents[1] / "docs/browser/asterism.grass"


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule of the style sheet, in its order."""
    return tuple(parse(path().read_text(encoding="utf-8")))


def parse(text: str) -> list[Rule]:
    """Return the rules of a style sheet, in which a caption has braces inside its quotes."""
    parsed = []
    for selector, body in _RULE.findall(re.sub(r"\"\{(\w+)\}\"", r'"<\1>"', text)):
        target, *labels = selector.split(".")
        properties = {name: value.strip('" ') for name, value in _PROPERTY.findall(body)}
        parsed.append(Rule(target, frozenset(labels), properties))
    return parsed


def node_style(labels: Iterable[str]) -> Style:
    """Return the style of a node with these labels."""
    return _style("node", labels, "diameter")


def relationship_style(type: str) -> Style:
    """Return the style of a relationship of this type."""
    return _style("relationship", [type], "shaft-width")


def _style(target: str, labels: Iterable[str], size: str) -> Style:
    """Merge the rules that fit, the last to set a property deciding."""
    node_labels = frozenset(labels)
    fitting = [rule for rule in rules() if rule.target == target and rule.labels <= node_labels]
    merged = {name: value for rule in fitting for name, value in rule.properties.items()}
    color, text = merged["color"], merged["text-color-internal"]
    return Style(color, text, float(merged[size].removesuffix("px")))
