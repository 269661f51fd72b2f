"""The language of the sources: plain names, docstrings that begin with a verb, readable Cypher."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from asterism import statements

PACKAGE = Path("engine/asterism")
PYTHON = [*sorted(PACKAGE.rglob("*.py")), *sorted(Path("tests").rglob("*.py"))]
# Versions of the schema have run on databases of users: they stay as they are.
CYPHER = [name for name in statements.names() if not name.startswith("schema/")]

# Participles and adverbs name an act and not a thing.
BANNED = frozenset(
    """
    told found given known wanted kept asked meant heard said noted worded matched near only also
    beside seen done gone taken held born fresh standing upto felt spent listed walked
    """.split()  # noqa: SIM905
)
PUBLIC = {"near", "found", "kept", "fresh"}  # arguments and fields of results that users have
OPENING = re.compile(r"(What|How|Whether|Where|Who|Which|Why|When|That|If)\b")
# Every part has these; settings and commands are named after the part that they serve.
REPEATED_MODULES = {"__init__", "__main__", "models", "rows"}
NAMED_AFTER_PARTS = {"settings", "cli"}

LITERAL = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`")
LIST_VARIABLES = re.compile(r"[\[(,]\s*(\w+)\s+IN\b|\breduce\(\s*(\w+)\s*=")
VARIABLES = re.compile(r"\bAS (\w+)|[(\[](\w+)\s*[:){\]]|\b(\w+)\.\w+")
SHORT_NAMES = {"id", "at", "_", "a", "b", "dm", "db"}  # columns of results, and `db.create...`
LONGEST_UNCOMMENTED = 25

each_module = pytest.mark.parametrize("path", PYTHON, ids=str)
each_statement = pytest.mark.parametrize("name", CYPHER)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def bound_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of everything that a module binds, keyword arguments included."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.lineno, node.name
                yield from parameters(node.args)
            case ast.ClassDef():
                yield node.lineno, node.name
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr
            case ast.keyword(arg=str()):
                yield node.value.lineno, str(node.arg)


def parameters(arguments: ast.arguments) -> Iterator[tuple[int, str]]:
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for one in [*named, arguments.vararg, arguments.kwarg]:
        if one is not None:
            yield one.lineno, one.arg


@cache
def docstrings(path: Path) -> list[str]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(parsed(path)) if isinstance(node, documented))
    return [text for node in nodes if (text := ast.get_docstring(node))]


@each_module
def test_names_are_nouns_and_verbs(path: Path) -> None:
    bound = bound_names(parsed(path))
    assert [
        (line, name) for line, name in bound if name.strip("_").lower() in BANNED - PUBLIC
    ] == []


@each_module
def test_docstrings_begin_with_what_is_done(path: Path) -> None:
    assert [text for text in docstrings(path) if OPENING.match(text)] == []


@each_module
def test_docstrings_have_no_semicolon(path: Path) -> None:
    assert [text for text in docstrings(path) if ";" in re.sub(r"`[^`]*`", "", text)] == []


def test_one_module_name_means_one_thing() -> None:
    places = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] not in NAMED_AFTER_PARTS:
            places[path.stem].append(str(path))
    repeated = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert {name: repeated[name] for name in repeated.keys() - REPEATED_MODULES} == {}


def body_lines(name: str) -> list[str]:
    """Return the lines of a statement behind its header, empty ones left out."""
    lines = statements.load(name).text.splitlines()
    header = ("//", ":param")
    start = next(n for n, line in enumerate(lines) if line and not line.startswith(header))
    return [line for line in lines[start:] if line.strip()]


def code(name: str) -> str:
    """Return the body of a statement without comments and literals."""
    return LITERAL.sub("''", "\n".join(line.split("//")[0] for line in body_lines(name)))


@each_statement
def test_cypher_has_at_most_100_columns(name: str) -> None:
    lines = statements.load(name).text.splitlines()
    samples = ":param"  # of Browser, which takes one line for each
    assert [ln for ln in lines if len(ln) > 100 and not ln.startswith(samples)] == []


@each_statement
def test_cypher_variables_are_words(name: str) -> None:
    text = code(name)
    in_lists = {word for pair in LIST_VARIABLES.findall(text) for word in pair}
    variables = {word for group in VARIABLES.findall(text) for word in group if word}
    short = {word for word in variables if len(word) < 3 and not word[0].isdigit()}
    assert short - in_lists - SHORT_NAMES == set()
    assert {word for word in variables if word.lower() in BANNED - PUBLIC} == set()


@each_statement
def test_cypher_parameters_are_named_for_their_content(name: str) -> None:
    assert statements.load(name).parameters & (BANNED - PUBLIC) == set()


@each_statement
def test_long_cypher_says_what_each_stage_computes(name: str) -> None:
    lines = body_lines(name)
    comments = sum(line.strip().startswith("//") for line in lines)
    size = len(lines) - comments
    assert size < LONGEST_UNCOMMENTED or comments >= max(2, size // LONGEST_UNCOMMENTED)
