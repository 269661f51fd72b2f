"""Readers of transcript files: JSON lines, JSON, CSV, and plain `Name: text`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from asterism.bounded_lines import TOO_LONG, bounded_lines
from asterism.causality.transcripts.models import Line
from asterism.errors import InvalidInput
from asterism.tabular import RowError, choose_column, csv_rows, open_file, parse_json

_SPEAKER = re.compile(r"(?P<name>[^:.?!]{1,60}):(?:\s+|$)(?P<text>.*)")
_NUMBER = re.compile(r"\s*[+-]?\d+\s*")


class Format(StrEnum):
    """Formats of a transcript's file."""

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
_USUAL_COLUMNS = {
    "index": ("line_index", "index", "line", "turn"),
    "speaker": ("author_name", "speaker", "author", "name"),
    "text": ("content", "text", "utterance", "message"),
}


@dataclass(frozen=True)
class Columns:
    """Names of the columns, None for one of the usual names."""

    index: str | None = None
    speaker: str | None = None
    text: str | None = None


_COLUMNS = Columns()


def read(
    path: Path | str,
    *,
    format: Format | str | None = None,
    encoding: str = "utf-8",
    columns: Columns = _COLUMNS,
) -> list[Line]:
    """Return the lines of a file, numbered from 0 if it has no index column.

    A file of another format is refused with the line that shows it.
    """
    file = Path(path)
    file_format = _format(file, format)
    try:
        text = _decode(file, encoding)
        if file_format is Format.TEXT:
            return list(_plain_lines(text))
        return list(_table_lines(_rows(text, file_format), columns))
    except RowError as error:
        raise InvalidInput("file", f"{file.name}, line {error.line}", str(error)) from error


def _format(file: Path, format: Format | str | None) -> Format:
    if format is not None:
        try:
            return Format(format)
        except ValueError as error:
            raise InvalidInput("format", format, f"one of {', '.join(Format)}") from error
    if file.suffix.lower() not in _SUFFIXES:
        remedy = f"its ending tells nothing: say with --format, one of {', '.join(Format)}"
        raise InvalidInput("file", file.name, remedy)
    return _SUFFIXES[file.suffix.lower()]


def _decode(file: Path, encoding: str) -> str:
    with open_file(file) as opened:
        lines = list(bounded_lines(opened))
    if None in lines:
        raise RowError(TOO_LONG, lines.index(None) + 1)
    raw = b"".join(line for line in lines if line is not None)
    if encoding.lower().replace("_", "-") in ("utf-8", "utf8"):
        encoding = "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except LookupError as error:
        remedy = "there is no such encoding; utf-8, cp1252 and utf-16 are usual ones"
        raise InvalidInput("encoding", encoding, remedy) from error
    except UnicodeDecodeError as error:
        name = encoding.removesuffix("-sig")
        remedy = f"it is not {name}: say which encoding it is, for example --encoding cp1252"
        raise RowError(remedy, raw[: error.start].count(b"\n") + 1) from error
    if "\x00" in text:
        line = text[: text.index("\x00")].count("\n") + 1
        raise RowError("this is no text file in this encoding", line)
    return text


def _plain_lines(text: str) -> Iterator[Line]:
    """Yield a line for each `Name: text`, with the rows without a name that follow it."""
    speaker, parts, index = "", list[str](), 0
    for number, row in enumerate(text.splitlines(), 1):
        match = _SPEAKER.fullmatch(row.strip())
        if match:
            if speaker:
                yield _line(index, speaker, " ".join(filter(None, parts)))
                index += 1
            speaker, parts = match["name"].strip(), [match["text"].strip()]
        elif row.strip() and speaker:
            parts.append(row.strip())
        elif row.strip():
            raise RowError("a plain transcript starts with `Name: text`", number)
    if speaker:
        yield _line(index, speaker, " ".join(filter(None, parts)))


def _rows(text: str, format: Format) -> Iterable[tuple[int, Mapping[str, Any]]]:
    if format is Format.JSONL:
        return _json_lines(text)
    if format is Format.JSON:
        return _json_list(text)
    return csv_rows(text, "\t" if format is Format.TSV else ",")


def _json_lines(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, row in enumerate(text.split("\n"), 1):
        if row.strip():
            yield number, _json_object(number, parse_json(row, number))


def _json_list(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    rows = parse_json(text)
    if isinstance(rows, dict) and isinstance(rows.get("lines"), list):
        rows = rows["lines"]
    if not isinstance(rows, list):
        raise RowError("a JSON transcript is a list of lines, or has one named lines")
    for number, row in enumerate(rows, 1):
        yield number, _json_object(number, row)


def _json_object(number: int, row: Any) -> Mapping[str, Any]:
    if not isinstance(row, dict):
        raise RowError("a line is an object with its speaker and its text", number)
    return row


def _table_lines(rows: Iterable[tuple[int, Mapping[str, Any]]], columns: Columns) -> Iterator[Line]:
    names: dict[str, str | None] = {}
    for count, (number, row) in enumerate(rows):
        names = names or {
            "index": _column(number, row, columns.index, "index"),
            "speaker": _column(number, row, columns.speaker, "speaker"),
            "text": _column(number, row, columns.text, "text"),
        }
        yield _table_line(number, row, names, count)


def _table_line(
    number: int, row: Mapping[str, Any], names: Mapping[str, str | None], count: int
) -> Line:
    values: dict[str, Any] = {}
    for role, name in names.items():
        if name is not None and name not in row:
            raise RowError(f"there is no {name}, which is the {role}", number)
        values[role] = count if name is None else row[name]
    index = values["index"]
    if isinstance(index, str) and _NUMBER.fullmatch(index):
        index = int(index)
    if not isinstance(index, int) or isinstance(index, bool):
        raise RowError(f"{names['index']}={index!r} is no whole number", number)
    for role in ("speaker", "text"):
        if not isinstance(values[role], str):
            raise RowError(f"{names[role]}={values[role]!r} is no text", number)
    return _line(index, values["speaker"], values["text"])


def _column(number: int, row: Mapping[str, Any], requested: str | None, role: str) -> str | None:
    name = choose_column(row, requested, _USUAL_COLUMNS[role])
    if name is None and (role != "index" or requested):
        missing = f"{requested!r}" if requested else f"the {role}"
        names = ", ".join(map(str, row)) or "none"
        remedy = f"no column is {missing}; there are {names}: say with --{role}-column"
        raise RowError(remedy, number)
    return name


def _line(index: int, speaker: str, text: str) -> Line:
    return Line(line_index=index, author_name=speaker, content=text)
