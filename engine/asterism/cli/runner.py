"""Shared mechanism of commands: `@command` adds --realm and --json, a Runner runs and answers.

A command is a function whose first parameter is a `Runner`, or an `Answer` if it needs no graph.
It makes one call of a part and hands the result on, with its text or its columns. A parameter whose
type is an `OptionGroup` stands for the options that its fields are.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from asterism.cli import output
from asterism.cli.options import AsJson, InRealm, OptionGroup

if TYPE_CHECKING:
    from asterism.graph import Graph

T = TypeVar("T")
Columns = Sequence[str] | Mapping[str, Any]  # headings, each with a field or a function

_KIND = inspect.Parameter.KEYWORD_ONLY
_OPTIONS = {
    "realm": inspect.Parameter("realm", _KIND, default="default", annotation=InRealm),
    "json": inspect.Parameter("json", _KIND, default=False, annotation=AsJson),
}


@dataclass(frozen=True)
class Answer:
    """Prints the result of a command, as text or as one JSON document."""

    json: bool

    def show(self, document: Any, text: str | Callable[[], object]) -> None:
        """Print a document as JSON, or its text: a plain line, or a function that prints it."""
        if self.json:
            output.print_json(document)
        elif callable(text):
            text()
        else:
            output.print_text(text)

    def table(self, items: Sequence[Any], columns: Columns, empty: str = "") -> None:
        """Print results as JSON or as a table, or the text `empty` where there are none."""
        self.show(items, lambda: print_items(items, columns, empty))


@dataclass(frozen=True)
class Runner(Answer):
    """Answer of a command that works in a realm."""

    realm: str

    def run(self, call: "Callable[[Graph], Awaitable[T]]", *, may_create: bool = False) -> T:
        """Open the realm, make a call and close it. An absent realm is refused if not created."""
        from asterism.graph import Graph

        async def work() -> T:
            async with Graph.open(realm=self.realm) as graph:
                if not may_create:
                    await graph.realms.require(self.realm)
                return await call(graph)

        return asyncio.run(work())


def command(
    group: typer.Typer | None = None, name: str = ""
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of its first parameter's type.

    The command is added to the group, if there is one.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function)
        kind, *parameters = signature.parameters.values()
        names = {field.name for field in fields(kind.annotation)}
        shared = [option for name, option in _OPTIONS.items() if name in names]
        groups = {each.name: each.annotation for each in parameters if _is_group(each.annotation)}
        options = {name: _options(group) for name, group in groups.items()}

        @wraps(function)
        def run(**arguments: Any) -> None:
            answer = kind.annotation(**{each.name: arguments.pop(each.name) for each in shared})
            for name, group in groups.items():
                values = {each.name: arguments.pop(each.name) for each in options[name]}
                arguments[name] = group(**values)
            function(answer, **arguments)

        own = chain.from_iterable(options.get(each.name, [each]) for each in parameters)
        run.__signature__ = signature.replace(  # type: ignore[attr-defined]  # typer reads it
            parameters=[each.replace(kind=_KIND) for each in (*own, *shared)]
        )
        return group.command(name or name_of(run))(run) if group else run

    return decorate


def _is_group(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, OptionGroup)


def _options(group: Any) -> list[inspect.Parameter]:
    """Return the fields of a group as the parameters of a command."""
    return [
        inspect.Parameter(
            field.name,
            _KIND,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=field.type,
        )
        for field in fields(group)
    ]


def name_of(function: Callable[..., None]) -> str:
    """Return the name of a function as a command."""
    return function.__name__.strip("_").replace("_", "-")


def print_items(items: Sequence[Any], columns: Columns, empty: str = "") -> None:
    """Print results as a table: headings with a field or a function, or just names of fields."""
    if empty and not items:
        output.print_dim(empty)
        return
    readers = columns if isinstance(columns, Mapping) else dict(zip(columns, columns, strict=True))
    rows = [[_read(item, reader) for reader in readers.values()] for item in items]
    output.print_table(list(readers), rows)


def _read(item: Any, reader: str | Callable[[Any], object]) -> object:
    if callable(reader):
        return reader(item)
    return cell(item[reader] if isinstance(item, dict) else getattr(item, reader))


def cell(value: Any) -> str:
    """Return a value as a cell of a table shows it."""
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return "" if value is None else str(value)
