"""Every file of Cypher keeps the contract of its header. No database needed."""

import re
from pathlib import Path

import pytest

from asterism import statements
from asterism.settings import Section, Settings
from asterism.statements import Access, Statement

ALL = [statements.load(name) for name in statements.names()]
each = pytest.mark.parametrize("statement", ALL, ids=lambda statement: statement.name)
WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DROP|FOREACH|LOAD)\b")
LONGEST = 60


@each
def test_header_declares_exactly_the_parameters_used(statement: Statement) -> None:
    assert statement.declared == statement.parameters


@each
def test_header_says_what_it_does_in_one_line(statement: Statement) -> None:
    first = statement.text.splitlines()[0]
    assert first.startswith("// ")
    assert first.endswith(".")
    assert len(first) <= 100


@each
def test_header_says_what_each_column_means(statement: Statement) -> None:
    if not statement.name.startswith("schema/"):
        assert [name for name, meaning in statement.meanings.items() if not meaning] == []


@each
def test_the_dialect_is_the_first_line_of_code(statement: Statement) -> None:
    assert _code(statement.text)[0] == "CYPHER 25"


@each
def test_it_is_short_or_has_a_comment_before_each_stage(statement: Statement) -> None:
    stages = re.split(r"^ *// .*\n", statement.text, flags=re.MULTILINE)
    assert all(len(_code(stage)) <= LONGEST for stage in stages)


def _code(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("//")]


@each
def test_a_read_contains_no_write_clause(statement: Statement) -> None:
    if statement.access is Access.READ:
        assert not WRITES.search(statement.body)


@each
def test_only_batches_commit_on_their_own(statement: Statement) -> None:
    assert ("IN TRANSACTIONS" in statement.body or "CONCURRENT TRANSACTIONS" in statement.body) == (
        statement.access is Access.BATCH
    )


@each
def test_the_realm_is_used_wherever_data_is_touched(statement: Statement) -> None:
    if statement.access is not Access.SCHEMA:
        assert "realm" in statement.parameters or statement.realms in ("all", "none")


@each
def test_time_comes_from_the_clock(statement: Statement) -> None:
    called = re.findall(r"\b(datetime|timestamp|date|localdatetime)\s*\(\s*\)", statement.body)
    assert not called


@each
def test_settings_used_are_settings_defined(statement: Statement) -> None:
    section = getattr(Settings(), statement.section, None)
    defined = set(type(section).model_fields) if isinstance(section, Section) else set()
    assert statement.settings <= defined


@pytest.mark.slow
def test_every_setting_is_used() -> None:
    """In a statement of its part, or by its own name somewhere in the package."""
    source = "".join(path.read_text() for path in Path("engine").rglob("*.py"))
    for name in Settings.model_fields:
        for field in type(getattr(Settings(), name)).model_fields:
            in_cypher = any(s.section == name and field in s.settings for s in ALL)
            in_python = re.search(rf"\.{field}\b", source)
            assert in_cypher or in_python, f"{name}.{field} is used nowhere"


def test_every_statement_is_called_by_its_name() -> None:
    source = "".join(path.read_text() for path in Path("engine").rglob("*.py"))
    source = re.sub(r"@row_of\(.*?\)\n", "", source, flags=re.DOTALL)
    called_by_rule = ("schema/0", "inspect/")
    for statement in ALL:
        if not statement.name.startswith(called_by_rule):
            assert f'"{statement.name}"' in source, f"nobody runs {statement.name}"


def test_a_header_that_lacks_a_field_is_refused() -> None:
    with pytest.raises(ValueError, match=r"demo/x\.cypher: the header lacks Access, Returns"):
        statements.parse("demo/x", "// Nothing.\n//\n// Parameters: none\n\nCYPHER 25\nRETURN 1")


def test_columns_are_read_with_their_meanings() -> None:
    header = (
        "// Says hello.\n//\n// Parameters: none\n// Returns: {}\n// Access: read\n\nCYPHER 25\n"
    )
    text = header.format("id (its id), name (as typed, (perhaps) long),\n//   count (number)")
    assert statements.parse("demo/x", text).returns == ("id", "name", "count")
    assert statements.parse("demo/x", text).meanings["name"] == "as typed, (perhaps) long"
    assert statements.parse("demo/x", header.format("nothing")).returns == ()
    with pytest.raises(ValueError, match=r"demo/x\.cypher: Returns is not"):
        statements.parse("demo/x", header.format("id: the id"))


def test_a_header_may_say_what_is_locked() -> None:
    text = (
        "// Locks a star.\n//\n// Parameters: none\n// Returns: nothing\n// Access: write\n"
        "// Locks: Star nodes by id,\n//   in order\n\nCYPHER 25\nRETURN 1"
    )
    assert statements.parse("demo/x", text).locks == "Star nodes by id, in order"


def test_what_stands_in_quotes_and_comments_is_no_parameter() -> None:
    text = (
        "// Says hello.\n//\n// Parameters: $name\n// Returns: hello (text)\n// Access: read\n\n"
        "CYPHER 25\n// $comment\nRETURN '$quoted' + $name + `$ticked` AS hello /* $block */"
    )
    assert statements.parse("demo/hello", text).parameters == {"name"}


def test_param_lines_are_for_people_who_paste() -> None:
    text = (
        "// Says hello.\n//\n// Parameters: $name\n// Returns: hello (text)\n// Access: read\n\n"
        ":param name => 'Ada';\n\nCYPHER 25\nRETURN '$name; ' + $name AS hello // $name\n"
    )
    statement = statements.parse("demo/hello", text)
    assert statement.samples == (("name", "'Ada'"),)
    assert ":param" not in statement.text
    filled = statements.filled(statement.text, dict(statement.samples))
    assert filled.endswith("RETURN '$name; ' + 'Ada' AS hello // $name\n")
