"""No page names a file, a command, a method or a variable that does not exist."""

import re
from pathlib import Path

import pytest
import typer.main

from engine.cli import app
from engine.graph import Graph
from engine.settings import _variables

PAGES = [Path("README.md"), *sorted(Path("docs").glob("*.md"))]
ROOTS = r"(?:engine|cypher|tests|docs|benchmarks|locks|seed|\.ci)"
each = pytest.mark.parametrize("page", PAGES, ids=str)


@each
def test_every_file_named_is_there(page: Path) -> None:
    named = re.findall(rf"`({ROOTS}/[\w./-]*)`", page.read_text())
    assert [path for path in named if not Path(path).exists()] == []


@each
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@each
def test_every_command_named_exists(page: Path) -> None:
    group = typer.main.get_command(app)
    for words in re.findall(r"`asterism ([a-z-]+(?: [a-z][a-z-]*)*)", page.read_text()):
        command = group
        for word in words.split():
            known = getattr(command, "commands", {})
            assert not known or word in known, f"asterism {words}"
            command = known.get(word, command)


@each
def test_every_method_named_exists(page: Path) -> None:
    for part, method in re.findall(r"graph\.(\w+)\.(\w+)", page.read_text()):
        if part in ("clock", "database", "settings"):
            continue
        kind = Graph.__annotations__[part]
        assert hasattr(kind, method), f"graph.{part}.{method}"


@each
def test_every_test_named_exists(page: Path) -> None:
    there = "".join(path.read_text() for path in Path("tests").glob("test_*.py"))
    named = re.findall(r"::(test_\w+)", page.read_text())
    assert [name for name in named if f"def {name}(" not in there] == []


@each
def test_every_variable_named_is_known(page: Path) -> None:
    named = set(re.findall(r"ASTERISM_[A-Z_]*[A-Z]", page.read_text()))
    assert named <= _variables()
