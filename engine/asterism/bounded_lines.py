"""Reads lines of a file that may be hostile: no line is longer in memory than the limit."""

from collections.abc import Iterator
from typing import IO

LONGEST_LINE = 64 * 1024**2
TOO_LONG = f"it is longer than {LONGEST_LINE // 1024**2} MB"
PIECE = 1024**2


def bounded_lines(file: IO[bytes], longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
    """Yield each line with its end, or None for a line that is longer than the limit."""
    while line := file.readline(longest + 1):
        if len(line) <= longest:
            yield line
            continue
        while not line.endswith(b"\n") and (line := file.readline(PIECE)):
            pass
        yield None
