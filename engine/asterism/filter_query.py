"""A filter as the database reads it: clauses of the fulltext index, and parameters of statements.

The index narrows by marks and whole days. Statements test every condition exactly: `$filter`.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast

from asterism import filter_marks
from asterism.database import Row
from asterism.filter_marks import CUT, MarkRange
from asterism.memory_filter import CHOICES, SIGNS, MemoryFilter

MOST_CLAUSES = 400  # of a filter; with the words of a question, an index takes 1,024


class MarkCondition(NamedTuple):
    """A condition on the marks of a memory: one of these, none of those, one in a range."""

    words: str
    one_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    within: MarkRange | None = None

    def fits(self, marks: Sequence[str]) -> bool:
        """Tell whether these marks of a memory meet the condition."""
        low, high = self.within or ("", "")
        return (
            (not self.one_of or any(mark in marks for mark in self.one_of))
            and not any(mark in marks for mark in self.none_of)
            and (self.within is None or any(low <= mark < high for mark in marks))
        )


def mark_conditions(filter: MemoryFilter) -> list[MarkCondition]:
    """Return the conditions on tags, fields and metadata, as conditions on marks."""
    return [*_tag_conditions(filter), *_field_conditions(filter), *_metadata_conditions(filter)]


def clauses(filter: MemoryFilter) -> str:
    """Return what the fulltext index can test: marks and whole days. The rest is left to it."""
    parts: list[str] = []
    count = 0
    for condition in mark_conditions(filter):
        count += len(condition.one_of) + len(condition.none_of) + 1
        if count <= MOST_CLAUSES:
            parts.extend(_clauses(condition))
    if filter.since or filter.until:
        parts.append(_day_clause(filter))
    return "".join(f"{part} " for part in parts)


def selective(filter: MemoryFilter) -> bool:
    """Tell whether the index narrows to what has something, and not only leaves something out."""
    return "+" in clauses(filter)


def parameter(filter: MemoryFilter, *, wall: int, active: int, archived: bool = True) -> Row:
    """Return the filter as statements read it, with the time on both clocks.

    Without `archived`, only active memories pass unless the filter names states.
    """
    conditions = mark_conditions(filter)
    states = list(filter.state) or (None if archived else ["active"])
    return {
        "since": filter.since,
        "until": filter.until,
        "one_of": [list(each.one_of) for each in conditions if each.one_of],
        "none_of": [mark for each in conditions for mark in each.none_of],
        "within": [list(each.within) for each in conditions if each.within],
        "ids": None if filter.ids is None else list(filter.ids),
        "minimum_strength": filter.minimum_strength,
        "maximum_strength": filter.maximum_strength,
        "states": states,
        "wall": wall,
        "active": active,
    }


def _tag_conditions(filter: MemoryFilter) -> Iterator[MarkCondition]:
    mark = filter_marks.tag_mark
    for tag in filter.tags:
        yield MarkCondition(f"tag {tag}", (mark(tag),))
    if filter.any_tags:
        words = f"one of the tags {', '.join(filter.any_tags)}"
        yield MarkCondition(words, tuple(map(mark, filter.any_tags)))
    if filter.no_tags:
        words = f"none of the tags {', '.join(filter.no_tags)}"
        yield MarkCondition(words, none_of=tuple(map(mark, filter.no_tags)))


def _field_conditions(filter: MemoryFilter) -> Iterator[MarkCondition]:
    for name in CHOICES:
        if values := getattr(filter, name):
            marks = tuple(filter_marks.field_mark(name, value) for value in values)
            yield MarkCondition(f"{name} {' or '.join(values)}", marks)
    if filter.no_sessions:
        marks = tuple(filter_marks.field_mark("session", value) for value in filter.no_sessions)
        yield MarkCondition(f"no session {' or '.join(filter.no_sessions)}", none_of=marks)


def _metadata_conditions(filter: MemoryFilter) -> Iterator[MarkCondition]:
    comparisons = cast(dict[str, dict[str, Any]], filter.where)
    for key, operators in comparisons.items():
        for operator, value in operators.items():
            yield _metadata_condition(key, operator, value)


def _metadata_condition(key: str, operator: str, value: Any) -> MarkCondition:
    words = f"{key} {SIGNS.get(operator, operator)} {value}"
    if operator == "in":
        return MarkCondition(words, tuple(filter_marks.value_mark(key, each) for each in value))
    if operator == "eq":
        return MarkCondition(words, (filter_marks.value_mark(key, value),))
    if operator == "ne":
        return MarkCondition(words, none_of=(filter_marks.value_mark(key, value),))
    return MarkCondition(words, within=filter_marks.value_range(key, operator, value))


def _clauses(condition: MarkCondition) -> Iterator[str]:
    if condition.one_of:
        yield f"+({' '.join(map(_mark_clause, condition.one_of))})^0"
    if condition.within:
        yield f"+{_range_clause(condition.within)}"
    # The index knows the beginning of a long mark alone, which others may share.
    yield from (f"-marks:{mark}" for mark in condition.none_of if len(mark) <= CUT)


def _mark_clause(mark: str) -> str:
    if len(mark) <= CUT:
        return f"marks:{mark}"
    return _range_clause(MarkRange(mark, mark + filter_marks.AFTER_DIGITS))


def _range_clause(marks: MarkRange) -> str:
    """Return a range for the index, which holds the beginning of a long mark alone."""
    high = marks.high
    if len(high) > CUT:
        high = high[:CUT] + filter_marks.AFTER_DIGITS
    return f"marks:[{marks.low[:CUT]} TO {high}]"


def _day_clause(filter: MemoryFilter) -> str:
    since, until = cast(datetime | None, filter.since), cast(datetime | None, filter.until)
    first = filter_marks.day_token(since) if since else "*"
    last = filter_marks.day_token(until) if until else "*"
    return f"+day:[{first} TO {last}]^0"
