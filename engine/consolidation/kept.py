"""The vectors kept beside the store: two files that only grow, and one that says what is in them.

All of it is derived. A file that does not agree with itself is ignored, one that does not agree
with the database is read again from there. Appending never changes what is described already, and
the description is replaced in one step, so a reader never sees half of anything.
"""

import hashlib
import json
import os
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from engine.consolidation.blocks import Blocks, Facts, Floats32, Vocabulary, blocks
from engine.local.home import make_private, write_private
from engine.local.home import vectors as vectors_folder

FORMAT = 1
LOCK_SECONDS = 10.0


@dataclass(frozen=True)
class Mark:
    """How far vectors have been kept: the realm's token, the last run, its last number."""

    token: str
    run: str | None
    upto: int
    dimensions: int


@dataclass(frozen=True)
class Description:
    """What the files hold, and their checksums."""

    format: int
    mark: Mark
    count: int
    name: str
    vector_bytes: int
    vector_sum: int
    row_bytes: int
    row_sum: int


class Kept:
    """The files of one realm of one server."""

    def __init__(self, realm_key: str, token: str) -> None:
        told = hashlib.sha256(token.encode()).hexdigest()[:16]
        self.folder = vectors_folder() / f"{realm_key}-{told}"

    def read(self, vocabulary: Vocabulary) -> tuple[Mark, Blocks] | str:
        """What is kept, or why nothing usable is."""
        if not self._description_file.exists():
            return "none kept"
        try:
            described = self._described()
            vectors = self._bytes(described, "vectors", described.vector_bytes)
            rows = self._bytes(described, "rows", described.row_bytes)
            if (zlib.crc32(vectors), zlib.crc32(rows)) != (
                described.vector_sum,
                described.row_sum,
            ):
                return "damaged"
            table = np.frombuffer(vectors, np.float32).reshape(-1, described.mark.dimensions)
            facts = [Facts(*fact) for line in rows.splitlines() for fact in json.loads(line)]
            if len(facts) != described.count or len(table) != described.count:
                return "damaged"
            return described.mark, blocks(facts, table, vocabulary)
        except (OSError, ValueError, TypeError, KeyError) as error:
            return f"damaged ({type(error).__name__})"

    def append(self, before: Mark, mark: Mark, more: Blocks, facts: list[Facts]) -> bool:
        """Add what a run has promoted; False if the files are not at that mark."""
        self._prepare()
        with FileLock(self.folder / "lock", timeout=LOCK_SECONDS):
            try:
                described = self._described()
            except (OSError, ValueError, TypeError, KeyError):
                return False
            if described.mark != before:
                return described.mark == mark
            self._add(described, mark, more.vectors, facts)
        return True

    def replace(self, mark: Mark, whole: Blocks, facts: list[Facts]) -> None:
        """Write everything anew, under another name; the old files go."""
        self._prepare()
        with FileLock(self.folder / "lock", timeout=LOCK_SECONDS):
            name = os.urandom(6).hex()
            empty = Description(FORMAT, mark, 0, name, 0, 0, 0, 0)
            self._add(empty, mark, whole.vectors, facts)
            for path in self.folder.iterdir():
                if path.suffix in (".vectors", ".rows") and path.stem != name:
                    path.unlink(missing_ok=True)

    def _add(self, old: Description, mark: Mark, vectors: Floats32, facts: list[Facts]) -> None:
        data = np.ascontiguousarray(vectors, np.float32).tobytes()
        told = [(fact.id, list(fact.tags), fact.category, fact.number) for fact in facts]
        line = (json.dumps(told) + "\n").encode() if told else b""
        _write_at(self.folder / f"{old.name}.vectors", old.vector_bytes, data)
        _write_at(self.folder / f"{old.name}.rows", old.row_bytes, line)
        new = Description(
            FORMAT,
            mark,
            old.count + len(facts),
            old.name,
            old.vector_bytes + len(data),
            zlib.crc32(data, old.vector_sum),
            old.row_bytes + len(line),
            zlib.crc32(line, old.row_sum),
        )
        write_private(self._description_file, json.dumps(asdict(new)))

    def _described(self) -> Description:
        told: dict[str, Any] = json.loads(self._description_file.read_text())
        if told.get("format") != FORMAT:
            raise ValueError("another format")
        return Description(**told | {"mark": Mark(**told["mark"])})

    def _bytes(self, described: Description, kind: str, count: int) -> bytes:
        with (self.folder / f"{described.name}.{kind}").open("rb") as file:
            return file.read(count)

    @property
    def _description_file(self) -> Path:
        return self.folder / "matrix.json"

    def _prepare(self) -> None:
        make_private(self.folder)


def _write_at(path: Path, offset: int, data: bytes) -> None:
    """Write behind what is described; what a crash left there is overwritten."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.seek(offset)
        file.write(data)
        file.truncate()
        file.flush()
