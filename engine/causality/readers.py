"""Transcripts from files: JSON lines, JSON, CSV, and plain `Name: text`."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

from engine.bounded_lines import TOO_LONG, bounded_lines
from engine.causality.transcript import Line
from engine.errors import InvalidInput

_SPEAKER = re.compile(r"(?P<name>[^:.?!]{1,60}):(?:\s+|$)(?P<text>.*)")
_NUMBER = re.compile(r"\s*[+-]?\d+\s*")


class Format(StrEnum):
    """What a transcript's file may be."""

    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    TEXT = "text"


_SUFFIXES = {
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    ".json": Format.JSON,
    ".csv": Format.CSV,
    ".tsv": Format.TSV,
    ".txt": Format.TEXT,
    ".md": Format.TEXT,
}


@dataclass(frozen=True)
class Columns:
    """Which column is what; what is not said is looked for under its usual names."""

    index: str | None = None
    speaker: str | None = None
    text: str | None = None


_USUAL = {
    "index": ("line_index", "index", "line", "turn"),
    "speaker": ("author_name", "speaker", "author", "name"),
    "text": ("content", "text", "utterance", "message"),
}
_COLUMNS = Columns()


def read(
    path: Path | str,
    *,
    format: Format | str | None = None,
    encoding: str = "utf-8",
    columns: Columns = _COLUMNS,
) -> list[Line]:
    """The lines of a file; without an index column they are numbered from 0.

    A file that is not what it says is refused with the line where that shows.
    """
    file = Path(path)
    kind = _format(file, format)
    text = _decoded(file, encoding)
    if kind is Format.TEXT:
        return list(_plain(file, text))
    if kind in (Format.CSV, Format.TSV):
        return list(_lines(file, _table(file, text, kind), columns))
    rows = _json_lines(file, text) if kind is Format.JSONL else _json(file, text)
    return list(_lines(file, rows, columns))


def _format(file: Path, given: Format | str | None) -> Format:
    if given is not None:
        try:
            return Format(given)
        except ValueError as error:
            raise InvalidInput("format", given, f"one of {', '.join(Format)}") from error
    if file.suffix.lower() not in _SUFFIXES:
        remedy = f"its ending tells nothing: say with --format, one of {', '.join(Format)}"
        raise InvalidInput("file", file.name, remedy)
    return _SUFFIXES[file.suffix.lower()]


def _decoded(file: Path, encoding: str) -> str:
    try:
        with file.open("rb") as opened:
            raw = b"".join(_whole(file, opened))
    except OSError as error:
        raise InvalidInput("file", str(file), error.strerror or "can't be read") from error
    if encoding.lower().replace("_", "-") in ("utf-8", "utf8"):
        encoding = "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except LookupError as error:
        remedy = "there is no such encoding; utf-8, cp1252 and utf-16 are usual ones"
        raise InvalidInput("encoding", encoding, remedy) from error
    except UnicodeDecodeError as error:
        at = raw[: error.start].count(b"\n") + 1
        shown = encoding.removesuffix("-sig")
        remedy = f"it is not {shown}: say which encoding it is, for example --encoding cp1252"
        raise _refused(file, at, remedy) from error
    if "\x00" in text:
        at = text[: text.index("\x00")].count("\n") + 1
        raise _refused(file, at, "this is no text file in this encoding")
    return text


def _whole(file: Path, opened: IO[bytes]) -> Iterator[bytes]:
    for at, line in enumerate(bounded_lines(opened), 1):
        if line is None:
            raise _refused(file, at, TOO_LONG)
        yield line


def _plain(file: Path, text: str) -> Iterator[Line]:
    """`Name: text` starts a line; anything else goes on with the one before."""
    speaker, said, count = "", list[str](), 0
    for at, row in enumerate(text.splitlines(), 1):
        match = _SPEAKER.fullmatch(row.strip())
        if match:
            if speaker:
                yield _built(count, speaker, " ".join(filter(None, said)))
                count += 1
            speaker, said = match["name"].strip(), [match["text"].strip()]
        elif row.strip() and speaker:
            said.append(row.strip())
        elif row.strip():
            raise _refused(file, at, "a plain transcript starts with `Name: text`")
    if speaker:
        yield _built(count, speaker, " ".join(filter(None, said)))


def _table(file: Path, text: str, kind: Format) -> Iterator[tuple[int, Mapping[str, Any]]]:
    delimiter = "\t" if kind is Format.TSV else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    at = 0  # the last line of the row before: a fault is named by the line where its row begins
    try:
        at = reader.line_num if reader.fieldnames else 0
        for row in reader:
            if None in row or None in row.values():
                wanted = len(reader.fieldnames or ())
                raise _refused(file, at + 1, f"this row has not the {wanted} columns of the first")
            yield at + 1, row
            at = reader.line_num
    except csv.Error as error:
        raise _refused(file, at + 1, f"this is no CSV: {error}") from error


def _json_lines(file: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for at, row in enumerate(text.split("\n"), 1):
        if row.strip():
            yield at, _record(file, at, _parsed(file, row, at))


def _json(file: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    found = _parsed(file, text, None)
    if isinstance(found, dict) and isinstance(found.get("lines"), list):
        found = found["lines"]
    if not isinstance(found, list):
        raise _refused(file, 1, "a JSON transcript is a list of lines, or has one named lines")
    for at, row in enumerate(found, 1):
        yield at, _record(file, at, row)


def _parsed(file: Path, text: str, line: int | None) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _refused(file, line or error.lineno, f"this is no JSON: {error}") from error
    except RecursionError as error:
        raise _refused(file, line or 1, "this JSON is nested too deeply") from error


def _record(file: Path, at: int, row: Any) -> Mapping[str, Any]:
    if not isinstance(row, dict):
        raise _refused(file, at, "a line is an object with its speaker and its text")
    return row


def _lines(
    file: Path, rows: Iterator[tuple[int, Mapping[str, Any]]], columns: Columns
) -> Iterator[Line]:
    names: dict[str, str | None] = {}
    for count, (at, row) in enumerate(rows):
        names = names or {
            "index": _column(file, at, row, columns.index, "index"),
            "speaker": _column(file, at, row, columns.speaker, "speaker"),
            "text": _column(file, at, row, columns.text, "text"),
        }
        yield _line(file, at, row, names, count)


def _line(
    file: Path, at: int, row: Mapping[str, Any], names: Mapping[str, str | None], count: int
) -> Line:
    values: dict[str, Any] = {}
    for role, name in names.items():
        if name is not None and name not in row:
            raise _refused(file, at, f"there is no {name}, which is the {role}")
        values[role] = count if name is None else row[name]
    index = values["index"]
    if isinstance(index, str) and _NUMBER.fullmatch(index):
        index = int(index)
    if not isinstance(index, int) or isinstance(index, bool):
        raise _refused(file, at, f"{names['index']}={index!r} is no whole number")
    for role in ("speaker", "text"):
        if not isinstance(values[role], str):
            raise _refused(file, at, f"{names[role]}={values[role]!r} is no text")
    return _built(index, values["speaker"], values["text"])


def _built(index: int, speaker: str, text: str) -> Line:
    return Line(line_index=index, author_name=speaker, content=text)


def _column(
    file: Path, at: int, row: Mapping[str, Any], given: str | None, role: str
) -> str | None:
    found = next((name for name in _USUAL[role] if name in row), None)
    wanted = given or found
    if wanted in row or (role == "index" and wanted is None):
        return wanted
    listed = ", ".join(map(str, row)) or "none"
    asked = f"{given!r}" if given else f"the {role}"
    remedy = f"no column is {asked}; there are {listed}: say with --{role}-column"
    raise _refused(file, at, remedy)


def _refused(file: Path, at: int, remedy: str) -> InvalidInput:
    return InvalidInput("file", f"{file.name}, line {at}", remedy)
