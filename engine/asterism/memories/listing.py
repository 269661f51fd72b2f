"""Lists, pages and counts of the text memories that pass a filter."""

import base64
import json
import re
from binascii import Error as Base64Error
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypedDict, cast, get_args

from asterism import filter_query
from asterism.active_hours import ActiveHours
from asterism.database import Database, Row
from asterism.errors import InvalidInput
from asterism.memories.models import Memory, Page
from asterism.memories.rows import memory_fields
from asterism.memory_filter import MemoryFilter
from asterism.realm_names import realm_key
from asterism.row_types import row_of
from asterism.timestamps import to_micros
from asterism.validation import require_whole

Order = Literal["newest", "oldest", "id"]

MOST_ROWS = 10_000  # of a page, and of one statement
MOST_MARKED = 2000  # memories that are read by their marks; more are found in order sooner
LEAST_READ = 500
WIDER = 4
FIRST_TIME = "0001-01-01T00:00+18:00"
LAST_TIME = "9999-12-31T23:59:59.999999999-18:00"
TIME = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)(?:\[[\w/+-]+])?"
)
LAST_ID = "\U0010ffff"


@row_of("memories/list")
class ListedTexts(TypedDict):
    """Texts that pass among those gone through, and where the last of these stands."""

    count: int
    last: list[str]
    rows: list[Row]


class Place(NamedTuple):
    """Place in an order, right behind the memory of a time and an id."""

    order: str
    time: str
    id: str

    def cursor(self) -> str:
        """Return the place as one word."""
        return base64.urlsafe_b64encode(json.dumps(self).encode()).decode()


class Listing:
    """Reads text memories in pages, each from where the one before ended."""

    def __init__(self, database: Database, hours: ActiveHours) -> None:
        self._database = database
        self._hours = hours

    async def page(self, filter: MemoryFilter, limit: int, after: str | None, order: Order) -> Page:
        """Return the next memories that pass, and the place behind the last one."""
        require_whole("limit", limit, 1, MOST_ROWS)
        place = _place(after, order, filter)
        scope = await self._scope(filter)
        rows = await self._rows(scope, filter, place, limit + 1, whole=True)
        items = tuple(Memory(**memory_fields(row)) for row in rows[:limit])
        last = rows[limit - 1] if len(rows) > limit else None
        return Page(items=items, next=last and Place(order, last["time"], last["id"]).cursor())

    async def pages(self, filter: MemoryFilter, order: Order) -> AsyncIterator[Page]:
        """Yield page after page, to the last one."""
        after: str | None = None
        while True:
            page = await self.page(filter, LEAST_READ, after, order)
            yield page
            after = page.next
            if after is None:
                return

    async def count(self, filter: MemoryFilter) -> int:
        """Return how many memories pass."""
        row = await self._database.one("memories/count", **await self._scope(filter))
        return int(row["count"])

    async def ids(self, filter: MemoryFilter) -> list[str]:
        """Return the ids of all that pass, in order."""
        scope, place = await self._scope(filter), _place(None, "id", filter)
        ids: list[str] = []
        while rows := await self._rows(scope, filter, place, MOST_ROWS, whole=False):
            ids += [row["id"] for row in rows]
            place = Place("id", place.time, ids[-1])
        return ids

    async def _rows(
        self, scope: Row, filter: MemoryFilter, place: Place, limit: int, *, whole: bool
    ) -> list[Row]:
        """Return the next rows that pass, from as many memories as it takes."""
        rows: list[Row] = []
        window = limit if filter.empty else max(limit, LEAST_READ)
        while True:
            row = await self._database.one(
                "memories/list",
                **scope,
                order=place.order,
                after_time=place.time,
                after_id=place.id,
                window=window,
                limit=limit - len(rows),
                whole=whole,
            )
            batch = cast("ListedTexts", row)
            rows += batch["rows"]
            if len(rows) == limit or batch["count"] < window or scope["ids"] is not None:
                return rows
            place = Place(place.order, *batch["last"])
            window = min(WIDER * window, MOST_ROWS)

    async def _scope(self, filter: MemoryFilter) -> Row:
        """Return the filter as statements read it, with the ids that marks narrow it to."""
        wall = to_micros(self._database.clock.now())
        parameter = filter_query.parameter(filter, wall=wall, active=await self._hours.reading())
        return {
            "filter": parameter | {"narrows": not filter.empty},
            "ids": parameter["ids"] or await self._marked(filter),
            "earliest": _bound(filter.since, FIRST_TIME),
            "latest": _bound(filter.until, LAST_TIME),
        }

    async def _marked(self, filter: MemoryFilter) -> list[str] | None:
        """Return the memories that may pass by their marks, or None if these are many or no help.

        Pages go through the memories in order then, which finds enough of them soon.
        """
        if not filter_query.selective(filter):
            return None
        row = await self._database.one(
            "memories/find_marked",
            realm_key=realm_key(self._database.realm),
            clauses=filter_query.clauses(filter),
            duplicates=not filter.state or not {"active", "archived"}.issuperset(filter.state),
            limit=MOST_MARKED,
        )
        ids: list[str] | None = row["ids"]
        return ids


def _bound(at: Any, end: str) -> str:
    return at.isoformat() if isinstance(at, datetime) else end


def _place(after: str | None, order: str, filter: MemoryFilter) -> Place:
    """Return the place behind which a page begins, or refuse what is none."""
    if order not in get_args(Order):
        raise InvalidInput("order", order, f"give {', '.join(get_args(Order))}")
    if after is None:
        if order == "newest":
            return Place(order, _bound(filter.until, LAST_TIME), LAST_ID)
        return Place(order, _bound(filter.since, FIRST_TIME), "")
    place = _parsed(after)
    if place is None:
        raise InvalidInput("after", after, "give `next` of the page before, as it is")
    if place.order != order:
        raise InvalidInput("after", after, f"that page was in the order {place.order}: keep it")
    return place


def _parsed(after: Any) -> Place | None:
    try:
        parts = json.loads(base64.urlsafe_b64decode(after.encode()))
        order, time, id = map(str, parts)
        if (match := TIME.fullmatch(time)) is None:
            return None
        datetime.fromisoformat(match[1])
    except (AttributeError, TypeError, ValueError, Base64Error):
        return None
    return Place(order, time, id)
