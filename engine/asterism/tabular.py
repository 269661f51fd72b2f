"""Tables in files: their lines, JSON objects and CSV rows, each refused with a plain reason."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from asterism.bounded_lines import TOO_LONG, bounded_lines
from asterism.errors import InvalidInput
from asterism.message_text import printable

GZIP = b"\x1f\x8b"
MOST_REASONS = 100  # of the bad lines, these have their reasons kept; all are counted
TRIAL_LINES = 100  # lines that may all be bad before a file is taken for something else
PROGRESS_LINES = 256  # lines between two reports of how far the reading is

OnBytes = Callable[[int], None]
Row = dict[str, Any]


class RowError(ValueError):
    """A row that can't be read: the reason, and the line on which it begins, from 1."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


def parse_json(text: str | bytes, line: int | None = None, *, exact: bool = False) -> Any:
    """Parse JSON. With `exact`, numbers with decimals stay text as they were written.

    The line is that of the text in its file, without it the one in the text is reported.
    """
    try:
        return json.loads(text, parse_float=str if exact else None)
    except json.JSONDecodeError as error:
        raise RowError(f"this is no JSON: {error}", line or error.lineno) from error
    except RecursionError as error:
        raise RowError("this JSON is nested too deeply", line or 1) from error
    except ValueError as error:
        long_number = "integer string conversion" in str(error)
        reason = "a number of more than 4,300 digits" if long_number else str(error)
        raise RowError(reason, line or 1) from error


def parse_object(text: str | bytes, line: int = 1, *, exact: bool = False) -> Row:
    """Parse one JSON object."""
    value = parse_json(text, line, exact=exact)
    if not isinstance(value, dict):
        raise RowError("this is no JSON object", line)
    return value


def split_cells(text: str, delimiter: str = ",") -> list[str]:
    """Split one line of CSV, and refuse a cell that goes on in the next line."""
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise RowError(f"this is no CSV: {error}") from error


def pair_cells(heading: Sequence[str], cells: Sequence[str], line: int = 1) -> Row:
    """Return the cells of a row by the names of their columns."""
    if len(cells) != len(heading):
        raise RowError(f"this row has not the {len(heading)} columns of the first", line)
    return dict(zip(heading, cells, strict=True))


def csv_rows(text: str, delimiter: str = ",") -> Iterator[tuple[int, Row]]:
    """Yield the rows of CSV with a heading, each with the line on which it begins.

    A cell in quotes may have several lines. Lines without a cell are skipped.
    """
    records = csv_records(text, delimiter)
    _, heading = next(records, (1, []))
    for line, cells in records:
        yield line, pair_cells(heading, cells, line)


def csv_records(text: str, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each record of CSV, its heading first, with the line where it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    previous_line = 0
    try:
        for cells in reader:
            if cells:
                yield previous_line + 1, cells
            previous_line = reader.line_num
    except csv.Error as error:
        raise RowError(f"this is no CSV: {error}", previous_line + 1) from error


def choose_column(
    names: Iterable[str], requested: str | None = None, usual: Sequence[str] = ()
) -> str | None:
    """Return the requested column, else the first of the usual ones, None without any."""
    available = list(names)
    candidates = usual if requested is None else [requested]
    return next((name for name in candidates if name in available), None)


def open_file(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidInput("file", str(path), f"it can't be read: {reason}") from error


@dataclass(frozen=True)
class BadLine:
    """A line that could not be read, and the reason."""

    line: int
    reason: str


class LineReader:
    """Reads a file line by line, gzipped or plain, and counts the lines that are refused."""

    def __init__(self, path: Path, *, on_bytes: OnBytes | None = None) -> None:
        self.path = path
        self.count = 0
        self.bad_count = 0
        self.bad: list[BadLine] = []
        self._on_bytes = on_bytes or (lambda count: None)
        self._any_accepted = False

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Yield line numbers and lines that are not empty. A broken end counts as a bad line."""
        number = 0
        with open_file(self.path) as raw, _unpacked(raw) as lines:
            try:
                for number, line in enumerate(bounded_lines(lines), 1):
                    if line is None:
                        self.count += 1
                        self.refuse(number, TOO_LONG)
                        continue
                    if number % PROGRESS_LINES == 0:
                        self._on_bytes(raw.tell())
                    if line.strip():
                        self.count += 1
                        yield number, line
            except (EOFError, OSError, zlib.error) as error:
                self.count += 1
                self.refuse(number + 1, f"the file is broken off or damaged here: {error}")
            self._on_bytes(raw.tell())

    def accept(self) -> None:
        """Record that a line was understood: the file is what it was taken for."""
        self._any_accepted = True

    def refuse(self, line: int, reason: str) -> None:
        """Count a bad line."""
        self.bad_count += 1
        if len(self.bad) < MOST_REASONS:
            self.bad.append(BadLine(line, printable(reason)))

    def require_accepted(self, expected: str, *, at_end: bool = False) -> None:
        """Refuse a file of which nothing was understood, after 100 bad lines or at its end."""
        if self._any_accepted or not self.bad or (self.bad_count < TRIAL_LINES and not at_end):
            return
        first = self.bad[0]
        remedy = f"line {first.line}: {first.reason}; give {expected}, or another --format"
        raise InvalidInput("file", str(self.path), remedy)


def whole_text(path: Path) -> str:
    """Return the text of a file, gzipped or plain, or refuse it by RowError."""
    with open_file(path) as raw:
        try:
            return _unpacked(raw).read().decode("utf-8-sig")
        except (EOFError, OSError, zlib.error) as error:
            raise RowError(f"the file is broken off or damaged: {error}") from error
        except UnicodeDecodeError as error:
            raise RowError(f"this is no UTF-8 text: {error.reason}") from error


def first_lines(path: Path, count: int) -> list[bytes]:
    """Return the first lines of a file that are not empty, or refuse a file without any."""
    reader = LineReader(path)
    lines = [line for _, line in islice(reader, count)]
    if not lines:
        reason = "it is empty: give a file that holds something"
        raise InvalidInput("file", str(path), reader.bad[0].reason if reader.bad else reason)
    return lines


def _unpacked(raw: BinaryIO) -> BinaryIO:
    packed = raw.read(len(GZIP)) == GZIP
    raw.seek(0)
    return io.BufferedReader(gzip.GzipFile(fileobj=raw)) if packed else raw
