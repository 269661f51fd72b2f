"""Finds Cypher: the name "stars/why" is the file cypher/stars/why.cypher, header and body."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`""", re.DOTALL
)
_FIELD = re.compile(
    r"^// (Parameters|Returns|Access|Scans|Realms): *(.*(?:\n//   +.*)*)", re.MULTILINE
)
_SAMPLE = re.compile(r"^:param (\w+) => (.+);\n+", re.MULTILINE)


class Access(StrEnum):
    """How a statement is run: routed to readers, or to the writer, or in its own commits."""

    READ = "read"
    WRITE = "write"
    SCHEMA = "schema"
    BATCH = "batch"


@dataclass(frozen=True)
class Statement:
    """One file of Cypher: what its header declares, and what its body uses."""

    name: str
    text: str
    summary: str
    declared: frozenset[str]
    returns: tuple[str, ...]
    access: Access
    scans: str
    realms: str
    parameters: frozenset[str]
    settings: frozenset[str]
    samples: tuple[tuple[str, str], ...]  # its `:param` lines: names, and what they stand for

    @property
    def section(self) -> str:
        """The settings section offered as `$settings`: the statement's folder."""
        return self.name.partition("/")[0]

    @property
    def body(self) -> str:
        """The statement without its header, comments and literals."""
        return _NOT_CODE.sub(" ", self.text)


def folder() -> Path:
    """`cypher/`: inside the package when installed, beside it in a checkout."""
    packaged = _HERE / "cypher"
    return packaged if packaged.is_dir() else _HERE.parent / "cypher"


def names() -> list[str]:
    """Every statement there is, sorted."""
    root = folder()
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in _files(root))


def migrations() -> list[str]:
    """The statements of the schema's versions, in order: schema/001/..., schema/002/..."""
    return [name for name in names() if re.match(r"schema/\d{3}/", name)]


@cache
def load(name: str) -> Statement:
    """The statement of this name; a misspelt one fails here, with the path it looked for."""
    text = (folder() / f"{name}.cypher").read_text(encoding="utf-8")
    return parse(name, text)


def parse(name: str, text: str) -> Statement:
    """Read the header and find the parameters that the body really uses.

    `:param` lines are for people who paste the file: they are no part of what is run.
    """
    samples, text = tuple(_SAMPLE.findall(text)), _SAMPLE.sub("", text)
    header, marker, _ = text.partition("CYPHER 25")
    fields = {key: _joined(value) for key, value in _FIELD.findall(header)}
    missing = {"Parameters", "Returns", "Access"} - fields.keys()
    if missing or not marker:
        wanted = ", ".join(sorted(missing)) or "a line CYPHER 25 after it"
        raise ValueError(f"cypher/{name}.cypher: the header lacks {wanted}")
    body = _NOT_CODE.sub(" ", text)
    return Statement(
        name=name,
        text=text,
        summary=header.splitlines()[0].removeprefix("//").strip(),
        declared=frozenset(re.findall(r"\$(\w+)", fields["Parameters"])),
        returns=tuple(re.findall(r"\w+", fields["Returns"].replace("nothing", ""))),
        access=Access(fields["Access"]),
        scans=fields.get("Scans", ""),
        realms=fields.get("Realms", ""),
        parameters=frozenset(re.findall(r"\$(\w+)", body)),
        settings=frozenset(re.findall(r"\$settings\.(\w+)", body)),
        samples=samples,
    )


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with values, as Cypher writes them, in place of its parameters."""
    place = re.compile(rf"(?P<kept>{_NOT_CODE.pattern})|\$(?P<name>\w+)", re.DOTALL)
    return place.sub(lambda found: found["kept"] or values[found["name"]], text)


def _files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*.cypher") if path.is_file()]


def _joined(value: str) -> str:
    return " ".join(line.removeprefix("//").strip() for line in value.splitlines())


def literal(value: Any) -> str:
    """A value as Cypher writes it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{quoted}'"
    if isinstance(value, Mapping):
        pairs = (f"`{name}`: {literal(each)}" for name, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"Cypher has no literal for {value}")
    return repr(value)
