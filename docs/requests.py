"""Table of every method of a graph for docs/requests.md: its module, its statements, a test.

`python -m docs.requests` renews the page and prints each method that breaks the rule of the README.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from asterism.graph import Graph
from asterism.graph_parts import part_classes
from docs.architecture import replaced
from docs.call_graph import reached_statements

PAGE = Path("docs/requests.md")
TABLE = ("<!-- requests: python -m docs.requests -->", "<!-- end of requests -->")
CALLS_TO_STATEMENTS = 3
NO_PARTS = {"embedding"}  # a service of the parts
Function = Callable[..., Any]


@dataclass(frozen=True)
class Request:
    """One public method of a part, and where the rule leads."""

    part: str
    method: str
    module: str
    statements: tuple[str, ...]
    test: str

    @property
    def misses(self) -> list[str]:
        """Return what is not where the rule says."""
        misses = []
        if self.module not in (f"asterism.{self.part}.{self.part}", f"asterism.{self.part}"):
            misses.append(f"it is in {self.module}")
        if not self.statements:
            misses.append(f"no statement within {CALLS_TO_STATEMENTS} calls")
        if not self.test:
            misses.append(f"no test in tests/test_{self.part}*.py calls it")
        return misses

    def __str__(self) -> str:
        return f"graph.{self.part}.{self.method}"


def requests() -> list[Request]:
    """Return every public method of every part, in the order of the classes."""
    return [
        Request(
            part,
            name,
            function.__module__,
            reached_statements(function, CALLS_TO_STATEMENTS),
            calling_test(part, name),
        )
        for part, kind in (Graph.__annotations__ | part_classes()).items()
        if part not in NO_PARTS
        for name, function in public_methods(kind)
    ]


def public_methods(kind: type) -> Iterator[tuple[str, Function]]:
    """Yield the public methods of a class, inherited ones as well."""
    members = {
        name: member for base in reversed(kind.__mro__) for name, member in vars(base).items()
    }
    for name, member in members.items():
        function = getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(function):
            yield name, function


def calling_test(part: str, method: str) -> str:
    """Return the first test in the files of a part that calls a method."""
    call = re.compile(rf"\b{part}\.{method}\(")
    for path in sorted(Path("tests").glob(f"test_{part}*.py")):
        for name, text in _tests(path):
            if call.search(text):
                return f"`{path}`::{name}"
    return ""


@cache
def _tests(path: Path) -> list[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()  # `ast.get_source_segment` would split the text for each test
    return [
        (node.name, "\n".join(lines[node.lineno - 1 : node.end_lineno]))
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    ]


def table(rows: list[Request]) -> str:
    """Return the table of the page."""
    lines = ["| call | module | statements | a test that calls it |", "|---|---|---|---|"]
    for row in rows:
        module = f"`engine/{row.module.replace('.', '/')}.py`"
        names = ", ".join(f"`{name}`" for name in row.statements) or "-"
        lines.append(f"| `{row}` | {_existing(module)} | {names} | {row.test or '-'} |")
    return "\n".join(lines)


def _existing(module: str) -> str:
    package = module.replace(".py`", "/__init__.py`")
    return module if Path(module.strip("`")).exists() else package


def main() -> None:
    rows = requests()
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), TABLE, table(rows)), "utf-8")
    breaking = [row for row in rows if row.misses]
    for row in breaking:
        print(f"{row}: {', '.join(row.misses)}")
    print(f"{len(rows) - len(breaking)} of {len(rows)} methods keep the rule")


if __name__ == "__main__":
    main()
