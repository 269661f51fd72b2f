"""Rows of a realm's contents, each added to the sort on disk as the line that it will be."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from asterism.database import Row
from asterism.errors import AsterismError
from asterism.row_types import row_of
from asterism.transfer import rows
from asterism.transfer.disk_sort import DiskSort


@row_of("transfer/read_contents")
class NodeRow(NamedTuple):
    """Row of transfer/read_contents: a node with relationships that start there."""

    labels: list[str]
    key: str | None
    pairs: list[Any] | None  # None in all rows of a node but the first
    links: list[Row]

    def contents(self) -> "Iterator[Content]":
        """Yield the node, unless an earlier row had it, and each relationship."""
        if self.pairs is not None:
            yield Content(self.labels, self.key, None, None, None, None, self.pairs)
        for link in self.links:
            yield Content(self.labels, self.key, **link)


class Content(NamedTuple):
    """A node, or a relationship with the node at its end."""

    labels: list[str]
    key: str | None
    type: str | None
    element: Any  # None of a node, as is what is at its end
    end_labels: Any
    end_key: Any
    pairs: list[Any]

    @property
    def kind(self) -> str:
        """The relationship's type, or the label that names the node."""
        return self.type or rows.end(self.labels, self.key)[0]


def add(rows_on_disk: DiskSort, row: Content, realm: str) -> None:
    """Add a row as the line that it will be, or refuse what an import would not take."""
    try:
        start = rows.end(row.labels, row.key)
        if row.type is None:
            rows_on_disk.add_node(start, rows.node_line(row.labels, row.pairs, realm))
        else:
            to = rows.end(row.end_labels, row.end_key)
            line = rows.relationship_line(row.type, start, to, row.pairs, realm)
            rows_on_disk.add_relationship(row.element, row.type, start, to, line)
    except ValueError as error:
        kind = row.type or ":".join(row.labels)
        raise AsterismError(
            f"{kind} {row.key!r} can't be exported, {error}: remove it, or back the whole "
            "server up with `asterism backup`"
        ) from error
