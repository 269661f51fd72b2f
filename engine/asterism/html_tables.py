"""Small tables in HTML, by which notebooks show results."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from html import escape
from typing import Any

LONGEST = 300  # letters of a cell


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table with a title. Nothing in a cell is read as HTML."""
    head = "".join(f"<th style='text-align:left'>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f"<div><b>{escape(title)}</b>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def fields_table(title: str, fields: Mapping[str, Any]) -> str:
    """Return the fields of one thing, without those that are empty."""
    rows = [(name, value) for name, value in fields.items() if value not in (None, "", (), {}, [])]
    return table(title, ("field", "value"), rows)


def _cell(value: Any) -> str:
    return f"<td style='text-align:left'>{escape(_words(value))}</td>"


def _words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_words, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_words(each)}" for name, each in value.items())
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
