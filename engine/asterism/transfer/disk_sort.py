"""Sort of a realm's rows on disk, so that memory stays small however large the realm is."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from types import TracebackType
from typing import Self

from asterism.errors import AsterismError

End = tuple[str, str]  # label and key

TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000;
CREATE TABLE node (label TEXT, key TEXT, line BLOB, UNIQUE (label, key) ON CONFLICT REPLACE);
CREATE TABLE relationship (type TEXT, label TEXT, key TEXT, end_label TEXT, end_key TEXT,
  digest BLOB, line BLOB);
CREATE TABLE used_end (label TEXT, key TEXT, line INTEGER,
  UNIQUE (label, key) ON CONFLICT IGNORE);
CREATE TABLE used (type TEXT, id TEXT, UNIQUE (type, id) ON CONFLICT IGNORE);
"""
DANGLING = """
NOT EXISTS (SELECT 1 FROM node WHERE node.label = r.end_label AND node.key = r.end_key)
"""
WITHOUT_NODE = """
NOT EXISTS (SELECT 1 FROM node WHERE node.label = used_end.label AND node.key = used_end.key)
"""
ADD_NODES = "INSERT INTO node VALUES (?, ?, ?)"
ADD_RELATIONSHIPS = "INSERT INTO relationship VALUES (?, ?, ?, ?, ?, ?, ?)"
ADD_USED_ENDS = "INSERT INTO used_end VALUES (?, ?, ?)"
AT_ONCE = 500
RECENT_ENDS = 50_000  # that are not written again
ORDER = "type, label, key, end_label, end_key, digest"


class DiskSort:
    """A table of nodes and one of relationships, in a file that removes itself."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._connection.executescript(TABLES + "BEGIN;")
        self._nodes: list[tuple[str, str, bytes]] = []
        self._relationships: list[tuple[str, str, str, str, str, bytes, bytes]] = []
        self._used_ends: list[tuple[str, str, int]] = []
        self._recent_ends: set[End] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connection.close()
        if isinstance(error, sqlite3.Error):
            raise AsterismError(
                f"can't sort on disk ({error}): point TMPDIR at a folder with more room"
            ) from error

    def add_node(self, end: End, line: bytes) -> None:
        """Add a node, in place of an earlier one of the same name."""
        self._nodes.append((*end, line))
        if len(self._nodes) == AT_ONCE:
            self._write()

    def add_relationship(self, type: str, start: End, end: End, line: bytes) -> None:
        """Add a relationship, whose start is a node that is added."""
        digest = sha256(line).digest()[:8] if b'"properties":{}' not in line else b""
        self._relationships.append((type, *start, *end, digest, line))
        if len(self._relationships) == AT_ONCE:
            self._write()

    def claim_id(self, type: str, id: str | None) -> bool:
        """Return False if another relationship of this type has the id already."""
        row = self._connection.execute("INSERT INTO used VALUES (?, ?) RETURNING id", (type, id))
        return row.fetchone() is not None

    def use_end(self, end: End, line: int) -> None:
        """Remember the first line that needs a node of this name."""
        if end in self._recent_ends:
            return
        if len(self._recent_ends) == RECENT_ENDS:
            self._recent_ends.clear()
        self._recent_ends.add(end)
        self._used_ends.append((*end, line))
        if len(self._used_ends) == AT_ONCE:
            self._write()

    def first_without_node(self) -> int | None:
        """Return the first line that needs a node which was not added."""
        self._write()
        query = f"SELECT min(line) FROM used_end WHERE {WITHOUT_NODE}"
        with closing(self._connection.execute(query)) as cursor:
            line: int | None = cursor.fetchone()[0]
        return line

    def delete_dangling(self) -> None:
        """Delete every relationship whose end was not added."""
        self._write()
        self._connection.execute(f"DELETE FROM relationship AS r WHERE {DANGLING}")

    def clear(self) -> None:
        """Forget every node and relationship."""
        self._nodes.clear()
        self._relationships.clear()
        self._connection.execute("DELETE FROM node")
        self._connection.execute("DELETE FROM relationship")

    def counts(self) -> tuple[int, int]:
        """Count nodes and relationships."""
        self._write()
        nodes, relationships = self._connection.execute(
            "SELECT (SELECT count(*) FROM node), (SELECT count(*) FROM relationship)"
        ).fetchone()
        return nodes, relationships

    def lines(self) -> Iterator[bytes]:
        """Yield every node, then every relationship, in an order of their content alone."""
        self._write()
        self._connection.execute(f"CREATE INDEX in_order ON relationship ({ORDER})")
        for query in (
            "SELECT line FROM node ORDER BY label, key",
            f"SELECT line FROM relationship INDEXED BY in_order ORDER BY {ORDER}",
        ):
            for (line,) in self._connection.execute(query):
                yield line

    def _write(self) -> None:
        """Write what was added since."""
        self._connection.executemany(ADD_NODES, self._nodes)
        self._connection.executemany(ADD_RELATIONSHIPS, self._relationships)
        self._connection.executemany(ADD_USED_ENDS, self._used_ends)
        self._used_ends.clear()
        self._nodes.clear()
        self._relationships.clear()
