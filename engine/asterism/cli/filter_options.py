"""Options of a filter, which several commands share, and what is typed into them."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from asterism.cli.options import OptionGroup, option, parse_time

MANY = list[str] | None
OPERATORS = {"!=": "ne", ">=": "ge", "<=": "le", "=": "eq", ">": "gt", "<": "lt"}
COMPARISON = re.compile(r"(?s)(.+?)\s*(!=|>=|<=|=|<|>|~in\s)\s*(.*)")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Filter(OptionGroup):
    """Options of a filter."""

    tags: Annotated[MANY, option("Only with this tag; repeatable, all of them.", "--tag")] = None
    any_tags: Annotated[MANY, option("Only with one of these tags; repeatable.", "--any-tag")] = (
        None
    )
    no_tags: Annotated[MANY, option("Only without this tag; repeatable.", "--no-tag")] = None
    session: Annotated[MANY, option("Only from this conversation; repeatable, any of them.")] = None
    no_sessions: Annotated[
        MANY, option("Only from other conversations; repeatable.", "--no-session")
    ] = None
    speaker: Annotated[MANY, option("Only what this person said; repeatable, any of them.")] = None
    actor: Annotated[MANY, option("Only whose memory it is; repeatable, any of them.")] = None
    category: Annotated[MANY, option("Only of this category; repeatable, any of them.")] = None
    about: Annotated[MANY, option("Only with this title; repeatable, any of them.")] = None
    ids: Annotated[MANY, option("Only this memory; repeatable.", "--id")] = None
    since: Annotated[str | None, option("Only what was learned from then on.")] = None
    until: Annotated[
        str | None, option("Only what was learned up to then; a date: to its end.")
    ] = None
    minimum_strength: Annotated[
        float | None, option("Only what is at least this strong.", "--minimum")
    ] = None
    maximum_strength: Annotated[
        float | None, option("Only what is at most this strong.", "--maximum")
    ] = None
    state: Annotated[
        MANY, option("active, archived, duplicate, superseded or waiting; repeatable, any of them.")
    ] = None
    where: Annotated[
        MANY,
        option("Only metadata that compare: key=value, key!=x, key>=3, 'key~in a,b'; repeatable."),
    ] = None

    def conditions(self) -> dict[str, Any]:
        """Return what was typed as keywords of a filter, the options that were not left out."""
        conditions = {name: value for name, value in self.typed().items() if value}
        if self.maximum_strength == 0:  # what has faded altogether
            conditions["maximum_strength"] = 0.0
        for name in ("since", "until"):
            if name in conditions:
                conditions[name] = parse_time(name, conditions[name], end=name == "until")
        if self.where:
            conditions["where"] = parse_comparisons(self.where)
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
