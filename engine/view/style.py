"""The style sheet of Neo4j Browser, read as Browser reads it: pictures look the same everywhere."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent.parent
_RULE = re.compile(r"([\w.]+)\s*\{([^}]*)\}")
_PROPERTY = re.compile(r"([\w-]+)\s*:\s*(\"[^\"]*\"|[^;]+);")


@dataclass(frozen=True)
class Look:
    """How a node or a relationship is drawn."""

    color: str
    text: str
    size: float


@dataclass(frozen=True)
class Rule:
    """What one selector sets, for nodes or relationships that have all its labels."""

    target: str
    labels: frozenset[str]
    properties: dict[str, str]


def sheet() -> Path:
    """The style sheet: inside the package when installed, among the docs in a checkout."""
    packaged = _HERE / "asterism.grass"
    return packaged if packaged.is_file() else _HERE.parent / "docs/browser/asterism.grass"


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule of the style sheet, in its order."""
    return tuple(parse(sheet().read_text(encoding="utf-8")))


def parse(text: str) -> list[Rule]:
    """Rules of a style sheet; a caption keeps its braces inside its quotes."""
    found = []
    for selector, body in _RULE.findall(re.sub(r"\"\{(\w+)\}\"", r'"<\1>"', text)):
        target, *labels = selector.split(".")
        properties = {name: value.strip('" ') for name, value in _PROPERTY.findall(body)}
        found.append(Rule(target, frozenset(labels), properties))
    return found


def node(labels: Iterable[str]) -> Look:
    """How a node of these labels is drawn."""
    return _look("node", labels, "diameter")


def relationship(type: str) -> Look:
    """How a relationship of this type is drawn."""
    return _look("relationship", [type], "shaft-width")


def _look(target: str, labels: Iterable[str], size: str) -> Look:
    """Of all rules that fit, the last to set something decides."""
    has = frozenset(labels)
    fitting = [rule for rule in rules() if rule.target == target and rule.labels <= has]
    merged = {name: value for rule in fitting for name, value in rule.properties.items()}
    color, text = merged["color"], merged["text-color-internal"]
    return Look(color, text, float(merged[size].removesuffix("px")))
