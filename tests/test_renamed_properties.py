"""Properties of older versions: a database and a file that have them open as before.

The file was exported by the last version that wrote the old names, and the database is made of it.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asterism import schema, statements
from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.transfer import data_model
from asterism.transfer.models import VERSION
from tests.conftest import OpenGraph
from tests.support.stars_world import run
from tests.support.transfer_world import answers, content

OLD_FILE = Path("tests/data/realm_version_1.jsonl.gz")
WRITTEN_AT = datetime(2026, 3, 7, 14, tzinfo=UTC)
SET_VERSION = "MATCH (s:SchemaVersion {id: 'schema'}) SET s.version = $version"
RENAMING = [name for name in statements.migrations() if name.startswith("schema/009/")]


def renames() -> dict[str, Mapping[str, str]]:
    """Return the names of today by older ones, of each label or type that has any."""
    model = data_model.load()
    shapes = {**model.nodes, **model.relationships}
    return {kind: shape.renamed for kind, shape in shapes.items() if shape.renamed}


def match(kind: str) -> str:
    """Return a pattern for what is of a label or type in the realm, bound to x."""
    if kind in data_model.load().nodes:
        return f"MATCH (x:{kind}) WHERE x.realm = $realm"
    return f"MATCH (start)-[x:{kind}]->() WHERE start.realm = $realm"


async def restore_old_names(graph: Graph) -> None:
    """Give every other node and relationship its old names, as a migration leaves them halfway."""
    for kind, names in renames().items():
        rename = " ".join(
            f"SET x.{old} = x.{new} REMOVE x.{new}" for old, new in names.items() if new
        )
        await run(
            graph,
            f"{match(kind)} WITH x ORDER BY elementId(x) WITH collect(x) AS everything "
            "UNWIND [i IN range(0, size(everything) - 1, 2) | everything[i]] AS x "
            f"{rename} RETURN count(x)",
        )


async def old_names(graph: Graph) -> list[str]:
    """Return the old names that something in the realm still has."""
    counts = {
        f"{kind}.{old}": await run(graph, f"{match(kind)} RETURN count(x.{old}) AS count")
        for kind, names in renames().items()
        for old in names
    }
    return [name for name, [row] in counts.items() if row["count"]]


@pytest.fixture
async def loaded(open_graph: OpenGraph, clock: FixedClock) -> Graph:
    """The realm of the old file."""
    clock.set(WRITTEN_AT)
    graph: Graph = await open_graph()
    await graph.realms.load(OLD_FILE)
    return graph


@pytest.fixture
async def old_database(loaded: Graph) -> AsyncIterator[Graph]:
    """The same realm as schema version 8 had it."""
    driver = loaded.database.driver
    await restore_old_names(loaded)
    await driver.execute_query(SET_VERSION, version=8)
    yield loaded
    await driver.execute_query(SET_VERSION, version=schema.version())


@pytest.mark.slow
async def test_a_file_of_the_first_version_is_read_by_the_names_of_today(loaded: Graph) -> None:
    assert VERSION == 2
    assert await old_names(loaded) == []
    assert await loaded.stars.verify() == []
    assert (await answers(loaded))["key"]["hits"][0]["id"] in ("t0", "t1")
    [newest, *_] = await loaded.exploration.runs()
    assert (await loaded.exploration.undo(newest.id)).run_id == newest.id


@pytest.mark.slow
async def test_a_database_of_version_8_is_migrated_when_it_is_opened(
    old_database: Graph, open_graph: OpenGraph
) -> None:
    assert len(await old_names(old_database)) > 15
    opened = await open_graph(realm=old_database.realm)
    assert await old_names(opened) == []
    assert await opened.database.one("schema/version") == {
        "version": schema.version(),
        "empty": False,
        "known_realm": True,
    }
    assert await opened.stars.verify() == []


@pytest.mark.slow
async def test_a_migrated_database_holds_and_answers_what_it_did_before(
    loaded: Graph, open_graph: OpenGraph
) -> None:
    before = await offenders(loaded), await answers(loaded)
    contents = await content(loaded)
    await restore_old_names(loaded)
    assert await content(loaded) != contents
    await asyncio.gather(*(migrate(loaded) for _ in range(3)))
    assert await content(loaded) == contents
    answered = await answers(loaded)
    assert (await offenders(loaded), answered) == before


async def offenders(graph: Graph) -> list[str]:
    """Return the rules that something breaks: the world has oddities on purpose."""
    [report] = await graph.maintenance.run("verify")
    return sorted(f"{each.invariant}: {each.id}" for each in report.offenders)


async def migrate(graph: Graph) -> None:
    """Rename everything, as each of several processes does that open a graph at once."""
    for name in RENAMING:
        await schema.step(graph.database, name)


def test_the_migration_renames_what_the_data_model_says() -> None:
    """For each label and type, and nothing else."""
    migrated: dict[str, dict[str, str]] = {}
    for name in RENAMING:
        body = statements.load(name).body
        kinds = re.findall(r"MATCH \(?\)?-?[(\[]\w+:([\w|]+)", body)
        for kind in "|".join(kinds).split("|"):
            migrated[kind] = dict(re.findall(r"coalesce\(\w+\.(\w+), \w+\.(\w+)\)", body))
            removed = re.findall(r"\w+\.(\w+)", body.rpartition("REMOVE")[2])
            migrated[kind] |= {old: "" for old in removed if old not in migrated[kind]}
            assert set(re.findall(r"\w+\.(\w+) IS NOT NULL", body)) == set(migrated[kind])
    assert migrated == {kind: dict(names) for kind, names in renames().items()}


def test_no_name_is_both_old_and_of_today() -> None:
    model = data_model.load()
    for kind, shape in [*model.nodes.items(), *model.relationships.items()]:
        assert not shape.renamed.keys() & shape.properties.keys(), kind
        assert {new for new in shape.renamed.values() if new} <= shape.properties.keys(), kind
