"""Options of a filter, which several commands share, and what is typed into them."""

import inspect
import json
import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any

from asterism.cli.options import option, parse_time

Options = dict[str, Any]  # the conditions of a filter that were typed

KIND = inspect.Parameter.POSITIONAL_OR_KEYWORD
MANY = list[str] | None
OPERATORS = {"!=": "ne", ">=": "ge", "<=": "le", "=": "eq", ">": "gt", "<": "lt"}
COMPARISON = re.compile(r"(?s)(.+?)\s*(!=|>=|<=|=|<|>|~in\s)\s*(.*)")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")

_TYPES: dict[str, tuple[Any, Any]] = {
    "tag": (MANY, option("Only with this tag; repeatable, all of them.")),
    "any_tag": (MANY, option("Only with one of these tags; repeatable.")),
    "no_tag": (MANY, option("Only without this tag; repeatable.")),
    "session": (MANY, option("Only from this conversation; repeatable, any of them.")),
    "no_session": (MANY, option("Only from other conversations; repeatable.")),
    "speaker": (MANY, option("Only what this person said; repeatable, any of them.")),
    "actor": (MANY, option("Only whose memory it is; repeatable, any of them.")),
    "category": (MANY, option("Only of this category; repeatable, any of them.")),
    "about": (MANY, option("Only with this title; repeatable, any of them.")),
    "id": (MANY, option("Only this memory; repeatable.", "--id")),
    "since": (str | None, option("Only what was learned from then on.")),
    "until": (str | None, option("Only what was learned up to then; a date: to its end.")),
    "minimum": (float | None, option("Only what is at least this strong.")),
    "maximum": (float | None, option("Only what is at most this strong.")),
    "state": (
        MANY,
        option("active, archived, duplicate, superseded or waiting; repeatable, any of them."),
    ),
    "where": (
        MANY,
        option("Only metadata that compare: key=value, key!=x, key>=3, 'key~in a,b'; repeatable."),
    ),
}
_KEYWORDS = {
    "tag": "tags",
    "any_tag": "any_tags",
    "no_tag": "no_tags",
    "no_session": "no_sessions",
    "id": "ids",
    "minimum": "minimum_strength",
    "maximum": "maximum_strength",
}


def filtered(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a filter, in place of its parameter `conditions`."""
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.name != "conditions"]
    options = [
        inspect.Parameter(name, KIND, default=None, annotation=Annotated[kind, rule])
        for name, (kind, rule) in _TYPES.items()
    ]

    @wraps(function)
    def run(*answer: Any, **arguments: Any) -> None:
        typed = {each.name: arguments.pop(each.name) for each in options}
        function(*answer, conditions=conditions_of(typed), **arguments)

    run.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return run


def conditions_of(typed: Options) -> Options:
    """Return typed options as keywords of a filter, those that were not typed left out."""
    conditions = {_KEYWORDS.get(name, name): value for name, value in typed.items() if value}
    if typed.get("maximum") == 0:  # what has faded altogether
        conditions["maximum_strength"] = 0.0
    for name in ("since", "until"):
        if name in conditions:
            conditions[name] = parse_time(name, conditions[name], end=name == "until")
    if "where" in conditions:
        conditions["where"] = parse_comparisons(conditions["where"])
    return conditions


def parse_comparisons(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return comparisons such as `page>=3` as the condition `where` of a filter."""
    from asterism.errors import InvalidInput

    where: dict[str, dict[str, Any]] = {}
    for text in texts:
        match = COMPARISON.fullmatch(text.strip())
        if match is None:
            remedy = "give key=value, key!=value, key>=3, key<3 or 'key~in a,b'"
            raise InvalidInput("where", text, remedy)
        key, sign, value = match.groups()
        operator = OPERATORS.get(sign, "in")
        operators = where.setdefault(key, {})
        if operator in operators:
            raise InvalidInput("where", text, f"{key} is compared like this already: give one")
        operators[operator] = _operand(operator, value)
    return where


def parse_metadata_options(texts: Sequence[str]) -> dict[str, Any]:
    """Return options such as `page=3` as metadata."""
    from asterism.errors import InvalidInput

    metadata: dict[str, Any] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key:
            raise InvalidInput("meta", text, "give key=value, such as source=mail")
        metadata[key] = parse_scalar(value)
    return metadata


def parse_scalar(text: str) -> Any:
    """Return a number, True or False where a text reads like one, and a text in \"quotes\"."""
    if text in ("true", "false"):
        return text == "true"
    if NUMBER.fullmatch(text):
        return float(text) if set(text) & set(".eE") else int(text)
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _operand(operator: str, text: str) -> Any:
    if operator != "in":
        return parse_scalar(text)
    return [parse_scalar(part.strip()) for part in text.split(",")]
