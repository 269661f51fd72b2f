"""Identity of a file by its beginning, from which the ids of its events are made."""

import hashlib
from pathlib import Path

from asterism.tabular import first_lines

DIGITS = 12
BEGINNING = 100  # lines within which a file shows what it is


def file_identity(path: Path, *marks: bytes) -> str:
    """Return a digest of a file's beginning.

    It reaches to the first line that holds all marks, or to the second line where none does
    or a heading comes first. So it stays when the file is moved, renamed, packed or grows.
    """
    lines: list[bytes] = []
    for line in first_lines(path, BEGINNING):
        lines.append(line.strip())
        if marks and all(mark in line for mark in marks):
            return _digest(lines)
    return _digest(lines[:2])


def former_identity(path: Path) -> str:
    """Return the digest of the first two lines, by which an earlier version identified a file."""
    return _digest([line.strip() for line in first_lines(path, 2)])


def _digest(lines: list[bytes]) -> str:
    return hashlib.sha256(b"\n".join(lines)).hexdigest()[:DIGITS]
