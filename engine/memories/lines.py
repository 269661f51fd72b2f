"""Reads a file line by line, gzipped or plain, however long, and keeps count of what is wrong."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from engine.bounded_lines import TOO_LONG, bounded_lines
from engine.errors import InvalidInput
from engine.memories import problems

GZIP = b"\x1f\x8b"
BAD_KEPT = 100  # of the bad lines, these are told one by one; all are counted
TRIAL = 100  # lines that may all be bad before a file is taken for something else
EVERY = 256  # lines between two reports of how far it is
IDENTITY_DIGITS = 12
BEGINNING = 100  # lines within which a file shows what it is

OnBytes = Callable[[int], None]


@dataclass(frozen=True)
class BadLine:
    """A line that said nothing: which one, and why."""

    line: int
    reason: str


class Lines:
    """The lines of a file that hold something."""

    def __init__(self, path: Path, *, on_bytes: OnBytes | None = None) -> None:
        self.path = path
        self.count = 0
        self.bad_count = 0
        self.bad: list[BadLine] = []
        self._on_bytes = on_bytes or (lambda count: None)
        self._good = False

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Line numbers, from 1, and lines; what has broken off is a bad line at the end."""
        number = 0
        with _opened(self.path) as raw, _unpacked(raw) as lines:
            try:
                for number, line in enumerate(bounded_lines(lines), 1):
                    if line is None:
                        self.count += 1
                        self.refuse(number, TOO_LONG)
                        continue
                    if number % EVERY == 0:
                        self._on_bytes(raw.tell())
                    if line.strip():
                        self.count += 1
                        yield number, line
            except (EOFError, OSError, zlib.error) as error:
                self.count += 1
                self.refuse(number + 1, f"the file is broken off or damaged here: {error}")
            self._on_bytes(raw.tell())

    def first(self) -> bytes:
        """The first line that holds something."""
        return self._head(1)[0]

    def identity(self, *marks: bytes) -> str:
        """Return what tells this file from others: a digest of its beginning.

        It reaches to the first line that holds all marks, or to the second line where none does
        or a heading comes first. So it stays when the file is moved, renamed, packed or grows.
        """
        lines: list[bytes] = []
        for line in self._head(BEGINNING):
            lines.append(line.strip())
            if marks and all(mark in line for mark in marks):
                return _digest(lines)
        return _digest(lines[:2])

    def former_identity(self) -> str:
        """Return what an earlier version told this file by: its first two lines."""
        return _digest([line.strip() for line in self._head(2)])

    def _head(self, count: int) -> list[bytes]:
        lines = Lines(self.path)
        head = [line for _, line in islice(lines, count)]
        if head:
            return head
        if lines.bad:
            raise InvalidInput("file", str(self.path), lines.bad[0].reason)
        raise InvalidInput("file", str(self.path), "it is empty: give a file that holds something")

    def accept(self) -> None:
        """Note that a line was understood: the file is what it was taken for."""
        self._good = True

    def refuse(self, number: int, reason: str) -> None:
        """Count a bad line."""
        self.bad_count += 1
        if len(self.bad) < BAD_KEPT:
            self.bad.append(BadLine(number, problems.printable(reason)))

    def refuse_all(self, wanted: str, *, ended: bool = False) -> None:
        """Give up on a file of which nothing was understood so far."""
        if self._good or not self.bad or (self.bad_count < TRIAL and not ended):
            return
        first = self.bad[0]
        remedy = f"line {first.line}: {first.reason}; give {wanted}, or another --format"
        raise InvalidInput("file", str(self.path), remedy)


def _digest(lines: list[bytes]) -> str:
    return hashlib.sha256(b"\n".join(lines)).hexdigest()[:IDENTITY_DIGITS]


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise InvalidInput("file", str(path), f"it can't be read: {error.strerror}") from error


def _unpacked(raw: BinaryIO) -> BinaryIO:
    packed = raw.read(len(GZIP)) == GZIP
    raw.seek(0)
    return io.BufferedReader(gzip.GzipFile(fileobj=raw)) if packed else raw
