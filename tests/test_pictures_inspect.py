"""Every statement of cypher/inspect as a person pastes it."""

import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from neo4j import Query

from engine import statements
from engine.errors import InvalidInput, NotFound
from engine.graph import Graph
from engine.view import pasting

NAMES = [name for name in statements.names() if name.startswith("inspect/")]
each = pytest.mark.parametrize("name", NAMES)


def pasted(name: str, realm: str) -> tuple[list[tuple[str, str]], str]:
    """What Browser makes of a file, here in another realm: commands, and the statement."""
    text = (statements.folder() / f"{name}.cypher").read_text(encoding="utf-8")
    text = text.replace("'demo'", f"'{realm}'")
    *commands, statement = re.split(r";\n", text)
    said = [re.sub(r"//[^\n]*\n", "", command).strip() for command in commands]
    found = [re.fullmatch(r":param (\w+) => (.*)", command) for command in said]
    assert all(found), said
    return [(match[1], match[2]) for match in found if match], statement


@each
def test_a_file_sets_each_parameter_it_uses_and_no_other(name: str) -> None:
    statement = statements.load(name)
    assert sorted(given for given, _ in statement.samples) == sorted(statement.parameters)
    assert dict(statement.samples)["realm"] == "'demo'"


@each
async def test_a_pasted_statement_shows_something(demo_graph: Graph, name: str) -> None:
    driver = demo_graph.database.driver
    commands, statement = pasted(name, demo_graph.realm)
    parameters: dict[str, Any] = {}
    for given, value in commands:
        answer = await driver.execute_query(Query(f"RETURN {value}"))
        parameters[given] = answer.records[0][0]
        assert parameters[given] is not None, given
    shown = await driver.execute_query(Query(statement), parameters)
    assert shown.records
    assert tuple(shown.keys) == statements.load(name).returns
    filled = pasting.pasted(name.removeprefix("inspect/"), demo_graph.realm)
    assert "$" not in filled.partition("CYPHER 25")[2]
    assert len((await driver.execute_query(Query(filled))).records) == len(shown.records)


async def test_a_value_of_ones_own_takes_the_place_of_the_suggestion(demo_graph: Graph) -> None:
    text = pasting.pasted("star_connections", demo_graph.realm, {"star_id": "sleep"})
    shown = await demo_graph.database.driver.execute_query(Query(text))
    bonds = await demo_graph.stars.connections("sleep")
    assert [record["type"] for record in shown.records] == [bond.type for bond in bonds]
    text = pasting.pasted("price_levels", demo_graph.realm, {"price": "10.5", "bps": "1"})
    shown = await demo_graph.database.driver.execute_query(Query(text))
    assert [record["price"] for record in shown.records] == ["10.5"]


def test_what_a_statement_does_not_know_is_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"set='star=sea': star_connections takes realm, star_id"
    ):
        pasting.pasted("star_connections", "demo", {"star": "sea"})
    with pytest.raises(NotFound, match=r"no statement .star.*brightest_stars"):
        pasting.pasted("star", "demo")


def test_a_quote_in_a_value_stays_a_value() -> None:
    text = pasting.pasted("star_connections", "o'clock", {"star_id": "x'} RETURN 1 //"})
    assert r"{realm: 'o\'clock', id: 'x\'} RETURN 1 //'}" in text


def test_the_saved_queries_of_the_docs_are_those_of_today(tmp_path: Path) -> None:
    """`asterism inspect --zip docs/browser/asterism.zip --realm demo` renews them."""
    wanted = pasting.saved("demo")
    with ZipFile("docs/browser/asterism.zip") as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == wanted
    assert pasting.save(tmp_path / "queries.zip", "demo") == len(wanted)
    with ZipFile(tmp_path / "queries.zip") as archive:
        assert archive.namelist() == list(wanted)


@each
def test_a_suggestion_keeps_its_variables_to_itself(name: str) -> None:
    """Put in its place inside a statement, it would else see the statement's own."""
    statement = statements.load(name)
    own = set(re.findall(r"\w+", statement.body))
    for _, suggestion in statement.samples:
        variables = re.findall(r"[(\[]([a-z]\w*)[:)\]]| AS (\w+)", suggestion)
        assert not {name for pair in variables for name in pair if name} & own


def test_one_parameter_means_the_same_in_every_statement() -> None:
    given = {sample for name in NAMES for sample in statements.load(name).samples}
    assert len({name for name, _ in given}) == len(given)
