"""Sizes and times of files whose sha256 was right, so that it is not computed at every start."""

import hashlib
import json
import time
from contextlib import suppress
from pathlib import Path

from asterism.local.home import write_private

UNSETTLED_NS = 3_000_000_000  # coarser clocks of disks may not tell a change that soon from none


class CheckedFiles:
    """Files that were found intact, remembered in one file until one of them changes."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self._checked = _read(record)
        self._before = dict(self._checked)

    def is_intact(self, path: Path, sha256: str) -> bool:
        """Tell whether a file has this sha256, without reading it if it had and has not changed.

        The first digits are enough, if they are as many as tell files apart.
        """
        try:
            facts = path.stat()
        except OSError:
            return False
        times = (facts.st_mtime_ns, facts.st_ctime_ns)
        entry = [sha256, facts.st_size, *times, facts.st_ino]
        if self._checked.get(path.name) == entry:
            return True
        self._checked.pop(path.name, None)
        if not sha256 or not digest(path).startswith(sha256):
            return False
        if time.time_ns() - max(times) > UNSETTLED_NS:
            self._checked[path.name] = entry
        return True

    def save(self) -> None:
        """Write down what was found. What can't be written is compared anew the next time."""
        if self._checked != self._before:
            with suppress(OSError):
                write_private(self._record, json.dumps(self._checked))


def is_intact(path: Path, sha256: str) -> bool:
    """Tell the same of one file, whose record lies beside it."""
    checked = CheckedFiles(path.with_name(f"{path.name}.checked"))
    intact = checked.is_intact(path, sha256)
    checked.save()
    return intact


def digest(path: Path) -> str:
    """Return the sha256 of a file, empty if it can't be read."""
    with suppress(OSError), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
    return ""


def _read(record: Path) -> dict[str, object]:
    with suppress(OSError, ValueError):
        document = json.loads(record.read_text())
        if isinstance(document, dict):
            return document
    return {}
