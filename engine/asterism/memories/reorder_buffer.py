"""Puts items in canonical order and refuses those that can't be evidence."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from heapq import heappop, heappush
from typing import Any

from asterism.memories import event_ids
from asterism.memories.evidence_rule import EvidenceRule
from asterism.memories.item_checks import identity_problem
from asterism.memories.models import Changed, Rejected
from asterism.message_text import excerpt, printable
from asterism.settings import MemoriesSettings
from asterism.timestamps import to_micros

SECOND = 1_000_000


class ReorderBuffer:
    """Holds the items of one call until no earlier one can come, `buffer_s` of event time."""

    def __init__(self, rule: EvidenceRule, settings: MemoriesSettings, watermark: int) -> None:
        self._rule = rule
        self._span = timedelta(seconds=settings.buffer_s)
        self._future = int(settings.future_s * SECOND)
        self._watermark = watermark
        self._digests: dict[str, str] = {}
        self.rejected: list[Rejected] = []
        self.changed: list[Changed] = []
        self.repeated = 0

    def ordered(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the accepted items in the order of the rule."""
        heap: list[tuple[tuple[Any, ...], int, Any]] = []
        newest: datetime | None = None
        for number, item in self._accepted(items):
            newest = max(newest, item.ts) if newest else item.ts
            heappush(heap, (self._rule.order(item), number, item))
            while heap and heap[0][2].ts < newest - self._span:
                yield heappop(heap)[2]
        while heap:
            yield heappop(heap)[2]

    def _accepted(self, items: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        for index, raw in enumerate(items):
            try:
                item = self._rule.parse(raw)
                if problem := identity_problem(item):
                    raise ValueError(problem)
                self._refuse_future(item)
            except ValueError as error:
                reason = printable(str(error))
                self.rejected.append(Rejected(index=index, event_id=_event_id(raw), reason=reason))
                continue
            if not self._is_repeated(item):
                self._watermark = max(self._watermark, to_micros(item.ts))
                yield index, item

    def _is_repeated(self, item: Any) -> bool:
        """Return whether this call had the item's id already, and count it if so."""
        digest = event_ids.content_digest(item)
        previous = self._digests.setdefault(item.event_id, digest)
        if previous is digest:
            return False
        if previous == digest:
            self.repeated += 1
        else:
            reason = "another item of this call has this id"
            self.changed.append(Changed(event_id=item.event_id, reason=reason))
        return True

    def _refuse_future(self, item: Any) -> None:
        ahead = to_micros(item.ts) - self._watermark
        if ahead > self._future:
            raise ValueError(
                f"ts: {ahead / SECOND:.0f} s ahead of everything seen and of the clock"
            )


def _event_id(raw: Any) -> str:
    value = raw.get("event_id") if isinstance(raw, dict) else getattr(raw, "event_id", "")
    if isinstance(value, str):
        return printable(value)
    return "" if value is None else excerpt(value)
