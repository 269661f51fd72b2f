"""The data model that imports go by says what statements write, and what is in a database."""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine import statements
from engine.clock import FixedClock
from engine.graph import Graph
from engine.memories.model import Kind
from engine.statements import Access, Statement
from engine.transfer import data_model
from engine.transfer.rows import NAMED_BY, OF_THE_REALM, ONE_EACH
from tests.stars_world import add, run
from tests.transfer_world import market, stars, texts, walk

BOUND = re.compile(r"[(\[](\w+):([A-Za-z_|]+)")
CLAUSE = re.compile(
    r"\bSET\b(.*?)(?=\b(?:SET|WITH|MATCH|OPTIONAL|CALL|RETURN|MERGE|CREATE|DELETE|REMOVE|FOREACH"
    r"|UNWIND|LET|FILTER|ON)\b|$)",
    re.DOTALL,
)
ASSIGNED = re.compile(r"(?:^|[\s,(|])(\w+)\.`?(\w+)`? =(?!=| null\b)")
MADE = re.compile(r"(?:CREATE|MERGE)[^\n]*?[(\[](\w*):([A-Za-z_|]+)\s*\{(.*?)\}", re.DOTALL)
COPIED = re.compile(r"SET (\w+) \+?= \w+ \{([^}]*)\}")
KEYS = re.compile(r"(?:^|[\s,{])`?(\w+)`?:")
LITERAL = re.compile(r"'(?:\\.|[^'\\])*'")
ENGINE = Path(data_model.__file__).parents[1]


def writers() -> Iterator[Statement]:
    for name in statements.names():
        statement = statements.load(name)
        if not name.startswith("schema/") and statement.access is not Access.READ:
            yield statement


def assigned(statement: Statement) -> Iterator[tuple[set[str], str]]:
    """The labels or types of what a statement writes to, as far as it names them, and the property.

    What it removes again is left out.
    """
    body = LITERAL.sub("''", re.sub(r"//[^\n]*", "", statement.text))
    kinds: dict[str, set[str]] = defaultdict(set)
    for variable, named in BOUND.findall(body):
        kinds[variable] |= set(named.split("|"))
    for clause in CLAUSE.finditer(body):
        for variable, name in ASSIGNED.findall(clause[1]):
            if variable != "row" and not re.search(rf"REMOVE[^\n]*\b{variable}\.{name}\b", body):
                yield kinds[variable], name
    yield from (
        (kinds[variable], name)
        for variable, copied in COPIED.findall(body)
        for name in re.findall(r"\.(\w+)", copied)
    )
    for _, named, made in MADE.findall(body):
        for name in KEYS.findall(made):
            yield {named}, name


def listed() -> dict[str, set[str]]:
    """The properties of every label and type, those that an export leaves out among them."""
    model = data_model.load()
    found = {label: {"realm", *shape.properties} for label, shape in model.nodes.items()}
    found |= {type: set(shape.properties) for type, shape in model.relationships.items()}
    found["Realm"] |= set(OF_THE_REALM)
    return found


@pytest.fixture
async def lived_in(graph: Graph, clock: FixedClock) -> Graph:
    """A realm in which all parts have been at work."""
    await texts(graph, clock)
    await stars(graph, clock)
    await market(graph, clock)
    await graph.causality.record(
        "door", [(0, "DM", "A door."), (1, "Ann", "I open it!"), (2, "DM", "It creaks.")],
        dm="DM", players=["Ann"],
    )  # fmt: skip
    await walk(graph)
    await add(graph, "lag", "echo")
    await graph.stars.engage("lag", gains=[0.1], losses=0.05)
    await graph.stars.evidence("lag", "echo", "co_mention_session", source="diary")
    await graph.memories.reinforce("t1", "confirmation")
    clock.advance(days=2)
    await graph.maintenance.run()
    await graph.memories.archive(clock.now() + timedelta(days=400))
    return graph


def test_every_property_that_a_statement_sets_is_in_the_data_model() -> None:
    known = listed()
    anywhere = set().union(*known.values())
    missing = [
        f"{statement.name}: {kind}.{name}"
        for statement in writers()
        for kinds, name in assigned(statement)
        for kind in kinds - {"SchemaVersion"} or {"something"} - kinds
        if name not in (known.get(kind, set()) if kinds else anywhere)
    ]
    assert missing == [], "add a line for each to engine/transfer/data_model.toml"


def test_every_property_that_a_rule_of_memories_puts_is_in_the_data_model() -> None:
    rules = "\n".join(path.read_text() for path in (ENGINE / "memories").glob("*.py"))
    put = {
        name
        for call in re.findall(r"node\.put\(((?:[^()]|\([^()]*\))*)\)", rules)
        for name in re.findall(r"\b(\w+)=(?!=)", call)
    }
    put |= set(re.findall(r"node\.add\(\"(\w+)\"", rules))
    put |= {f"{prefix}{kind}" for prefix in re.findall(r'f"(\w+_)\{kind', rules) for kind in Kind}
    assert {"run_open", "liquidation_usd", "waiting_rejection"} <= put
    assert put - data_model.load().nodes["Memory"].properties.keys() == set()


async def test_nothing_is_in_the_data_model_that_nothing_writes(lived_in: Graph) -> None:
    """It is set by a statement, or spelt in Python for a statement that takes a map, or there."""
    set_by_name: dict[str, set[str]] = defaultdict(set)
    for statement in writers():
        for kinds, name in assigned(statement):
            for kind in kinds:
                set_by_name[kind].add(name)
    modules = (path.read_text(encoding="utf-8") for path in ENGINE.rglob("*.py"))
    source = "\n".join([*modules, *(each.body for each in writers())])
    words, prefixes = set(re.findall(r"\w+", source)), re.findall(r'f"(\w+_)\{', source)
    found = await run(
        lived_in, "MATCH (n) WHERE n.realm = $realm UNWIND keys(n) AS key RETURN DISTINCT key"
    )
    there = {row["key"] for row in found}
    loose = [
        f"{kind}.{name}"
        for kind, names in listed().items()
        for name in names
        if name not in set_by_name[kind] | words | there and not name.startswith(tuple(prefixes))
    ]
    assert loose == []


def test_the_data_model_has_every_label_and_type_and_names_each_node_by_one() -> None:
    model = data_model.load()
    assert model.nodes.keys() == NAMED_BY.keys() | set(ONE_EACH)
    for label, shape in model.nodes.items():
        if label in NAMED_BY:
            assert shape.properties[NAMED_BY[label]].required, label
        for labels in shape.label_sets:
            assert [each for each in labels if each in model.nodes] == [label]
    made = {
        type
        for statement in writers()
        for named in re.findall(r"(?:CREATE|MERGE)[^\n]*?\[\w*:([A-Z_|]+)", statement.text)
        for type in named.split("|")
    }
    assert made <= model.relationships.keys()
    for type, shape in model.relationships.items():
        assert shape.start | shape.end <= model.nodes.keys(), type


def test_every_type_of_the_data_model_is_one_that_is_checked() -> None:
    model = data_model.load()
    for kind, shape in [*model.nodes.items(), *model.relationships.items()]:
        for name, listed_as in shape.properties.items():
            assert listed_as.type in data_model.TYPES or listed_as.type == "realm", (kind, name)
            own = name in ("realm", "realm_key", "tag_keys")
            assert own is (listed_as.type == "realm"), (kind, name)
    assert model.nodes["Realm"].properties.keys().isdisjoint(OF_THE_REALM)


async def test_what_the_parts_leave_in_a_database_is_in_the_data_model(
    lived_in: Graph, tmp_path: Path
) -> None:
    file = tmp_path / "realm.jsonl"
    await lived_in.realms.export(file)  # it refuses what is not in the data model
    [row] = await run(
        lived_in,
        "MATCH (n) WHERE n.realm = $realm RETURN count(DISTINCT labels(n)[0]) AS labels",
    )
    assert row["labels"] >= 15


async def test_what_is_not_in_the_data_model_is_named_by_an_export(
    graph: Graph, tmp_path: Path
) -> None:
    await graph.memories.remember("The lighthouse is white.", id="m")
    await run(graph, "MATCH (m:Memory {realm: $realm}) SET m.colour = 'white'")
    with pytest.raises(Exception, match=r"'m' can't be exported, Memory has no property 'colour'"):
        await graph.realms.export(tmp_path / "realm.jsonl")


async def test_the_demo_is_in_the_data_model(demo_graph: Graph, tmp_path: Path) -> None:
    done = await demo_graph.realms.export(tmp_path / "demo.jsonl.gz")
    assert done.nodes > 500


def test_one_line_is_enough_for_a_new_property(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = data_model.FILE.read_text(encoding="utf-8")
    longer = tmp_path / "model.toml"
    longer.write_text(text.replace('\nstem = "text!"', '\nstem = "text!"\nsince = "time"'))
    term: dict[str, Any] = {"stem": "x", "df": 1, "since": {"datetime": "2026-01-01T00:00:00Z"}}
    with pytest.raises(ValueError, match="Term has no property 'since'"):
        data_model.require_node(["Term"], term, "ada")
    data_model.load.cache_clear()
    monkeypatch.setattr(data_model, "FILE", longer)
    data_model.require_node(["Term"], term, "ada")
    data_model.load.cache_clear()
