"""Every statement of cypher/inspect as a person pastes it."""

import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from neo4j import Query

from asterism import statements
from asterism.errors import InvalidInput, NotFound
from asterism.graph import Graph
from asterism.view import browser_queries

NAMES = [name for name in statements.names() if name.startswith("inspect/")]
each = pytest.mark.parametrize("name", NAMES)


def pasted(name: str, realm: str) -> tuple[list[tuple[str, str]], str]:
    """Return the commands and the statement that Browser reads from a file, in another realm."""
    text = (statements.folder() / f"{name}.cypher").read_text(encoding="utf-8")
    text = text.replace("'demo'", f"'{realm}'")
    *commands, statement = re.split(r";\n", text)
    parts = [re.sub(r"//[^\n]*\n", "", command).strip() for command in commands]
    matches = [re.fullmatch(r":param (\w+) => (.*)", command) for command in parts]
    assert all(matches), parts
    return [(match[1], match[2]) for match in matches if match], statement


@each
def test_a_file_sets_each_parameter_it_uses_and_no_other(name: str) -> None:
    statement = statements.load(name)
    assert sorted(setting for setting, _ in statement.samples) == sorted(statement.parameters)
    assert dict(statement.samples)["realm"] == "'demo'"


@pytest.mark.slow
@each
async def test_every_pasted_statement_returns_rows(demo_graph: Graph, name: str) -> None:
    driver = demo_graph.database.driver
    commands, statement = pasted(name, demo_graph.realm)
    parameters: dict[str, Any] = {}
    for setting, value in commands:
        answer = await driver.execute_query(Query(f"RETURN {value}"))
        parameters[setting] = answer.records[0][0]
        assert parameters[setting] is not None, setting
    answer = await driver.execute_query(Query(statement), parameters)
    assert answer.records
    assert tuple(answer.keys) == statements.load(name).returns
    filled = browser_queries.with_values(name.removeprefix("inspect/"), demo_graph.realm)
    assert "$" not in filled.partition("CYPHER 25")[2]
    assert len((await driver.execute_query(Query(filled))).records) == len(answer.records)


@pytest.mark.slow
async def test_a_value_of_ones_own_takes_the_place_of_the_suggestion(demo_graph: Graph) -> None:
    text = browser_queries.with_values("star_connections", demo_graph.realm, {"star_id": "sleep"})
    answer = await demo_graph.database.driver.execute_query(Query(text))
    bonds = await demo_graph.stars.connections("sleep")
    assert [record["type"] for record in answer.records] == [bond.type for bond in bonds]
    text = browser_queries.with_values(
        "price_levels", demo_graph.realm, {"price": "10.5", "bps": "1"}
    )
    answer = await demo_graph.database.driver.execute_query(Query(text))
    assert [record["price"] for record in answer.records] == ["10.5"]


@pytest.mark.parametrize(
    ("name", "setting", "expected"),
    [
        ("price_levels", "at=2026-06-20T13:00Z", "(datetime('2026-06-20T13:00Z').epochMillis"),
        ("price_levels", "at=2026-06-20 13:00Z", "datetime('2026-06-20T13:00:00+00:00')"),
        ("fading_connections", "now=2026-06-20T13:00+02:00", "datetime('2026-06-20T13:00+02:00')"),
        ("price_levels", "symbol=42", "symbol: '42'}"),
        ("price_levels", "price=10.5", "- 10.5) <= 10.5 * 500"),
        ("price_levels", "bps=7", "* 7 / 10000.0"),
        ("why_found", "seed_id=42", "seed:Memory {realm: 'demo', id: '42'}"),
        ("why_found", "hit_id=-1.5", "hit:Memory {realm: 'demo', id: '-1.5'}"),
        ("star_connections", "realm=7", "realm: '7'"),
        ("scene", "from=12", ">= 12 AND"),
    ],
)
def test_a_value_has_the_type_of_the_suggestion(name: str, setting: str, expected: str) -> None:
    key, _, value = setting.partition("=")
    assert expected in browser_queries.with_values(name, "demo", {key: value})


@pytest.mark.parametrize(
    ("name", "setting", "remedy"),
    [
        ("brightest_stars", "limit=many", "give a number, such as limit=25"),
        ("brightest_stars", "limit=007", "give a number, such as limit=25"),
        ("price_levels", "at=noon", "give a time such as at=2026-06-20T13:00Z"),
    ],
)
def test_a_value_of_another_type_is_refused(name: str, setting: str, remedy: str) -> None:
    key, _, value = setting.partition("=")
    with pytest.raises(InvalidInput, match=re.escape(f"set='{setting}': {remedy}")):
        browser_queries.with_values(name, "demo", {key: value})


@pytest.mark.slow
async def test_a_suggestion_follows_the_value_of_another_parameter(demo_graph: Graph) -> None:
    driver = demo_graph.database.driver
    [strongest, *_] = await demo_graph.stars.connections("sleep")
    other = strongest.b if strongest.a == "sleep" else strongest.a
    text = browser_queries.with_values(
        "connection_evidence", demo_graph.realm, {"star_id": "sleep"}
    )
    answer = await driver.execute_query(Query(text))
    why = await demo_graph.stars.why("sleep", other)
    assert len(answer.records) == len(why.evidence) > 0
    text = browser_queries.with_values("price_levels", "nowhere", {"realm": demo_graph.realm})
    assert (await driver.execute_query(Query(text))).records
    text = browser_queries.with_values("price_levels", demo_graph.realm, {"symbol": "nothing"})
    assert not (await driver.execute_query(Query(text))).records


def test_an_unknown_parameter_or_statement_is_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"set='star=sea': star_connections takes realm, star_id"
    ):
        browser_queries.with_values("star_connections", "demo", {"star": "sea"})
    with pytest.raises(NotFound, match=r"no statement .star.*brightest_stars"):
        browser_queries.with_values("star", "demo")


def test_a_quote_in_a_value_stays_a_value() -> None:
    text = browser_queries.with_values(
        "star_connections", "o'clock", {"star_id": "x'} RETURN 1 //"}
    )
    assert r"{realm: 'o\'clock', id: 'x\'} RETURN 1 //'}" in text


def test_the_saved_queries_of_the_docs_are_those_of_today(tmp_path: Path) -> None:
    """`asterism inspect --zip docs/browser/asterism.zip --realm demo` renews them."""
    queries = browser_queries.saved_queries("demo")
    with ZipFile("docs/browser/asterism.zip") as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == queries
    assert browser_queries.save(tmp_path / "queries.zip", "demo") == len(queries)
    with ZipFile(tmp_path / "queries.zip") as archive:
        assert archive.namelist() == list(queries)


@each
def test_a_suggestion_keeps_its_variables_to_itself(name: str) -> None:
    """Put in its place inside a statement, it would else see the statement's own."""
    statement = statements.load(name)
    own = set(re.findall(r"\w+", statement.body))
    for _, suggestion in statement.samples:
        variables = re.findall(r"[(\[]([a-z]\w*)[:)\]]| AS (\w+)", suggestion)
        assert not {name for pair in variables for name in pair if name} & own


def test_one_parameter_means_the_same_in_every_statement() -> None:
    samples = {sample for name in NAMES for sample in statements.load(name).samples}
    assert len({name for name, _ in samples}) == len(samples)


def test_a_time_without_a_zone_is_written_out_with_one() -> None:
    text = browser_queries.with_values("price_levels", "demo", {"at": "2026-06-20T13:00"})
    assert "datetime('2026-06-20T13:00:00+00:00')" in text
