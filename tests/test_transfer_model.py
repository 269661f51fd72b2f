"""The data model that imports go by says what statements write, and what is in a database."""

import re
from collections import defaultdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from asterism import statements
from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.memories.market.models import Kind
from asterism.transfer import data_model
from asterism.transfer.rows import NAMED_BY, OF_THE_REALM, ONE_EACH
from docs.data_model import PAGE, assignments, page, writing_statements
from tests.support.stars_world import add, run
from tests.support.transfer_world import market, stars, texts, walk

ENGINE = Path(data_model.__file__).parents[1]


def property_names() -> dict[str, set[str]]:
    """The properties of every label and type, those that an export leaves out among them."""
    model = data_model.load()
    names = {label: {"realm", *shape.properties} for label, shape in model.nodes.items()}
    names |= {type: set(shape.properties) for type, shape in model.relationships.items()}
    names["Realm"] |= set(OF_THE_REALM)
    return names


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
    names_by_kind = property_names()
    anywhere = set().union(*names_by_kind.values())
    missing = [
        f"{statement.name}: {kind}.{name}"
        for statement in writing_statements()
        for kinds, name in assignments(statement)
        for kind in kinds - {"SchemaVersion"} or {"something"} - kinds
        if name not in (names_by_kind.get(kind, set()) if kinds else anywhere)
    ]
    assert missing == [], "add a line for each to engine/asterism/transfer/data_model.toml"


def test_every_property_that_a_rule_of_memories_puts_is_in_the_data_model() -> None:
    rules = "\n".join(path.read_text() for path in (ENGINE / "memories").rglob("*.py"))
    put = {
        name
        for call in re.findall(r"memory\.update\(((?:[^()]|\([^()]*\))*)\)", rules)
        for name in re.findall(r"\b(\w+)=(?!=)", call)
    }
    put |= set(re.findall(r"memory\.increment\(\"(\w+)\"", rules))
    put |= {f"{prefix}{kind}" for prefix in re.findall(r'f"(\w+_)\{kind', rules) for kind in Kind}
    assert {"run_open", "liquidation_usd", "waiting_rejection"} <= put
    assert put - data_model.load().nodes["Memory"].properties.keys() == set()


@pytest.mark.slow
async def test_nothing_is_in_the_data_model_that_nothing_writes(lived_in: Graph) -> None:
    """It is set by a statement, or spelt in Python for a statement that takes a map, or there."""
    set_by_name: dict[str, set[str]] = defaultdict(set)
    for statement in writing_statements():
        for kinds, name in assignments(statement):
            for kind in kinds:
                set_by_name[kind].add(name)
    modules = (path.read_text(encoding="utf-8") for path in ENGINE.rglob("*.py"))
    source = "\n".join([*modules, *(each.body for each in writing_statements())])
    words, prefixes = set(re.findall(r"\w+", source)), re.findall(r'f"(\w+_)\{', source)
    rows = await run(
        lived_in, "MATCH (n) WHERE n.realm = $realm UNWIND keys(n) AS key RETURN DISTINCT key"
    )
    there = {row["key"] for row in rows}
    loose = [
        f"{kind}.{name}"
        for kind, names in property_names().items()
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
        for statement in writing_statements()
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


@pytest.mark.slow
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


@pytest.mark.slow
async def test_the_demo_is_in_the_data_model(demo_graph: Graph, tmp_path: Path) -> None:
    exported = await demo_graph.realms.export(tmp_path / "demo.jsonl.gz")
    assert exported.nodes > 500


def test_the_page_of_the_data_model_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m docs.data_model`"


def test_every_property_has_a_meaning() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [\w!]+ \| (.*?) \|", page(), re.MULTILINE)
    assert len(rows) > 300
    assert [name for name, meaning in rows if not meaning] == []


def test_one_line_is_enough_for_a_new_property(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = data_model.FILE.read_text(encoding="utf-8")
    longer = tmp_path / "model.toml"
    longer.write_text(text.replace('\nstem = "text!"', '\nstem = "text!"\nsince = "time"'))
    term: dict[str, Any] = {
        "stem": "x",
        "memory_count": 1,
        "since": {"datetime": "2026-01-01T00:00:00Z"},
    }
    with pytest.raises(ValueError, match="Term has no property 'since'"):
        data_model.require_node(["Term"], term, "ada")
    data_model.load.cache_clear()
    monkeypatch.setattr(data_model, "FILE", longer)
    data_model.require_node(["Term"], term, "ada")
    data_model.load.cache_clear()


def test_an_import_looks_up_every_label_that_names_a_node() -> None:
    text = statements.load("transfer/create_relationships").text
    shapes = data_model.load().relationships.values()
    for end, side in (("source", "start"), ("target", "end")):
        labels = " ".join(re.findall(rf"\({end}:([\w|\s]+)\)", text))
        joined = {label for shape in shapes for label in getattr(shape, side)}
        assert joined - set(re.split(r"[|\s]+", labels)) == set()


@pytest.mark.slow
def test_statements_about_every_node_name_every_label() -> None:
    """A label that one of them lacks is not counted, exported, loaded or deleted."""
    by_id = {label for label, key in NAMED_BY.items() if key == "id"} - {"Memory"}
    lists = [
        (name, set(re.findall(r"\w+", labels)) - {"Memory"})
        for name in statements.names()
        if not name.startswith("schema/")
        for labels in re.findall(r"\(\w+:(Star\|[\w|\s]+)\)", statements.load(name).text)
    ]
    whole = [(name, labels) for name, labels in lists if "KeptStar" in labels]
    assert len(whole) >= 8
    assert [(name, by_id - labels) for name, labels in whole if labels != by_id] == []
