"""Filters a second time, plainly: conditions in Python over memories as they were remembered."""

import operator
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from asterism.memories import Memory

TAGS = ["work", "home", "sea"]
SESSIONS = ["chat-1", "chat-2"]
PEOPLE = ["Ana", "Tam", "Old Piet"]
KEYS = ["page", "source", "read"]
LONG = "x" * 100  # its mark is longer than a word of the index
COMPARE = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}

numbers = st.sampled_from([-2.5, -1, 0, 0.0, 1, 1.0, 3, 3.0, 3.5, 2**53, 2**53 + 1, 1e300])
texts = st.sampled_from(["", "a", "ab", "b", "mail", "ä", LONG, LONG + "a", LONG + "b"])
scalars = st.one_of(numbers, texts, st.booleans())


def some(values: list[str]) -> st.SearchStrategy[list[str]]:
    """Return lists of one or more of some values."""
    return st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True)


items = st.fixed_dictionaries(
    {"tags": st.lists(st.sampled_from(TAGS), unique=True)},
    optional={
        "session": st.sampled_from(SESSIONS),
        "speaker": st.sampled_from(PEOPLE),
        "actor": st.sampled_from(PEOPLE),
        "category": st.sampled_from(["note", "plan"]),
        "about": st.sampled_from(PEOPLE),
        "metadata": st.dictionaries(st.sampled_from(KEYS), scalars, max_size=3),
    },
)
comparisons = st.one_of(
    scalars,
    st.fixed_dictionaries({"eq": scalars}),
    st.fixed_dictionaries({"ne": scalars}),
    st.fixed_dictionaries({"in": st.lists(scalars, min_size=1, max_size=3)}),
    *(st.fixed_dictionaries({name: st.one_of(numbers, texts)}) for name in COMPARE),
    st.fixed_dictionaries({"ge": numbers, "lt": numbers}),
)
filters = st.fixed_dictionaries(
    {},
    optional={
        "tags": some(TAGS),
        "any_tags": some(TAGS),
        "no_tags": some(TAGS),
        "session": st.one_of(st.sampled_from(SESSIONS), some(SESSIONS)),
        "no_sessions": some(SESSIONS),
        "speaker": some(PEOPLE),
        "actor": st.sampled_from(PEOPLE),
        "category": st.sampled_from(["note", "plan", "other"]),
        "about": some(PEOPLE),
        "where": st.dictionaries(st.sampled_from(KEYS), comparisons, min_size=1, max_size=2),
    },
)


def passes(memory: Memory, conditions: Mapping[str, Any]) -> bool:
    """Return True if a memory meets every condition."""
    return all(_fits(memory, name, value) for name, value in conditions.items())


def _fits(memory: Memory, name: str, value: Any) -> bool:
    tags = set(memory.tags)
    choices = [value] if isinstance(value, str) else value
    if name == "tags":
        return set(value) <= tags
    if name == "any_tags":
        return bool(set(value) & tags)
    if name == "no_tags":
        return not set(value) & tags
    if name == "no_sessions":
        return memory.session not in value
    if name == "ids":
        return memory.id in value
    if name == "where":
        return all(_compares(memory.metadata, key, each) for key, each in value.items())
    return getattr(memory, name) in choices


def _compares(metadata: Mapping[str, Any], key: str, comparison: Any) -> bool:
    operators = comparison if isinstance(comparison, dict) else {"eq": comparison}
    return all(_holds(metadata, key, name, operand) for name, operand in operators.items())


def _holds(metadata: Mapping[str, Any], key: str, name: str, operand: Any) -> bool:
    if name == "ne":
        return key not in metadata or not _same(metadata[key], operand)
    if key not in metadata:
        return False
    value = metadata[key]
    if name == "eq":
        return _same(value, operand)
    if name == "in":
        return any(_same(value, each) for each in operand)
    return _kind(value) == _kind(operand) and COMPARE[name](value, operand)


def _same(a: Any, b: Any) -> bool:
    return _kind(a) == _kind(b) and a == b


def _kind(value: Any) -> str:
    return "truth" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"
