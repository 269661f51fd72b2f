"""Static call graph of the package: which functions a function refers to, and which statements.

Nothing is run. The type of an expression is read from annotations, constructors and assignments. A
reference that stays unclear is left out.
"""

import ast
import importlib
import inspect
import sys
import textwrap
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from asterism import statements

Function = Callable[..., Any]
PACKAGE = "asterism."
STATEMENTS = frozenset(statements.names())
_pending: set[tuple[type, str]] = set()


@dataclass(frozen=True)
class Instance:
    """An object of which only the class is clear."""

    kind: type


@dataclass(frozen=True)
class References:
    """Functions and statements that the text of one function names."""

    functions: tuple[Function, ...]
    statements: tuple[str, ...]


def reached_statements(function: Function, calls: int) -> tuple[str, ...]:
    """Return the statements that a function reaches with this many calls in between at most.

    Only the nearest level that names statements counts.
    """
    level, visited = [function], {function}
    for _ in range(calls + 1):
        references = [references_of(member) for member in level]
        if names := [name for each in references for name in each.statements]:
            return tuple(dict.fromkeys(names))
        candidates = dict.fromkeys(member for each in references for member in each.functions)
        level = [member for member in candidates if member not in visited]
        visited |= set(level)
    return ()


@cache
def references_of(function: Function) -> References:
    """Read the text of a function for functions of the package and for names of statements."""
    tree, scope = _tree(function), _Scope(function)
    functions: dict[Function, None] = {}
    names: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in STATEMENTS:
            names[node.value] = None
        elif isinstance(node, ast.Name | ast.Attribute):
            target = scope.value(node)
            if isinstance(target, str) and target in STATEMENTS:
                names[target] = None
            elif inspect.isfunction(target) and target.__module__.startswith(PACKAGE):
                functions[target] = None
    return References(tuple(functions), tuple(names))


@cache
def _tree(function: Function) -> ast.FunctionDef | ast.AsyncFunctionDef:
    [node] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return node


class _Scope:
    """Meaning of the names inside one function, as far as it is clear."""

    def __init__(self, function: Function) -> None:
        self._globals = vars(sys.modules[function.__module__])
        self._names: dict[str, Any] = {}
        for name, annotation in _annotations(function).items():
            self._names[name] = _instance(annotation)
        if owner := _owner(function):
            self._names["self"] = self._names["cls"] = Instance(owner)
        self._names |= _local_imports(_tree(function))
        for name, value in _assignments(_tree(function)):
            if name not in self._names:
                self._names[name] = self.value(value)

    def value(self, node: ast.expr) -> Any:
        """Return the object or the Instance that an expression stands for, or None."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id, self._globals.get(node.id))
        if isinstance(node, ast.Attribute):
            return _member(self.value(node.value), node.attr)
        if isinstance(node, ast.Await):
            return self.value(node.value)
        if isinstance(node, ast.Call):
            target = self.value(node.func)
            if isinstance(target, type):
                return Instance(target)
            return _instance(_annotations(target).get("return")) if target else None
        return None


def _local_imports(tree: ast.AST) -> dict[str, Any]:
    """Return what a function imports by itself, which it does to load no more than it needs."""
    return {
        alias.asname or alias.name: getattr(importlib.import_module(node.module), alias.name, None)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def _assignments(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
            yield node.optional_vars.id, node.context_expr


def _owner(function: Function) -> type | None:
    owner, _, _ = function.__qualname__.rpartition(".")
    kind = vars(sys.modules[function.__module__]).get(owner)
    return kind if isinstance(kind, type) else None


def _annotations(target: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(target)
    except (NameError, TypeError):  # names for type checkers alone, or nothing that has hints
        return {}


def _instance(annotation: Any) -> Instance | None:
    for kind in (annotation, *typing.get_args(annotation)):
        if isinstance(kind, type) and kind is not types.NoneType:
            return Instance(kind)
    return None


def _member(target: Any, name: str) -> Any:
    if isinstance(target, Instance):
        return _attribute(target.kind, name)
    if isinstance(target, types.ModuleType | type):
        return getattr(target, name, None)
    return None


@cache
def _attribute(kind: type, name: str) -> Any:
    member = inspect.getattr_static(kind, name, None)
    member = getattr(member, "__func__", member)
    if isinstance(member, property):
        return _instance(_annotations(member.fget).get("return"))
    if inspect.isfunction(member):
        return member
    if name in (hints := _annotations(kind)):
        return _instance(hints[name])
    return _assigned_in_constructor(kind, name)


def _assigned_in_constructor(kind: type, name: str) -> Any:
    constructor = vars(kind).get("__init__")
    if not inspect.isfunction(constructor) or constructor.__code__.co_filename == "<string>":
        return None  # none of its own, or one that a decorator wrote
    if (kind, name) in _pending:
        return None  # its value is built from itself
    _pending.add((kind, name))
    try:
        return _constructor_value(kind, f"self.{name}")
    finally:
        _pending.remove((kind, name))


def _constructor_value(kind: type, own: str) -> Any:
    constructor: Function = vars(kind)["__init__"]
    scope = _Scope(constructor)
    for node in ast.walk(_tree(constructor)):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == own:
            return scope.value(node.value)
    return None
