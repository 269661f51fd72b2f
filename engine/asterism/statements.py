"""Statements by name: "stars/why" is the file cypher/stars/why.cypher, header and body."""

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
    r"^// (Parameters|Returns|Access|Scans|Realms|Locks): *(.*(?:\n//   +.*)*)", re.MULTILINE
)
_COLUMN = re.compile(r"(\w+)\s*(?:\(((?:[^()]|\([^()]*\))*)\))?\s*(?:,|$)")
_PART = re.compile(r"((?://[^\n]*\n)+)(.*?);\s*(?=//|$)", re.DOTALL)
_SAMPLE = re.compile(r"^:param (\w+) => (.+);\n+", re.MULTILINE)


class Access(StrEnum):
    """Route of a statement: to readers, to the writer, or in commits of its own."""

    READ = "read"
    WRITE = "write"
    SCHEMA = "schema"
    BATCH = "batch"


@dataclass(frozen=True)
class Statement:
    """One statement: the declarations of its header, and the parameters of its body."""

    name: str
    text: str
    summary: str
    declared: frozenset[str]
    meanings: Mapping[str, str]  # of each column that it returns
    access: Access
    scans: str
    realms: str
    locks: str
    parameters: frozenset[str]
    settings: frozenset[str]
    samples: tuple[tuple[str, str], ...]  # names and values of its `:param` lines

    @property
    def section(self) -> str:
        """The settings section passed as `$settings`: the statement's folder."""
        folder = self.name.partition("/")[0]
        return "recall" if folder == "search_index" else folder

    @property
    def returns(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.meanings)

    @property
    def body(self) -> str:
        """The statement without its header, comments and literals."""
        return _NOT_CODE.sub(" ", self.text)


def folder() -> Path:
    """Return `cypher/`: inside the package when installed, next to it in a checkout."""
    packaged = _HERE / "cypher"
    return packaged if packaged.is_dir() else _HERE.parents[1] / "cypher"


def names() -> list[str]:
    """Return the names of all statements, sorted."""
    root = folder()
    files = (path.relative_to(root).with_suffix("").as_posix() for path in _files(root))
    return sorted(name for file in files for name in _schema_version(file) or [file])


def migrations() -> list[str]:
    """Return the statements of the schema's versions, in order: schema/001/star_id, ..."""
    versions = (f"schema/{path.stem}" for path in sorted(folder().glob("schema/[0-9]*.cypher")))
    return [name for version in versions for name in _schema_version(version)]


@cache
def load(name: str) -> Statement:
    """Return the statement of this name, or fail with the path it would have."""
    version = _schema_version(name.rpartition("/")[0])
    return parse(name, version[name] if name in version else _text(name))


@cache
def _schema_version(name: str) -> dict[str, str]:
    """Return the statements of a file such as schema/001, each with a header of its own.

    They are separated by `;`, and begin with a comment line `// name: purpose.`.
    """
    if not re.fullmatch(r"schema/\d{3}", name):
        return {}
    header, _, body = _text(name).partition("CYPHER 25")
    fields = header[header.index("// Parameters") :]
    batch = fields.replace("Access: schema", "Access: batch")
    parts = {}
    for comment, code in _PART.findall(body):
        part, _, purpose = comment.removeprefix("// ").partition(": ")
        own = batch if "IN TRANSACTIONS" in code else fields
        parts[f"{name}/{part}"] = f"// {purpose}//\n{own}CYPHER 25\n{code}\n"
    return parts


def _text(name: str) -> str:
    return (folder() / f"{name}.cypher").read_text(encoding="utf-8")


def parse(name: str, text: str) -> Statement:
    """Read the header and find the parameters that the body really uses.

    `:param` lines are for people who paste the file: they are no part of what is run.
    """
    samples, text = tuple(_SAMPLE.findall(text)), _SAMPLE.sub("", text)
    header, marker, _ = text.partition("CYPHER 25")
    fields = {key: _joined(value) for key, value in _FIELD.findall(header)}
    missing = {"Parameters", "Returns", "Access"} - fields.keys()
    if missing or not marker:
        lack = ", ".join(sorted(missing)) or "a line CYPHER 25 after it"
        raise ValueError(f"cypher/{name}.cypher: the header lacks {lack}")
    body = _NOT_CODE.sub(" ", text)
    return Statement(
        name=name,
        text=text,
        summary=header.splitlines()[0].removeprefix("//").strip(),
        declared=frozenset(re.findall(r"\$(\w+)", fields["Parameters"])),
        meanings=_columns(name, fields["Returns"]),
        access=Access(fields["Access"]),
        scans=fields.get("Scans", ""),
        realms=fields.get("Realms", ""),
        locks=fields.get("Locks", ""),
        parameters=frozenset(re.findall(r"\$(\w+)", body)),
        settings=frozenset(re.findall(r"\$settings\.(\w+)", body)),
        samples=samples,
    )


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with literals of Cypher in place of its parameters."""
    place = re.compile(rf"(?P<other>{_NOT_CODE.pattern})|\$(?P<name>\w+)", re.DOTALL)
    return place.sub(lambda match: match["other"] or values[match["name"]], text)


def _columns(name: str, declared: str) -> dict[str, str]:
    """Read `name (meaning), name (meaning)`, where a meaning may hold parentheses too."""
    declared = declared.strip().removesuffix(".")
    if declared == "nothing":
        return {}
    columns = dict(_COLUMN.findall(declared))
    if _COLUMN.sub("", declared).strip():
        raise ValueError(f"cypher/{name}.cypher: Returns is not `name (meaning), name (meaning)`")
    return columns


def _files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*.cypher") if path.is_file()]


def _joined(value: str) -> str:
    return " ".join(line.removeprefix("//").strip() for line in value.splitlines())


def literal(value: Any) -> str:
    """Return a value as Cypher writes it."""
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
