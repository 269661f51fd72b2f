"""Files that somebody has made up: refused by their line, and nothing is written."""

import base64
import json
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from asterism.errors import Conflict, InvalidInput
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.exploration_world import Toy
from tests.support.stars_world import run

Lines = list[dict[str, Any]]

TIME = {"datetime": "2026-03-02T12:00:00Z"}
MODEL = {"name": "toy-3", "dimensions": 3, "mean": 0.5, "spread": 0.1}


def world() -> tuple[Lines, Lines]:
    """Nodes and relationships of a small realm, as an export writes them."""
    memory = {"id": "m1", "text": "The lighthouse is white.", "embedding": vector(1.0, 0.0, 0.0)}
    nodes: Lines = [
        {"labels": ["Realm"], "properties": {"created_at": TIME, "text_count": 2}},
        {"labels": ["EmbeddingModel"], "properties": dict(MODEL)},
        {"labels": ["Memory", "Text"], "properties": memory},
        {"labels": ["Memory", "Text"], "properties": {"id": "m2", "text": "So is the ferry."}},
        {"labels": ["Term"], "properties": {"stem": "lighthous", "memory_count": 1}},
        {"labels": ["Thing"], "properties": {"id": "t1", "name": "the lighthouse"}},
    ]
    own = {"realm": {"realm": "realm"}}
    relationships: Lines = [
        joined("HAS_TERM", ("Memory", "m1"), ("Term", "lighthous")),
        joined("SIMILAR", ("Memory", "m1"), ("Memory", "m2"), edge_id="e1", **own),
        joined("LINK", ("Thing", "t1"), ("Memory", "m1"), id="l1", **own),
    ]
    return nodes, relationships


def joined(type: str, start: tuple[str, str], end: tuple[str, str], **properties: Any) -> Any:
    return {"type": type, "from": list(start), "to": list(end), "properties": properties}


def vector(*numbers: float) -> dict[str, str]:
    packed = struct.pack(f"<{len(numbers)}f", *numbers)
    return {"vector": base64.b64encode(packed).decode()}


def sealed(nodes: list[Any], relationships: list[Any]) -> bytes:
    """A file whose counts and digest are right, whatever is in it, with bytes as lines."""
    counts = {"nodes": len(nodes), "relationships": len(relationships)}
    head: dict[str, Any] = {
        "format": "asterism realm",
        "version": 1,
        "schema_version": 1,
        "engine": "1",
    }
    head |= {"realm": "made-up", "model": MODEL} | counts
    rows = [head, *nodes, *relationships]
    body = b"".join(
        row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows
    )
    footer = counts | {"sha256": sha256(body).hexdigest()}
    return body + b'{"footer":' + json.dumps(footer).encode() + b"}\n"


def changed(at: int, **properties: Any) -> bytes:
    nodes, relationships = world()
    row = [*nodes, *relationships][at]
    row["properties"] = {k: v for k, v in (row["properties"] | properties).items() if v is not ...}
    return sealed(nodes, relationships)


def labelled(at: int, *labels: str) -> bytes:
    nodes, relationships = world()
    nodes[at]["labels"] = list(labels)
    return sealed(nodes, relationships)


def typed(at: int, **change: Any) -> bytes:
    nodes, relationships = world()
    relationships[at] |= change
    return sealed(nodes, relationships)


def raw(at: int, line: bytes) -> bytes:
    nodes, relationships = world()
    rows: list[Any] = list(nodes)
    rows[at] = line
    return sealed(rows, relationships)


def headed(**change: Any) -> bytes:
    nodes, relationships = world()
    body = sealed(nodes, relationships).splitlines(keepends=True)
    body[0] = json.dumps(json.loads(body[0]) | change).encode() + b"\n"
    footer = json.loads(body[-1])["footer"] | {"sha256": sha256(b"".join(body[:-1])).hexdigest()}
    return b"".join(body[:-1]) + b'{"footer":' + json.dumps(footer).encode() + b"}\n"


def twice(at: int, labels: list[str] | None = None) -> bytes:
    nodes, relationships = world()
    row = dict(nodes[at]) | ({"labels": labels} if labels else {})
    return sealed([*nodes, row], relationships)


def linked_twice(at: int) -> bytes:
    nodes, relationships = world()
    return sealed(nodes, [*relationships, relationships[at]])


REALM, MODEL_ROW, MEMORY, TERM, THING, SIMILAR, LINK = 0, 1, 2, 4, 5, 7, 8
NAN = {"float": "nan"}
FAR = "200000-01-01T00:00:00Z"

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    # what statements of other realms read
    "text_count as a text": (
        lambda: changed(REALM, text_count="boom"),
        "line 2: Realm.text_count is 'boom', not count",
    ),
    "text_count as NaN": (lambda: changed(REALM, text_count=NAN), "line 2: Realm.text_count is"),
    "text_count too large": (
        lambda: changed(REALM, text_count=2**62),
        "line 2: Realm.text_count is",
    ),
    "memory_count as NaN": (
        lambda: changed(TERM, memory_count=NAN),
        "line 6: Term.memory_count is",
    ),
    "memory_count too large": (
        lambda: changed(TERM, memory_count=2**63 - 1),
        "line 6: Term.memory_count is",
    ),
    "memory_count as a text": (
        lambda: changed(TERM, memory_count="1"),
        "line 6: Term.memory_count is",
    ),
    "no memory_count": (lambda: changed(TERM, memory_count=...), "line 6: Term lacks memory_count"),
    "a stem that is no text": (lambda: changed(TERM, stem=5), "line 6: a node lacks what names it"),
    "created_at as a text": (lambda: changed(REALM, created_at="x"), "line 2: Realm.created_at is"),
    "no created_at": (lambda: changed(REALM, created_at=...), "line 2: Realm lacks created_at"),
    "a year too far": (
        lambda: changed(REALM, created_at={"datetime": FAR}),
        "line 2: Realm.created_at is",
    ),
    "a model's name as a number": (
        lambda: changed(MODEL_ROW, name=5),
        "line 3: EmbeddingModel.name is 5, not text",
    ),
    "a model's name as a list": (
        lambda: changed(MODEL_ROW, name=["a"]),
        "line 3: EmbeddingModel.name is",
    ),
    "dimensions as a text": (
        lambda: changed(MODEL_ROW, dimensions="x"),
        "line 3: EmbeddingModel.dimensions is",
    ),
    "a mean that is no number": (
        lambda: changed(MODEL_ROW, mean=NAN),
        "line 3: EmbeddingModel.mean is",
    ),
    "another spread": (lambda: changed(MODEL_ROW, spread=9.0), "line 3: the first line names anot"),
    # what names the realm
    "the realm's realm as a time": (
        lambda: changed(REALM, realm=TIME),
        "line 2: Realm has no property 'realm'",
    ),
    "the realm's key": (
        lambda: changed(REALM, realm_key="r0"),
        "line 2: Realm has no property 'realm_key'",
    ),
    "the realm's mark": (
        lambda: changed(REALM, importing="x"),
        "line 2: Realm has no property 'importing'",
    ),
    "the realm's origin": (
        lambda: changed(REALM, origin="x"),
        "line 2: Realm has no property 'origin'",
    ),
    "a node's realm as a time": (
        lambda: changed(MEMORY, realm=TIME),
        "line 4: Memory has no property 'realm'",
    ),
    "a node's realm as a vector": (
        lambda: changed(MEMORY, realm=vector(1.0)),
        "line 4: Memory has no property 'realm'",
    ),
    "a node's realm key": (
        lambda: changed(MEMORY, realm_key="rvictim"),
        "line 4: Memory.realm_key is 'rvictim', not realm",
    ),
    "a node's tag keys": (
        lambda: changed(MEMORY, tag_keys=["rvictim home"]),
        "line 4: Memory.tag_keys is",
    ),
    "a link of another realm": (
        lambda: changed(LINK, realm="victim"),
        "line 10: LINK.realm is 'victim', not realm",
    ),
    "a link without a realm": (lambda: changed(LINK, realm=...), "line 10: LINK lacks realm"),
    "an edge of another realm": (
        lambda: changed(SIMILAR, realm="victim"),
        "line 9: SIMILAR.realm is",
    ),
    # labels and types
    "a second label that names": (
        lambda: labelled(MEMORY, "Memory", "Realm"),
        "line 4: no node of Asterism has the labels Memory, Realm",
    ),
    "a label of its own": (
        lambda: labelled(MEMORY, "Memory", "Text", "</script>"),
        "line 4: no node of Asterism has the labels </script>, Memory, Text",
    ),
    "Cypher as a label": (
        lambda: labelled(MEMORY, "Memory", "Text", "a`b) DETACH DELETE n //"),
        "line 4: no node of Asterism",
    ),
    "a label twice": (
        lambda: labelled(MEMORY, "Memory", "Text", "Text"),
        "line 4: no node of Asterism",
    ),
    "the schema": (
        lambda: labelled(MEMORY, "SchemaVersion"),
        "line 4: nothing names a node with the labels SchemaVersion",
    ),
    "a node twice": (lambda: twice(MEMORY), "the file has a node twice"),
    "a node twice by another label": (
        lambda: twice(MEMORY, ["Text", "Thing", "Memory"]),
        "line 8: no node of Asterism",
    ),
    "a second realm": (lambda: twice(REALM), "the file has a node twice"),
    "an empty type": (lambda: typed(0, type=""), "line 8: no relationship of Asterism has the ty"),
    "another type": (lambda: typed(0, type="OWNS"), "line 8: no relationship of Asterism has the"),
    "other ends": (
        lambda: typed(0, to=["Thing", "t1"]),
        "line 8: HAS_TERM never joins Memory to Thing",
    ),
    "a link's id twice": (lambda: linked_twice(2), "line 11: a LINK with this id is in the file"),
    "an edge's id twice": (
        lambda: linked_twice(1),
        "line 11: a SIMILAR with this edge_id is in the file",
    ),
    # properties and values
    "an empty key": (lambda: changed(MEMORY, **{"": 1}), "line 4: Memory has no property ''"),
    "another key": (lambda: changed(MEMORY, shoe=1), "line 4: Memory has no property 'shoe'"),
    "20,000 keys": (
        lambda: changed(THING, **{f"k{at}": 1 for at in range(20_000)}),
        "line 7: Thing has no property 'k0'",
    ),
    "no time": (
        lambda: changed(MEMORY, first_seen={"datetime": "2026-02-30T00:00Z"}),
        "line 4: Memory.first_seen is",
    ),
    "a zone that has not this time": (
        lambda: changed(MEMORY, first_seen={"datetime": "2026-03-29T02:30+01:00[Europe/Paris]"}),
        "line 4: Memory.first_seen is",
    ),
    "another kind of time": (
        lambda: changed(MEMORY, first_seen={"date": "2026-02-03"}),
        "line 4: Memory.first_seen is",
    ),
    "a vector with NaN": (
        lambda: changed(MEMORY, embedding=vector(float("nan"))),
        "line 4: a vector has at most",
    ),
    "a vector that is endless": (
        lambda: changed(MEMORY, embedding=vector(*[1.0] * 4097)),
        "line 4: a vector has at most",
    ),
    "a vector elsewhere": (
        lambda: changed(MEMORY, text=vector(1.0)),
        "line 4: Memory.text is",
    ),
    "an id over 8 kB": (lambda: changed(THING, id="x" * 8200), "line 7: Thing.id has 8"),
    "an edge's id over 8 kB": (
        lambda: changed(SIMILAR, edge_id="x" * 8200),
        "line 9: SIMILAR.edge_id has 8",
    ),
    "two texts over 8 kB together": (
        lambda: raw(
            THING,
            json.dumps(
                {
                    "labels": ["Intent", "Weak"],
                    "properties": {"id": "i", "session_id": "x" * 5000, "actor": "x" * 5000},
                }
            ).encode()
            + b"\n",
        ),
        "line 7: Intent.session_id and actor has 1",
    ),
    "half a letter": (
        lambda: changed(MEMORY, text="\ud800"),
        "line 4: Memory.text is",
    ),
    "half a letter as an id": (lambda: changed(THING, id="\ud800"), "line 7: Thing.id is"),
    "half a letter as an end": (
        lambda: typed(2, **{"from": ["Thing", "\ud800"]}),
        "line 10: .* is no end of a relationship",
    ),
    "half a letter as a key": (
        lambda: changed(MEMORY, **{"\ud800": 1}),
        "line 4: Memory has no property",
    ),
    "a deep nest": (
        lambda: raw(THING, b'{"labels":["Thing"],"properties":' + b"[" * 10**5 + b"\n"),
        "line 7: it is JSON that is nested too deeply",
    ),
    "a number of 5,000 digits": (
        lambda: raw(
            THING, b'{"labels":["Thing"],"properties":{"id":"a","revision":' + b"9" * 5000 + b"}}\n"
        ),
        "line 7: it is no JSON",
    ),
    # the first line
    "a realm's name that is none": (lambda: headed(realm="a\nb"), "line 1: realm: "),
    "a model without a spread": (
        lambda: headed(model=MODEL | {"spread": float("inf")}),
        "line 1: model.spread",
    ),
}


@pytest.mark.slow
async def test_the_world_of_these_files_is_taken(open_graph: OpenGraph, tmp_path: Path) -> None:
    file = tmp_path / "realm.jsonl"
    file.write_bytes(sealed(*world()))
    graph = await open_graph(embedder=Toy(3))
    loaded = await graph.realms.load(file)
    assert (loaded.nodes, loaded.relationships) == (6, 3)


@pytest.mark.slow
@pytest.mark.parametrize("what", HOSTILE)
async def test_a_hostile_line_is_refused_and_nothing_is_written(
    what: str, graph: Graph, tmp_path: Path
) -> None:
    make, reason = HOSTILE[what]
    file, name = tmp_path / "hostile.jsonl", f"{graph.realm}-never"
    file.write_bytes(make())
    before = await run(graph, "MATCH (n) WHERE n.realm IS NULL OR n.realm = $name "
                       "RETURN count(n) AS nodes", name=name)  # fmt: skip
    with pytest.raises(InvalidInput, match=reason):
        await graph.realms.load(file, name=name)
    assert await run(graph, "MATCH (n) WHERE n.realm IS NULL OR n.realm = $name "
                     "RETURN count(n) AS nodes", name=name) == before  # fmt: skip


@pytest.mark.slow
async def test_a_batch_that_waits_for_a_lock_ends_with_a_clear_error(
    open_graph: OpenGraph, tmp_path: Path
) -> None:
    """Another transaction holds what the import has to write, and does not let go."""
    file = tmp_path / "realm.jsonl"
    file.write_bytes(sealed(*world()))
    settings = {"transfer": {"write_seconds": 1.0}}
    graph = await open_graph(embedder=Toy(3), settings=settings)
    async with graph.database.driver.session() as session:
        tx = await session.begin_transaction()
        await tx.run("CREATE (:Thing {realm: $realm, id: 't1'})", realm=graph.realm)
        with pytest.raises(Conflict, match=r"has not written 5 lines .* within 1 s.*repeat"):
            await graph.realms.load(file)
        await tx.rollback()
    await graph.realms.load(file)


# Rows that are bad already


async def damage(graph: Graph, query: str) -> None:
    """Change a realm as no part of Asterism does."""
    await run(graph, query)


BAD_REALMS = {
    "text_count as a text": "SET r.text_count = 'boom'",
    "text_count as NaN": "SET r.text_count = 0.0 / 0.0",
    "text_count as a list": "SET r.text_count = [1]",
    "text_count without bound": "SET r.text_count = 9223372036854775807",
    "text_count below zero": "SET r.text_count = -5",
    "created_at as a text": "SET r.created_at = 'then'",
    "no created_at": "REMOVE r.created_at",
    "a year too far": "SET r.created_at = datetime({year: 200000})",
    "a local time": "SET r.created_at = localdatetime()",
    "a model's name": "CREATE (:EmbeddingModel {realm: $realm, name: 5, dimensions: 3, "
    "mean: 0.0, spread: 0.1})",
    "a model's names": "CREATE (:EmbeddingModel {realm: $realm, name: ['a'], dimensions: 3, "
    "mean: 0.0, spread: 0.1})",
    "a model's dimensions": "CREATE (:EmbeddingModel {realm: $realm, name: 'a', dimensions: 'x', "
    "mean: 0.0, spread: 0.1})",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", BAD_REALMS)
async def test_one_bad_realm_is_listed_as_damaged_and_stops_no_other(
    what: str, graph: Graph, open_graph: OpenGraph
) -> None:
    await graph.memories.remember("The lighthouse is white.", id="m")
    bad = await open_graph()
    await bad.memories.remember("Gone.")
    before = await graph.recall.find("Is the lighthouse white?")
    await damage(bad, f"MATCH (r:Realm {{realm: $realm}}) {BAD_REALMS[what]}")
    recalled = await graph.recall.find("Is the lighthouse white?")
    assert [hit.id for hit in recalled.hits] == [hit.id for hit in before.hits] == ["m"]
    damaged = {realm.name: realm.damaged for realm in await graph.realms.list()}
    assert (damaged[bad.realm], damaged[graph.realm]) == (True, False)
    await graph.realms.delete(bad.realm)
    assert bad.realm not in {realm.name for realm in await graph.realms.list()}


@pytest.mark.slow
@pytest.mark.parametrize("count", ["0.0 / 0.0", "9223372036854775807", "'x'", "[1]", "-7", "null"])
async def test_a_bad_count_of_a_word_elsewhere_stops_no_question_here(
    count: str, graph: Graph, open_graph: OpenGraph
) -> None:
    await graph.memories.remember("The lighthouse is white.", id="m")
    for _ in range(2):  # two of the largest would overflow
        bad = await open_graph()
        await damage(
            bad, f"CREATE (:Term {{realm: $realm, stem: 'lighthous', memory_count: {count}}})"
        )
    assert [hit.id for hit in (await graph.recall.find("lighthouse")).hits] == ["m"]


@pytest.mark.slow
async def test_a_realm_node_that_left_its_realm_is_listed_and_can_be_deleted(
    graph: Graph, open_graph: OpenGraph
) -> None:
    for value in ("datetime()", "[1.5]", "7", "null"):
        lost = await open_graph()
        await lost.memories.remember("Something.")
        await damage(
            lost, f"MATCH (r:Realm {{realm: $realm}}) SET r.realm = {value}, r.caption = $realm"
        )
        rows = await run(
            graph, "MATCH (r:Realm {caption: $name}) RETURN elementId(r) AS id", name=lost.realm
        )
        name = f"damaged:{rows[0]['id']}"
        assert {realm.name: realm.damaged for realm in await graph.realms.list()}[name]
        assert (await graph.realms.delete(name)).nodes == 1
        assert name not in {realm.name for realm in await graph.realms.list()}


async def test_the_node_of_a_whole_realm_is_not_deleted_by_its_id(
    graph: Graph, open_graph: OpenGraph
) -> None:
    whole = await open_graph()
    await whole.memories.remember("Something.")
    query = "MATCH (r:Realm {realm: $realm}) RETURN elementId(r) AS id"
    [row] = await run(whole, query)
    assert (await graph.realms.delete(f"damaged:{row['id']}")).nodes == 0
    assert await run(whole, query) == [row]
