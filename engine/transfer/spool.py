"""Rows of a realm on disk, in order: what makes memory flat however large the realm is."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from types import TracebackType
from typing import Self

from engine.errors import AsterismError

End = tuple[str, str]  # label and key

TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000;
CREATE TABLE node (label TEXT, key TEXT, line BLOB, UNIQUE (label, key) ON CONFLICT REPLACE);
CREATE TABLE relationship (element TEXT UNIQUE ON CONFLICT REPLACE, type TEXT, label TEXT,
  key TEXT, end_label TEXT, end_key TEXT, digest BLOB, line BLOB);
CREATE TABLE taken (type TEXT, id TEXT, UNIQUE (type, id) ON CONFLICT IGNORE);
"""
LOOSE = """
NOT EXISTS (SELECT 1 FROM node WHERE node.label = r.label AND node.key = r.key)
OR NOT EXISTS (SELECT 1 FROM node WHERE node.label = r.end_label AND node.key = r.end_key)
"""
ORDER = "type, label, key, end_label, end_key, digest"


class Spool:
    """A table of nodes and one of relationships, in a file that goes by itself."""

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._base.executescript(TABLES + "BEGIN;")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._base.close()
        if isinstance(error, sqlite3.Error):
            raise AsterismError(
                f"can't sort on disk ({error}): point TMPDIR at a folder with more room"
            ) from error

    def node(self, end: End, line: bytes) -> None:
        """Take in a node; seen twice, the later one counts."""
        self._base.execute("INSERT INTO node VALUES (?, ?, ?)", (*end, line))

    def relationship(self, element: str, type: str, start: End, end: End, line: bytes) -> None:
        """Take in a relationship, likewise."""
        row = (element, type, *start, *end, sha256(line).digest()[:8], line)
        self._base.execute("INSERT INTO relationship VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def take(self, type: str, id: str | None) -> bool:
        """Note the id of a relationship; no, if another of its type has it."""
        row = self._base.execute("INSERT INTO taken VALUES (?, ?) RETURNING id", (type, id))
        return row.fetchone() is not None

    def loose(self) -> str | None:
        """The first relationship that lacks an end."""
        query = f"SELECT element FROM relationship r WHERE {LOOSE} ORDER BY rowid LIMIT 1"
        with closing(self._base.execute(query)) as found:
            row = found.fetchone()
        return row[0] if row else None

    def drop_loose(self) -> None:
        """Leave out every relationship that lacks an end."""
        self._base.execute(f"DELETE FROM relationship AS r WHERE {LOOSE}")

    def counts(self) -> tuple[int, int]:
        """How many nodes and relationships there are."""
        nodes, relationships = self._base.execute(
            "SELECT (SELECT count(*) FROM node), (SELECT count(*) FROM relationship)"
        ).fetchone()
        return nodes, relationships

    def lines(self) -> Iterator[bytes]:
        """Every node, then every relationship, in the one order that depends on nothing else."""
        self._base.execute(f"CREATE INDEX in_order ON relationship ({ORDER})")
        yield from _only(self._base.execute("SELECT line FROM node ORDER BY label, key"))
        yield from _only(
            self._base.execute(
                f"SELECT line FROM relationship INDEXED BY in_order ORDER BY {ORDER}"
            )
        )


def _only(rows: Iterable[tuple[bytes]]) -> Iterator[bytes]:
    for (line,) in rows:
        yield line
