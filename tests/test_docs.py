"""No page names a file, a command, a method, a test or a variable that does not exist."""

import re
from pathlib import Path

import pytest
import typer.main

from asterism.cli import app
from asterism.graph import Graph
from asterism.graph_parts import part_classes
from asterism.settings import _variables

INDEX = Path("docs/README.md")
PAGES = [Path("README.md"), *sorted(Path("docs").rglob("*.md"))]
ROOTS = r"(?:engine|cypher|tests|docs|benchmarks|locks|seed|\.ci)"
TESTS = "".join(path.read_text() for path in Path("tests").glob("test_*.py"))
each_page = pytest.mark.parametrize("page", PAGES, ids=str)


@each_page
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    paths = re.findall(rf"`({ROOTS}/[\w./-]*)`", page.read_text())
    assert [path for path in paths if not Path(path).exists()] == []


@each_page
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@each_page
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    group = typer.main.get_command(app)
    for words in re.findall(r"`asterism ([a-z-]+(?: [a-z][a-z-]*)*)", page.read_text()):
        command = group
        for word in words.split():
            subcommands = getattr(command, "commands", {})
            assert not subcommands or word in subcommands, f"asterism {words}"
            command = subcommands.get(word, command)


@each_page
def test_every_method_that_a_page_names_exists(page: Path) -> None:
    classes = Graph.__annotations__ | part_classes()
    for part, method in re.findall(r"graph\.(\w+)\.(\w+)", page.read_text()):
        if part not in ("clock", "database", "settings"):
            assert hasattr(classes[part], method), f"graph.{part}.{method}"


@each_page
def test_every_test_that_a_page_names_exists(page: Path) -> None:
    names = re.findall(r"::(test_\w+)", page.read_text())
    assert [name for name in names if f"def {name}(" not in TESTS] == []


@pytest.mark.parametrize("page", sorted(Path("docs/reference").glob("*.md")), ids=str)
def test_every_test_in_a_table_of_rules_exists(page: Path) -> None:
    assert [name for name in _tests_in_tables(page.read_text()) if not _exists(name)] == []


def _tests_in_tables(text: str) -> list[str]:
    """Return the tests that last columns name as `file: name, name`, without `test_`."""
    names: list[str] = []
    for cell in re.findall(r"\| ([^|\n]*) \|$", text, re.MULTILINE):
        file = ""
        for word in re.split(r"[,;] ", cell):
            match = re.fullmatch(r"(?:(\w+): )?([a-z0-9_]{9,})", word)
            file = match[1] or file if match else ""
            if match and Path(f"tests/test_{file}.py").exists():
                names.append(f"{file}: {match[2]}")
    return names


def _exists(name: str) -> bool:
    file, test = name.split(": ")
    return f"def test_{test}(" in Path(f"tests/test_{file}.py").read_text()


@each_page
def test_every_variable_that_a_page_names_is_a_setting(page: Path) -> None:
    variables = set(re.findall(r"ASTERISM_[A-Z0-9_]*[A-Z0-9]", page.read_text()))
    assert variables <= _variables()


def test_every_page_is_in_the_index() -> None:
    links = set(re.findall(r"\]\(([^)#]+)", INDEX.read_text()))
    pages = {page.relative_to(INDEX.parent).as_posix() for page in INDEX.parent.rglob("*.md")}
    assert pages - links == {INDEX.name}
