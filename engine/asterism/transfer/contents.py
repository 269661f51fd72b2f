"""Rows of a realm's contents, each added to the sort on disk as the line that it will be."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from asterism.database import Row
from asterism.errors import AsterismError
from asterism.row_types import row_of
from asterism.transfer import rows
from asterism.transfer.disk_sort import DiskSort


@row_of("transfer/read_page")
class PageRow(NamedTuple):
    """Row of transfer/read_page: several nodes with relationships that start there."""

    portions: list[Any]

    def contents(self) -> "Iterator[Content]":
        """Yield each node, unless an earlier portion had it, and each relationship."""
        for labels, key, names, values, *links in self.portions:
            if names is not None:
                yield Content(labels, key, None, None, None, dict(zip(names, values, strict=True)))
            for type, end_labels, end_key, facts in zip(*links, strict=True):
                properties = dict(zip(*facts, strict=True)) if facts else {}
                yield Content(labels, key, type, end_labels, end_key, properties)


class Content(NamedTuple):
    """A node, or a relationship with the node at its end."""

    labels: list[str]
    key: str | None
    type: str | None
    end_labels: Any  # as one text, or None of a node
    end_key: Any  # likewise
    properties: Row

    @property
    def kind(self) -> str:
        """The relationship's type, or the label that names the node."""
        return self.type or rows.end(self.labels, self.key)[0]


def following(page: list[PageRow], limit: int) -> dict[str, str]:
    """Return, of each label that filled the page, the least key after that of its last node."""
    counts, last = Counter[str](), dict[str, str]()
    for labels, key, names, *_ in chain.from_iterable(row.portions for row in page):
        label, _ = rows.end(labels, key)
        counts[label] += names is not None
        last[label] = key
    return {label: key + "\0" for label, key in last.items() if counts[label] == limit}


def add(rows_on_disk: DiskSort, row: Content, realm: str) -> None:
    """Add a row as the line that it will be, or refuse what an import would not take."""
    try:
        start = rows.end(row.labels, row.key)
        if row.type is None:
            rows_on_disk.add_node(start, rows.node_line(row.labels, row.properties, realm))
        else:
            to = rows.naming_label(row.end_labels), row.end_key
            line = rows.relationship_line(row.type, start, to, row.properties, realm)
            rows_on_disk.add_relationship(row.type, start, to, line)
    except ValueError as error:
        kind = row.type or ":".join(row.labels)
        raise AsterismError(
            f"{kind} {row.key!r} can't be exported, {error}: remove it, or back the whole "
            "server up with `asterism backup`"
        ) from error
