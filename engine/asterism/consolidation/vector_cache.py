"""Cache of vectors on disk: one SQLite file for each realm of a server.

All of it is derived. A file that can't be read is written again, one that does not agree with the
database is read again from there. Each change is one transaction, so that no reader sees half of
it, and deleted rows are overwritten with zeros.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from asterism.consolidation.arrays import MemoryArrays, MemoryFacts, Vocabulary, build_arrays
from asterism.local.home import make_private
from asterism.local.home import vectors as vectors_folder

FILE = "vectors.sqlite"
LOCK_SECONDS = 10.0
READ_ERRORS = (OSError, sqlite3.Error, ValueError, TypeError)
WRITE_ERRORS = (OSError, sqlite3.Error)
TABLES = (
    "CREATE TABLE IF NOT EXISTS progress (token, run, last_seq, dimensions, forgotten_count)",
    "CREATE TABLE IF NOT EXISTS memory (number INTEGER PRIMARY KEY, id, tags, category, vector)",
    "CREATE INDEX IF NOT EXISTS memory_id ON memory (id)",
)
T = TypeVar("T")


@dataclass(frozen=True)
class Watermark:
    """Progress of consolidation: the realm's token, the last run, its last number."""

    token: str
    run: str | None
    last_seq: int
    dimensions: int


@dataclass(frozen=True)
class CachedVectors:
    """Content of a cache, and the count of forgotten memories that it takes account of."""

    watermark: Watermark
    arrays: MemoryArrays
    forgotten_count: int


class VectorCache:
    """The cache of one realm of one server."""

    def __init__(self, realm_key: str, token: str) -> None:
        server = hashlib.sha256(token.encode()).hexdigest()[:16]
        self.folder = vectors_folder() / f"{realm_key}-{server}"
        self._file = self.folder / FILE

    def read(self, vocabulary: Vocabulary) -> CachedVectors | str:
        """Return the content, or why there is nothing usable."""
        if not self._file.exists():
            return "none kept"
        try:
            with closing(self._connect()) as connection:
                connection.execute("BEGIN")
                watermark, forgotten_count = _progress(connection)
                rows = connection.execute(
                    "SELECT id, tags, category, number, vector FROM memory ORDER BY number"
                ).fetchall()
            tags = json.loads(
                f"[{','.join(row[1] for row in rows)}]"
            )  # one call is faster than one a row
            facts = [
                MemoryFacts(id, names, category, number)
                for (id, _, category, number, _), names in zip(rows, tags, strict=True)
            ]
            data = np.frombuffer(b"".join(row[4] for row in rows), np.float32)
            table = data.reshape(len(rows), watermark.dimensions)
            return CachedVectors(watermark, build_arrays(facts, table, vocabulary), forgotten_count)
        except READ_ERRORS as error:
            return f"damaged ({type(error).__name__})"

    def append(
        self,
        before: Watermark,
        after: Watermark,
        arrays: MemoryArrays,
        vocabulary: Vocabulary,
        forgotten_count: int,
    ) -> bool:
        """Add the memories of a run, or return False if the cache is not at `before`.

        Rows read before somebody forgot one of them are refused, so that it does not come back.
        """
        try:
            with self._transaction() as connection:
                watermark, cached_count = _progress(connection)
                if watermark == before and cached_count == forgotten_count:
                    _insert(connection, arrays, vocabulary)
                    _set_progress(connection, after, forgotten_count)
                    return True
                return watermark == after and watermark != before
        except (sqlite3.DatabaseError, TypeError):
            return False

    def replace(
        self,
        watermark: Watermark,
        arrays: MemoryArrays,
        vocabulary: Vocabulary,
        forgotten_count: int,
    ) -> None:
        """Write everything again, into another file if this one is damaged."""
        try:
            self._write(watermark, arrays, vocabulary, forgotten_count)
        except sqlite3.OperationalError:  # locked, or not writable
            raise
        except sqlite3.DatabaseError:
            self._remove_file()
            self._write(watermark, arrays, vocabulary, forgotten_count)

    def erase(self, ids: set[str], counts: set[int]) -> set[str]:
        """Remove the memories that were forgotten as numbers `counts`, and return those it had."""
        return self._remove(
            lambda number_by_id: ids & number_by_id.keys(), lambda count: _advance(count, counts)
        )

    def keep_only(self, numbers: set[int], last_seq: int, forgotten_count: int) -> int:
        """Remove every memory up to a number that is not among these, and return how many."""

        def absent(number_by_id: dict[str, int]) -> set[str]:
            rows = number_by_id.items()
            return {id for id, number in rows if number <= last_seq and number not in numbers}

        return len(self._remove(absent, lambda count: max(count, forgotten_count)))

    def forgotten_count(self) -> int | None:
        """Return how many forgotten memories the cache takes account of, None if unreadable."""
        return self._query(lambda connection: _progress(connection)[1])

    def numbers(self) -> dict[str, int]:
        """Return the number of each memory by id."""
        return self._query(_numbers) or {}

    def _remove(
        self,
        choose: Callable[[dict[str, int]], set[str]],
        advance: Callable[[int], int],
    ) -> set[str]:
        """Remove the chosen memories, and write down the advanced count of forgotten ones."""
        if not self.folder.is_dir():
            return set()
        try:
            with self._transaction() as connection:
                watermark, forgotten_count = _progress(connection)
                number_by_id = _numbers(connection)
                ids = choose(number_by_id)
                places = [(number_by_id[id],) for id in ids]
                connection.executemany("DELETE FROM memory WHERE number = ?", places)
                _set_progress(connection, watermark, advance(forgotten_count))
                return ids
        except sqlite3.OperationalError:  # locked, or not writable
            raise
        except (sqlite3.DatabaseError, TypeError):
            self._remove_file()  # whatever it holds is read again from the database
            return set()

    def _write(
        self,
        watermark: Watermark,
        arrays: MemoryArrays,
        vocabulary: Vocabulary,
        forgotten_count: int,
    ) -> None:
        with self._transaction() as connection:
            connection.execute("DELETE FROM memory")
            _insert(connection, arrays, vocabulary)
            _set_progress(connection, watermark, forgotten_count)

    def _remove_file(self) -> None:
        for path in self.folder.glob(f"{FILE}*"):
            path.unlink(missing_ok=True)

    def _query(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        if not self._file.exists():
            return None
        try:
            with closing(self._connect()) as connection:
                return work(connection)
        except READ_ERRORS:
            return None

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._file, timeout=LOCK_SECONDS, isolation_level=None)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        make_private(self.folder)
        for path in self.folder.iterdir():  # files of versions that did not use SQLite
            if not path.name.startswith(FILE):
                path.unlink(missing_ok=True)
        os.close(os.open(self._file, os.O_CREAT | os.O_RDWR, 0o600))
        with closing(self._connect()) as connection, connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                connection.execute(table)
            yield connection


def cache_exists(realm_key: str) -> bool:
    """Return True if there is a cache of a realm here, whichever server it is on."""
    return any(vectors_folder().glob(f"{realm_key}-*"))


def _progress(connection: sqlite3.Connection) -> tuple[Watermark, int]:
    row = connection.execute(
        "SELECT token, run, last_seq, dimensions, forgotten_count FROM progress"
    ).fetchone()
    return Watermark(*row[:4]), row[4]


def _set_progress(
    connection: sqlite3.Connection, watermark: Watermark, forgotten_count: int
) -> None:
    row = (watermark.token, watermark.run, watermark.last_seq, watermark.dimensions)
    connection.execute("DELETE FROM progress")
    connection.execute("INSERT INTO progress VALUES (?, ?, ?, ?, ?)", (*row, forgotten_count))


def _numbers(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT id, number FROM memory"))


def _insert(connection: sqlite3.Connection, arrays: MemoryArrays, vocabulary: Vocabulary) -> None:
    rows = zip(arrays.facts(vocabulary), np.asarray(arrays.vectors, np.float32), strict=True)
    connection.executemany(
        "INSERT INTO memory (number, id, tags, category, vector) VALUES (?, ?, ?, ?, ?)",
        (
            (fact.number, fact.id, json.dumps(fact.tags), fact.category, vector.tobytes())
            for fact, vector in rows
        ),
    )


def _advance(count: int, counts: set[int]) -> int:
    """Return the count up to which every forgotten memory has been removed."""
    while count + 1 in counts:
        count += 1
    return count
