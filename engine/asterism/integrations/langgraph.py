"""LangGraph: a store for graphs and agents, `create_agent(store=AsterismStore(graph))`."""

from collections.abc import Iterable, Sequence
from itertools import islice, takewhile
from typing import Any, Literal

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
)

from asterism.errors import InvalidInput
from asterism.integrations.hosts import AnyGraph, Host
from asterism.settings.memories import Lasts
from asterism.store import Comparisons, Deletion, ItemStore, Put, Stored
from asterism.store.store import Match, require_page

MATCH_TYPES = ("prefix", "suffix")
ANY_LABEL = "*"

Fields = Sequence[str] | Literal[False] | None  # None: those of the store


class AsterismStore(BaseStore):
    """Store of LangGraph in one realm, whose indexed fields are memories of the realm.

    `index` names the fields that questions find, such as ["text"] or ["notes[*].body"], without it
    all of a value, with False none. A question is answered by recall. `ttl` is as in other stores,
    in minutes. Expired items are never returned, and `sweep_ttl` deletes them.
    """

    supports_ttl = True

    def __init__(
        self,
        graph: AnyGraph,
        *,
        index: Fields = None,
        ttl: TTLConfig | None = None,
        lasts: Lasts = "permanent",
    ) -> None:
        self._host = Host(graph)
        self._index = _checked_index(index)
        self._items = ItemStore(self._host.graph, lasts=lasts)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: all reads in one order with what was there before, then all writes."""
        chosen = list(ops)
        return self._host.run(lambda: self._run(chosen))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations as `batch` does."""
        chosen = list(ops)
        return await self._host.arun(lambda: self._run(chosen))

    def sweep_ttl(self) -> int:
        """Delete expired items, and return how many."""
        return self._host.run(self._items.sweep)

    async def asweep_ttl(self) -> int:
        """Delete expired items, and return how many."""
        return await self._host.arun(self._items.sweep)

    async def _run(self, ops: list[Op]) -> list[Result]:
        changes = [self._change(op) for op in ops if isinstance(op, PutOp)]
        results: list[Result] = [None] * len(ops)
        used = await self._get(ops, results)
        for at, op in enumerate(ops):
            if isinstance(op, SearchOp):
                matches = await self._search(op)
                results[at] = [_search_item(match) for match in matches]
                used += [match.item for match in matches if op.refresh_ttl]
            elif isinstance(op, ListNamespacesOp):
                results[at] = await self._namespaces(op)
        await self._items.refresh(used)
        if changes:
            await self._items.write(changes)
        return results

    async def _get(self, ops: list[Op], results: list[Result]) -> list[Stored]:
        """Answer every GetOp by one statement, and return the items that live on by it."""
        gets = {at: op for at, op in enumerate(ops) if isinstance(op, GetOp)}
        if not gets:
            return []
        items = await self._items.read([(op.namespace, op.key) for op in gets.values()])
        read = dict(zip(gets, items, strict=True))
        results[:] = [
            _item(item) if (item := read.get(at)) else result for at, result in enumerate(results)
        ]
        return [item for at, item in read.items() if item and gets[at].refresh_ttl]

    def _change(self, op: PutOp) -> Put | Deletion:
        namespace = tuple(op.namespace)
        if op.value is None:
            return Deletion(namespace, op.key)
        if not isinstance(op.value, dict):
            raise InvalidInput("value", op.value, "give a dictionary")
        texts = self._texts(op.value, op.index)
        return Put(namespace, op.key, op.value, texts, op.ttl)

    def _texts(self, value: dict[str, Any], index: Fields) -> list[str]:
        """Return the texts of a value: each field by itself, without fields all in one."""
        paths = self._index if index is None else _checked_index(index)
        if paths is False:
            return []
        if paths is None:
            return [_readable(value)]
        return [text for path in paths for text in get_text_at_path(value, path)]

    async def _search(self, op: SearchOp) -> list[Match]:
        prefix = tuple(op.namespace_prefix)
        require_page(op.offset, op.limit)
        comparisons = Comparisons(op.filter)
        page = {"offset": op.offset, "limit": op.limit}
        if op.query and op.query.strip():
            return await self._items.find(op.query, prefix, comparisons, **page)
        items = await self._items.search(prefix, comparisons, **page)
        return [Match(item, None) for item in items]

    async def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        require_page(op.offset, op.limit)
        conditions = op.match_conditions or ()
        fitting = (
            namespace
            for namespace in await self._items.namespaces(_common_prefix(conditions))
            if all(_fits(namespace, condition) for condition in conditions)
        )
        cut = dict.fromkeys(namespace[: op.max_depth] for namespace in fitting)
        return list(islice(cut, op.offset, op.offset + op.limit))


def _checked_index(index: Any) -> Fields:
    if index is None or index is False:
        return None if index is None else False
    if isinstance(index, str) or not isinstance(index, Sequence):
        raise InvalidInput("index", index, 'give a list of fields such as ["text"], or False')
    return list(index)


def _readable(value: dict[str, Any]) -> str:
    """Return all of a value as a text: its only text, or a line for each field."""
    if len(value) == 1 and isinstance(text := next(iter(value.values())), str):
        return text
    lines = ((key, get_text_at_path({"field": item}, "field")) for key, item in value.items())
    return "\n".join(f"{key}: {texts[0]}" for key, texts in lines if texts)


def _fits(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if condition.match_type not in MATCH_TYPES:
        raise InvalidInput("match_type", condition.match_type, "give prefix or suffix")
    if len(path) > len(namespace):
        return False
    start = 0 if condition.match_type == "prefix" else len(namespace) - len(path)
    labels = namespace[start : start + len(path)]
    pairs = zip(path, labels, strict=True)
    return all(expected in (ANY_LABEL, label) for expected, label in pairs)


def _common_prefix(conditions: Sequence[MatchCondition]) -> tuple[str, ...]:
    """Return the labels with which every fitting namespace begins."""
    paths = [tuple(each.path) for each in conditions if each.match_type == "prefix"]
    labels = (takewhile(lambda label: label != ANY_LABEL, path) for path in paths)
    return max(map(tuple, labels), key=len, default=())


def _item(item: Stored) -> Item:
    return Item(
        value=item.content,
        key=item.key,
        namespace=item.labels,
        created_at=item.created_at,
        updated_at=item.updated_at,
    )


def _search_item(match: Match) -> SearchItem:
    item = match.item
    return SearchItem(
        namespace=item.labels,
        key=item.key,
        value=item.content,
        created_at=item.created_at,
        updated_at=item.updated_at,
        score=match.score,
    )
