"""Selection of a realm: the text memories that pass a filter, and what is theirs alone.

It is what would be left if every other memory had been forgotten: sessions close their gaps, chains
of corrections are joined, a duplicate without its original waits for itself. Names, words and
counts are made anew from the texts.
"""

import math
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

from asterism import filter_query, search_index
from asterism.active_hours import ActiveHours
from asterism.database import Database, Row
from asterism.memory_filter import MemoryFilter
from asterism.realm_names import realm_key
from asterism.row_types import row_of
from asterism.timestamps import to_micros
from asterism.transfer.contents import Content
from asterism.transfer.session_rows import SessionRows

BATCH = 10_000
FIRST_TIME, LAST_TIME = "0001-01-01T00:00+18:00", "9999-12-31T23:59:59.999999999-18:00"
JOINED = {
    *("SIMILAR", "SUPPORTS", "CONTRADICTS", "ELABORATES", "CO_OCCURS", "OUTCOME"),
    *("MAY_UPDATE", "LINK"),
}
FOREIGN = {  # measured among other texts
    *("foreign_deviation", "foreign_median", "foreign_texts"),
    *("text_deviation", "text_mean", "text_measured"),
}
OF_DUPLICATES = ("duplicate_of", "rejected_at", "consolidated_by", "archived_at")
REPEATS = "memory:consolidation|duplicate:"  # ids of evidence that a duplicate was for another one
MINUTE = 60_000_000


@row_of("transfer/read_chains")
class Chain(NamedTuple):
    """Row of transfer/read_chains: what comes after a text, and what superseded it."""

    id: str
    next: Any
    successor: Any
    ended: bool
    former_end: Any


async def select(database: Database, filter: MemoryFilter, hours: ActiveHours) -> "Selection":
    """Return the selection of the text memories that pass a filter now."""
    wall = to_micros(database.clock.now())
    parameter = filter_query.parameter(filter, wall=wall, active=await hours.reading())
    scope: Row = {
        "filter": parameter | {"narrows": True},
        "ids": parameter["ids"],
        **{"order": "id", "earliest": FIRST_TIME, "latest": LAST_TIME, "after_time": FIRST_TIME},
        **{"window": BATCH, "limit": BATCH, "whole": False},
    }
    ids: set[str] = set()
    row: Row = {"count": BATCH, "last": [None, ""]}
    while row["count"] == BATCH:
        row = await database.one("memories/list", **scope, after_id=row["last"][1])
        ids.update(each["id"] for each in row["rows"])
        if scope["ids"] is not None:
            break
    chains = [Chain(**row) async for row in database.stream("transfer/read_chains")]
    return Selection(database, frozenset(ids), chains)


class Selection:
    """Passes on the rows of the selected memories, changed where they named others."""

    def __init__(self, database: Database, ids: frozenset[str], chains: list[Chain]) -> None:
        self._realm = database.realm
        self._tied_words = database.settings.recall.tied_words
        self._ids = ids
        self._superseded = {each.id: each for each in chains if each.successor is not None}
        self._sessions = SessionRows({each.id: each.next for each in chains if each.next})
        self._names: Counter[str] = Counter()
        self._terms: dict[str, list[str]] = {}
        self._word_counts: Counter[str] = Counter()
        self._last_seq = self._texts = self._words = 0
        self._token = ""
        self._all: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()
        self._own: Content | None = None

    @property
    def left_out(self) -> dict[str, int]:
        """Numbers of nodes by label and of relationships by type that the file lacks."""
        return dict(sorted((self._all - self._kept).items()))

    def keep(self, row: Content) -> Iterator[Content]:
        """Yield what of a row of the realm belongs to the selection, and note what follows."""
        self._all[row.kind] += 1
        for kept in self._relationship(row) if row.type else self._node(row):
            self._kept[kept.kind] += 1
            yield kept

    def rest(self) -> Iterator[Content]:
        """Yield what is counted over all that was kept: names, words, sessions, the realm."""
        for kept in self._rest():
            self._kept[kept.kind] += 1
            yield kept

    def _node(self, row: Content) -> Iterator[Content]:
        values = row.properties
        match row.kind:
            case "Memory" if row.key in self._ids:
                yield from self._memory(row, dict(values))
            case "Evidence" if values.get("memory_id") in self._ids:
                repeat = str(row.key).removeprefix(REPEATS)
                if repeat == row.key or repeat in self._ids:
                    yield row
            case "EmbeddingModel":
                rest = {name: values[name] for name in values.keys() - FOREIGN}
                yield row._replace(properties=rest)
            case "Realm":
                self._own = row
            case "Cursor" if row.key == "consolidation":
                self._token = str(values.get("token"))

    def _relationship(self, row: Content) -> Iterator[Content]:
        if row.type == "SUPERSEDES" and row.end_key in self._ids:
            successor = self._successor(row.end_key)
            if successor == row.key:
                yield row
            elif successor is not None:
                properties = row.properties | {"began": False}
                yield row._replace(key=successor, properties=properties)
        elif (
            row.type in JOINED
            and "Memory" in row.labels
            and "Memory" in row.end_labels.split()
            and {row.key, row.end_key} <= self._ids
        ):
            yield row

    def _memory(self, row: Content, values: Row) -> Iterator[Content]:
        labels, id = row.labels, str(row.key)
        values.pop("claimed_by", None)
        if "near_duplicates" in values:
            near = [other for other in values["near_duplicates"] if other in self._ids]
            values |= {"near_duplicates": near, "near_count": len(near)}
        alone = values.get("duplicate_of") is not None and values["duplicate_of"] not in self._ids
        if alone:
            labels = [label for label in labels if label != "Archived"]
            self._reopen(values)
        if id in self._superseded:
            self._supersede(id, values)
        yield row._replace(labels=labels, properties=values)
        self._last_seq = max(self._last_seq, values.get("promoted_seq", 0))
        if values.get("indexed"):
            self._texts += 1
            self._words += values.get("word_count") or 0
            if values.get("session") is not None:
                place = (alone, values.get("arrival", 0), id)
                self._sessions.add(values["session"], id, place)
            yield from self._index(id, values)

    def _reopen(self, values: Row) -> None:
        """Let a duplicate stand for itself, as memories/reopen_repeats does."""
        for name in OF_DUPLICATES:
            values.pop(name, None)
        values |= {"state": "live", "waiting": True, "indexed": True}
        values["realm_key"] = realm_key(self._realm)
        if "embedding" not in values:
            values["unembedded"] = True
        anchor, strength, end = values["anchor"], values["strength"], values["archive_below"]
        if strength > end:
            last = anchor + 1e6 / values["rate"] * math.log(strength / end)
            anchor = math.ceil(last / MINUTE) * MINUTE
        values["archive_at"] = anchor

    def _supersede(self, id: str, values: Row) -> None:
        """Name the nearest successor in the file, or let the memory be true again."""
        successor, link = self._successor(id), self._superseded[id]
        if successor is not None:
            values["superseded_by"] = successor
            return
        values.pop("superseded_by", None)
        if link.ended:
            values.pop("valid_to", None)
            if link.former_end is not None:
                values["valid_to"] = link.former_end

    def _successor(self, id: str) -> str | None:
        passed = {id}
        while (link := self._superseded.get(id)) and link.successor not in passed:
            id = link.successor
            if id in self._ids:
                return id
            passed.add(id)
        return None

    def _index(self, id: str, values: Row) -> Iterator[Content]:
        fields = ("about", "speaker", "text", "indexed_words", "language")
        index = search_index.index_rows([{"id": id} | {name: values.get(name) for name in fields}])
        for name in index["names"]:
            self._names[name["key"]] += 1
            yield joined(id, "MENTIONS", "Name", name["key"])
            if name["subject"]:
                yield joined(id, "ABOUT", "Name", name["key"])
        for term in index["terms"]:
            stem = term["stem"]
            self._word_counts[stem] += 1
            if self._word_counts[stem] <= self._tied_words:
                self._terms.setdefault(stem, []).extend([id] if term["rare"] else [])
            else:  # no hop goes over a common word
                self._terms.pop(stem, None)

    def _rest(self) -> Iterator[Content]:
        for key, count in self._names.items():
            yield node("Name", {"key": key, "caption": key, "memory_count": count})
        for stem, count in self._word_counts.items():
            yield node("Term", {"stem": stem, "caption": stem, "memory_count": count})
            yield from (joined(id, "HAS_TERM", "Term", stem) for id in self._terms.get(stem, []))
        for session, ids in self._sessions.rows():
            facts = {"caption": session, "arrivals": len(ids), "latest_memory": ids[-1]}
            yield node("Session", {"id": session} | facts)
            yield from (joined(id, "IN_SESSION", "Session", session) for id in ids)
            for before, after in pairwise(ids):
                yield joined(before, "NEXT", "Memory", after)
        if self._last_seq:
            token = sha256("\0".join([self._token, *sorted(self._ids)]).encode()).hexdigest()[:32]
            facts = {"promoted_seq": self._last_seq, "token": token}
            yield node("Cursor", {"id": "consolidation"} | facts)
        if self._own:
            counts = {"text_count": self._texts, "word_count": self._words}
            yield self._own._replace(properties=self._own.properties | counts)


def node(label: str, values: Row) -> Content:
    """Return a node that is made anew, named by its first value."""
    return Content([label], next(iter(values.values())), None, None, None, values)


def joined(id: str, type: str, label: str, key: str) -> Content:
    """Return a relationship of a memory that is made anew."""
    return Content(["Memory"], id, type, label, key, {})
