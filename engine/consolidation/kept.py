"""The vectors kept beside the store: two files that only grow, and one that says what is in them.

All of it is derived. A file that does not agree with itself is ignored, one that does not agree
with the database is read again from there. Appending never changes what is described already, and
the description is replaced in one step, so a reader never sees half of anything.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
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
    forgotten: int = 0  # how many memories had been forgotten when the rows were checked


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

    def append(
        self, before: Mark, mark: Mark, more: Blocks, facts: list[Facts], forgotten: int
    ) -> bool:
        """Add what a run has promoted; False if the files are not at that mark.

        Rows read before somebody forgot one of them are refused, so that it does not come back.
        """
        self._prepare()
        with FileLock(self.folder / "lock", timeout=LOCK_SECONDS):
            try:
                described = self._described()
            except (OSError, ValueError, TypeError, KeyError):
                return False
            if described.mark != before:
                return described.mark == mark
            if described.forgotten != forgotten:
                return False
            self._add(described, mark, more.vectors, facts)
        return True

    def replace(self, mark: Mark, whole: Blocks, facts: list[Facts], forgotten: int) -> None:
        """Write everything anew, under another name; the old files go."""
        self._prepare()
        with FileLock(self.folder / "lock", timeout=LOCK_SECONDS):
            self._rewrite(mark, whole.vectors, facts, forgotten)

    def erase(self, ids: set[str], counts: set[int]) -> set[str]:
        """Take rows out, the so manieth that were forgotten; returns the ids that were there."""

        def leaves(fact: Facts) -> bool:
            return fact.id in ids

        return self._take_out(leaves, lambda reached: _advanced(reached, counts))

    def keep_only(self, numbers: set[int], upto: int, forgotten: int) -> int:
        """Take out every row up to a number that is not among these; returns how many."""

        def leaves(fact: Facts) -> bool:
            return fact.number <= upto and fact.number not in numbers

        return len(self._take_out(leaves, lambda reached: max(reached, forgotten)))

    def forgotten(self) -> int | None:
        """How many forgotten memories the files take account of; None without readable files."""
        try:
            return self._described().forgotten
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def numbers(self) -> dict[str, int]:
        """The number of each memory in the files; nothing if they can't be read."""
        try:
            described = self._described()
            return {fact.id: fact.number for fact in self._facts(described)}
        except (OSError, ValueError, TypeError, KeyError):
            return {}

    def holds(self, id: str) -> bool:
        """Whether any file has a memory's id in it."""
        if not self.folder.is_dir():
            return False
        wanted = json.dumps(id).encode()
        with FileLock(self.folder / "lock", timeout=LOCK_SECONDS):
            return any(wanted in path.read_bytes() for path in self.folder.glob("*.rows"))

    def _take_out(self, leaves: Callable[[Facts], bool], reached: Callable[[int], int]) -> set[str]:
        """Rewrite the files without some rows, and without what a crash left behind in them."""
        if not self.folder.is_dir():
            return set()
        with FileLock(self.folder / "lock", timeout=LOCK_SECONDS):
            try:
                described = self._described()
                facts = self._facts(described)
                data = self._bytes(described, "vectors", described.vector_bytes)
                table = np.frombuffer(data, np.float32).reshape(-1, described.mark.dimensions)
                if len(facts) != len(table):
                    raise ValueError("damaged")
            except (OSError, ValueError, TypeError, KeyError):  # whatever it holds: read it anew
                self._clear(None)
                return set()
            out = [leaves(fact) for fact in facts]
            forgotten = reached(described.forgotten)
            if any(out) or self._has_remains(described):
                left = [fact for fact, gone in zip(facts, out, strict=True) if not gone]
                kept = table[~np.array(out, bool)]
                self._rewrite(described.mark, kept, left, forgotten)
            elif forgotten != described.forgotten:
                self._describe(replace(described, forgotten=forgotten))
            return {fact.id for fact, gone in zip(facts, out, strict=True) if gone}

    def _has_remains(self, described: Description) -> bool:
        """Whether a writer died before it had described what it wrote."""
        sizes = {"vectors": described.vector_bytes, "rows": described.row_bytes}
        return any(
            path.stem != described.name or path.stat().st_size > sizes[path.suffix[1:]]
            for path in self.folder.iterdir()
            if path.suffix in (".vectors", ".rows")
        )

    def _rewrite(self, mark: Mark, vectors: Floats32, facts: list[Facts], forgotten: int) -> None:
        name = os.urandom(6).hex()
        empty = Description(FORMAT, mark, 0, name, 0, 0, 0, 0, forgotten)
        self._add(empty, mark, vectors, facts)
        self._clear(name)

    def _clear(self, name: str | None) -> None:
        """Remove the data files but those of one name; without a name, the description as well."""
        if name is None:
            self._description_file.unlink(missing_ok=True)
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
            old.forgotten,
        )
        self._describe(new)

    def _describe(self, new: Description) -> None:
        write_private(self._description_file, json.dumps(asdict(new)))

    def _facts(self, described: Description) -> list[Facts]:
        rows = self._bytes(described, "rows", described.row_bytes)
        return [Facts(*fact) for line in rows.splitlines() for fact in json.loads(line)]

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


def any_kept(realm_key: str) -> bool:
    """Whether there are files of a realm here at all, whichever server it is on."""
    return any(vectors_folder().glob(f"{realm_key}-*"))


def _advanced(reached: int, counts: set[int]) -> int:
    """The count up to which every forgotten memory has been taken out."""
    while reached + 1 in counts:
        reached += 1
    return reached


def _write_at(path: Path, offset: int, data: bytes) -> None:
    """Write behind what is described; what a crash left there is overwritten."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.seek(offset)
        file.write(data)
        file.truncate()
        file.flush()
