"""Stub of the blocking graph, engine/asterism/sync.pyi, from the methods of the async one.

`python -m docs.sync_stub` renews it. Every public method of a part is there without `async`.
"""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from asterism.exploration.stream import Stream
from asterism.graph import Graph
from asterism.graph_parts import part_classes

FILE = Path("engine/asterism/sync.pyi")
HEADER = """\
# ruff: noqa: E501
\"\"\"Types of asterism.sync, made by `python -m docs.sync_stub`. Do not edit.\"\"\"

"""
OWN = """
class Iteration(Iterator[Item]):
    \"\"\"Items as they come. `close` stops before the end.\"\"\"

    def __next__(self) -> Item: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
"""
GRAPH = """
class Graph:
    \"\"\"One realm of a knowledge graph, whose methods wait for their results.\"\"\"

    asynchronous: async_graph.Graph
    realm: str
    uri: str
    clock: Clock
    settings: Settings
{parts}
    {open}
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
"""
ITERATORS = {"AsyncIterator": "Iteration", "AsyncGenerator": "Iteration"}
STREAM = (Stream.__module__, Stream.__name__)


class Imports:
    """Import statements of the stub: each name from the module that defines it."""

    def __init__(self) -> None:
        self._origins: dict[str, tuple[str, str]] = {}

    def add(self, name: str, module: ModuleType) -> str:
        """Import a name as a module uses it, and return its name in the stub."""
        origin = _origin(name, module)
        if origin in (None, STREAM):  # a builtin, and what the stub has a class for
            return name
        assert origin is not None
        alias = name
        while self._origins.setdefault(alias, origin) != origin:
            alias = f"{origin[0].split('.')[1].title()}{alias}"
        return alias

    def lines(self) -> Iterator[str]:
        """Yield the statements, sorted."""
        yield "import asterism.graph as async_graph"
        for alias, (module, name) in sorted(self._origins.items(), key=lambda item: item[1]):
            if name == "":
                yield f"import {module} as {alias}"
            else:
                yield f"from {module} import {name}" + (f" as {alias}" if alias != name else "")


def _origin(name: str, module: ModuleType) -> tuple[str, str] | None:
    """Return the module that defines a name, and its name there, None for a builtin."""
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _imported(node, alias.name)
    return (module.__name__, name) if name in vars(module) else None


def _imported(node: ast.Import | ast.ImportFrom, name: str) -> tuple[str, str]:
    """Return a module and a name in it, "" for the module itself."""
    if isinstance(node, ast.Import):
        return name, ""
    submodule = f"{node.module}.{name}"
    return (submodule, "") if submodule in sys.modules else (str(node.module), name)


def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


class _Renaming(ast.NodeTransformer):
    """Gives the names of annotations their names in the stub."""

    def __init__(self, imports: Imports, module: ModuleType) -> None:
        self._imports = imports
        self._module = module

    def visit_Name(self, node: ast.Name) -> ast.Name:
        name = ITERATORS.get(node.id) or self._imports.add(node.id, self._module)
        return ast.Name(name)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return node


def stub() -> str:
    """Return the text of the stub."""
    imports = Imports()
    graph_module = sys.modules[Graph.__module__]
    for name in ("Clock", "Settings"):
        imports.add(name, graph_module)
    kinds = Graph.__annotations__ | part_classes()
    classes = [_class(kind, imports) for kind in dict.fromkeys([Stream, *kinds.values()])]
    parts = "\n".join(f"    {part}: {kind.__name__}" for part, kind in kinds.items())
    opening = _method(_functions(Graph)["open"], imports, graph_module).replace("\n", "\n    ")
    body = GRAPH.format(parts=parts, open=opening.replace("'Graph'", "Self"))
    head = [
        "from collections.abc import Iterator",
        "from typing import Self, TypeVar",
        *imports.lines(),
    ]
    item = 'Item = TypeVar("Item", covariant=True)\n'
    lines = "\n".join(dict.fromkeys(head))
    return _formatted("\n".join([HEADER + lines, "", item, OWN, *classes, body]))


def _formatted(text: str) -> str:
    """Return the text with sorted imports, as the project formats its sources."""
    for options in (["check", "--quiet", "--fix-only", "--select", "I"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *options, "--stdin-filename", str(FILE), "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        text = done.stdout
    return text


def _class(kind: type, imports: Imports) -> str:
    """Return the public methods of a class, without `async`."""
    module = sys.modules[kind.__module__]
    functions = _functions(kind)
    base = "(Iteration[Event])" if kind is Stream else ""
    if kind is Stream:
        imports.add("Event", module)
    methods = [
        _method(function, imports, module)
        for name, function in functions.items()
        if not name.startswith("_") and name != "aclose"
    ]
    body = "\n".join(f"    {line}" for method in methods for line in method.splitlines())
    document = inspect.getdoc(kind) or ""
    text = f'    """{document.splitlines()[0]}"""\n\n'
    return f"class {kind.__name__}{base}:\n{text}{body}\n"


def _functions(kind: type) -> dict[str, Any]:
    """Return the functions of a class as they are in its source, in order."""
    tree = ast.parse(inspect.getsource(sys.modules[kind.__module__]))
    [node] = [
        each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == kind.__name__
    ]
    return {
        each.name: each
        for each in node.body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _method(
    function: ast.FunctionDef | ast.AsyncFunctionDef, imports: Imports, module: ModuleType
) -> str:
    """Return one method: its arguments as they are, and its first line of documentation."""
    renaming = _Renaming(imports, module)
    arguments = renaming.visit(function.args)
    returns = renaming.visit(function.returns) if function.returns else None
    document = ast.get_docstring(function)
    body: list[ast.stmt] = [ast.Expr(ast.Constant(...))]
    if document:
        body.insert(0, ast.Expr(ast.Constant(document.splitlines()[0])))
    [plain] = ast.parse(f"def {function.name}(): ...").body
    assert isinstance(plain, ast.FunctionDef)
    plain.args, plain.returns, plain.body = arguments, returns, body
    plain.decorator_list = function.decorator_list
    return ast.unparse(ast.fix_missing_locations(plain))


def main() -> None:
    FILE.write_text(stub(), encoding="utf-8")
    print(f"{FILE}: {len(FILE.read_text().splitlines())} lines")


if __name__ == "__main__":
    main()
