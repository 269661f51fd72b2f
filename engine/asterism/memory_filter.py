"""Filter of memories: the conditions that find, list, count, forget_where and export share."""

import difflib
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, TypedDict, cast

from asterism.clock import Moment, aware
from asterism.errors import InvalidInput
from asterism.metadata import Scalar, require_key, require_scalar
from asterism.validation import encodable, is_finite

MOST_VALUES = 100  # of one condition
MOST_IDS = 10_000
OPERATORS = ("eq", "ne", "lt", "le", "gt", "ge", "in")
SIGNS = {"eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}  # for people
STATES = ("active", "archived", "duplicate", "superseded", "waiting")
LISTS = ("tags", "any_tags", "no_tags", "no_sessions")  # a single text would be its letters
CHOICES = ("session", "speaker", "actor", "category", "about")

Texts = str | Sequence[str]
Comparison = Scalar | Mapping[str, Scalar | Sequence[Scalar]]


class Conditions(TypedDict, total=False):
    """Keywords of a filter, as every call takes them. None is the same as leaving one out."""

    tags: Sequence[str] | None
    any_tags: Sequence[str] | None
    no_tags: Sequence[str] | None
    session: Texts | None
    no_sessions: Sequence[str] | None
    speaker: Texts | None
    actor: Texts | None
    category: Texts | None
    about: Texts | None
    ids: Sequence[str] | None
    since: Moment | None
    until: Moment | None
    minimum_strength: float | None
    maximum_strength: float | None
    state: Texts | None
    where: Mapping[str, Comparison] | None


@dataclass(frozen=True, kw_only=True)
class MemoryFilter:
    """Conditions that a memory must meet, every one of them. The default lets all pass.

    `tags` are all there, `any_tags` at least one of them, `no_tags` none. Where several texts are
    given for `session`, `speaker`, `actor`, `category`, `about` or `state`, one of them has to fit.
    `where` compares metadata: {"source": "mail", "page": {"ge": 3}}.
    """

    tags: Sequence[str] = ()
    any_tags: Sequence[str] = ()
    no_tags: Sequence[str] = ()
    session: Texts = ()
    no_sessions: Sequence[str] = ()
    speaker: Texts = ()
    actor: Texts = ()
    category: Texts = ()
    about: Texts = ()
    ids: Sequence[str] | None = None
    since: Moment | None = None
    until: Moment | None = None
    minimum_strength: float = 0.0
    maximum_strength: float = 1.0
    state: Texts = ()
    where: Mapping[str, Comparison] | None = None

    def __post_init__(self) -> None:
        """Check every condition, and store it in one form: texts as tuples, times in UTC."""
        for name in (*LISTS, *CHOICES):
            self._store(name, _texts(name, getattr(self, name)))
        for name in ("tags", "any_tags", "no_tags"):
            self._store(name, _plain_tags(getattr(self, name)))
        self._store("state", _states(self.state))
        if self.ids is not None:
            self._store("ids", _texts("ids", self.ids, MOST_IDS))
        self._store("since", None if self.since is None else aware(self.since, "since"))
        self._store("until", None if self.until is None else aware(self.until, "until", end=True))
        if self.since and self.until and self._time("since") > self._time("until"):
            raise InvalidInput("since", self.since, "give a time before `until`")
        self._check_strengths()
        self._store("where", _comparisons(self.where or {}))

    @property
    def empty(self) -> bool:
        """True if every memory passes."""
        return self == MemoryFilter()

    def up_to(self, at: datetime | None) -> "MemoryFilter":
        """Return the filter without what was learned after a time."""
        if at is None or (self.until and self._time("until") <= at):
            return self
        earlier = copy(self)
        earlier._store("until", at)  # which may be before `since`: then nothing passes
        return earlier

    def __str__(self) -> str:
        """Return the conditions in words, or nothing if there is none."""
        default = MemoryFilter()
        named = {item.name: getattr(self, item.name) for item in fields(self)}
        words = [
            f"{name} {_words(value)}"
            for name, value in named.items()
            if name != "where" and value != getattr(default, name)
        ]
        comparisons = cast(Mapping[str, Mapping[str, Any]], self.where)
        words += [
            f"{key} {SIGNS.get(operator, operator)} {_words(value)}"
            for key, operators in comparisons.items()
            for operator, value in operators.items()
        ]
        return "; ".join(words)

    def _check_strengths(self) -> None:
        for name in ("minimum_strength", "maximum_strength"):
            value = getattr(self, name)
            if not is_finite(value, 0, 1):
                raise InvalidInput(name, value, "give a number from 0 to 1")
        if self.minimum_strength > self.maximum_strength:
            remedy = f"give at most {self.maximum_strength}, the maximum_strength"
            raise InvalidInput("minimum_strength", self.minimum_strength, remedy)

    def _time(self, name: str) -> datetime:
        return cast(datetime, getattr(self, name))

    def _store(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


def build_filter(filter: MemoryFilter | None, conditions: Mapping[str, Any]) -> MemoryFilter:
    """Return a filter with these conditions besides its own, or refuse an unknown one by name."""
    if filter is not None and not isinstance(filter, MemoryFilter):
        raise InvalidInput("filter", filter, "give a MemoryFilter, or its conditions as keywords")
    names = [item.name for item in fields(MemoryFilter)]
    for name, value in conditions.items():
        if name not in names:
            raise InvalidInput(name, value, _did_you_mean(name, names, "conditions"))
    values = {name: value for name, value in conditions.items() if value is not None}
    return replace(filter or MemoryFilter(), **values)


def _texts(name: str, value: Any, most: int = MOST_VALUES) -> tuple[str, ...]:
    """Return one text or several as a tuple, or refuse what is none."""
    if isinstance(value, str):
        if name in LISTS or name == "ids":
            raise InvalidInput(name, value, f"give a list, such as [{value!r}]")
        value = (value,)
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise InvalidInput(name, value, "give a text, or a list of texts")
    if len(value) > most:
        raise InvalidInput(name, f"{len(value)} texts", f"give at most {most:,}")
    for text in value:
        _check_text(name, text)
    needed = name in ("any_tags", "ids") or name in CHOICES
    if needed and isinstance(value, list) and not value:
        raise InvalidInput(name, value, "no memory fits an empty list: leave it out for all")
    return tuple(dict.fromkeys(value))


def _check_text(name: str, text: Any) -> None:
    if not isinstance(text, str) or not encodable(text):
        raise InvalidInput(name, text, "give text that can be encoded")
    if not text and name in CHOICES and name != "session":
        raise InvalidInput(name, text, "give a text that is not empty")


def _plain_tags(tags: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted({tag.strip().lower() for tag in tags if tag.strip()}))


def _states(value: Any) -> tuple[str, ...]:
    states = _texts("state", value)
    for state in states:
        if state not in STATES:
            raise InvalidInput("state", state, f"give {', '.join(STATES)}, or several of them")
    return states


def _comparisons(where: Any) -> dict[str, dict[str, Any]]:
    """Return the comparisons of metadata, each as a mapping of operators to values."""
    if not isinstance(where, Mapping):
        raise InvalidInput("where", where, 'give a dictionary, such as {"page": {"ge": 3}}')
    if len(where) > MOST_VALUES:
        raise InvalidInput("where", f"{len(where)} keys", f"give at most {MOST_VALUES}")
    return {
        require_key(key, "where"): _operators(f"where.{key}", comparison)
        for key, comparison in where.items()
    }


def _operators(place: str, comparison: Any) -> dict[str, Any]:
    if not isinstance(comparison, Mapping):
        return {"eq": require_scalar(comparison, place)}
    if not comparison:
        raise InvalidInput(place, comparison, f"compare by one of {', '.join(OPERATORS)}")
    return {name: _operand(place, name, value) for name, value in comparison.items()}


def _operand(place: str, operator: Any, value: Any) -> Any:
    if operator not in OPERATORS:
        raise InvalidInput(place, operator, _did_you_mean(str(operator), OPERATORS, "operators"))
    argument = f"{place}.{operator}"
    if operator == "in":
        if isinstance(value, str) or not isinstance(value, Sequence) or not value:
            raise InvalidInput(argument, value, 'give a list of values, such as ["mail", "chat"]')
        if len(value) > MOST_VALUES:
            raise InvalidInput(argument, f"{len(value)} values", f"give at most {MOST_VALUES}")
        return tuple(require_scalar(each, argument) for each in value)
    if isinstance(value, bool) and operator not in ("eq", "ne"):
        raise InvalidInput(argument, value, "True and False have no order: compare by eq or ne")
    return require_scalar(value, argument)


def _did_you_mean(name: str, names: Sequence[str], kind: str) -> str:
    similar = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {similar[0]}? " if similar else ""
    return f"{hint}The {kind} are {', '.join(names)}"


def _words(value: Any) -> str:
    if isinstance(value, tuple):
        shown = ", ".join(map(_words, value[:5]))
        return f"{shown} and {len(value) - 5} more" if len(value) > 5 else shown
    return f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else str(value)
