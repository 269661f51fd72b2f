"""Realms as files: the same file again, nothing lost, nothing overwritten, nothing half."""

import asyncio
import gzip
import json
import os
import re
import signal
import sys
import uuid
from collections.abc import Callable, Coroutine
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from neo4j import GraphDatabase

from asterism import statements
from asterism.clock import FixedClock
from asterism.database import Database
from asterism.embedding import OnnxEmbedder
from asterism.errors import AsterismError, Conflict, InvalidInput, NotFound, SchemaMismatch
from asterism.graph import Graph
from asterism.local import server as local_server
from asterism.local.home import Home
from asterism.realm_names import realm_key
from asterism.transfer import data_model, export
from asterism.transfer.rows import NAMED_BY, ONE_EACH
from tests.conftest import SMALL, OpenGraph, Server
from tests.support.exploration_world import Toy
from tests.support.prepared_home import copied
from tests.support.raw import run_cypher
from tests.support.stars_world import add, run
from tests.support.transfer_world import answers, content, fill
from tests.test_realms import LABELS

ONE_BY_ONE = {"ASTERISM_TRANSFER_BATCH": "1"}


@pytest.fixture(scope="module")
def shared_file() -> dict[str, bytes]:
    """The file of a realm in which all parts have been at work, made once."""
    return {}


@pytest.fixture
async def filed(
    shared_file: dict[str, bytes], open_graph: OpenGraph, clock: FixedClock, tmp_path: Path
) -> Path:
    """The same file, at the time at which it was made."""
    file = tmp_path / "realm.jsonl"
    if not shared_file:
        graph = await open_graph()
        await fill(graph, clock)
        await graph.realms.export(file)
        shared_file |= {"file": raw(file), "at": clock.now().isoformat().encode()}
    put(file, shared_file["file"])
    clock.set(datetime.fromisoformat(shared_file["at"].decode()))
    return file


@pytest.fixture
async def small(graph: Graph, tmp_path: Path) -> Path:
    """The file of a realm with two stars and a connection."""
    await add(graph, "sea", "home")
    await graph.stars.connect("sea", "home", "TENSION")
    file = tmp_path / "small.jsonl"
    await graph.realms.export(file)
    return file


def raw(file: Path) -> bytes:
    return file.read_bytes()


def lines_of(file: Path) -> list[bytes]:
    return raw(file).splitlines(keepends=True)


def put(file: Path, data: bytes) -> None:
    file.write_bytes(data)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def vectors(graph: Graph) -> dict[str, bytes]:
    rows = await run(
        graph,
        "MATCH (n) WHERE n.realm = $realm AND n.embedding IS NOT NULL "
        "RETURN labels(n)[0] + n.id AS id, n.embedding AS v UNION ALL "
        "MATCH (n)-[r]->() WHERE n.realm = $realm AND r.embedding IS NOT NULL "
        "RETURN r.id AS id, r.embedding AS v",
    )
    return {row["id"]: np.array(row["v"]).tobytes() for row in rows}


@pytest.mark.slow
async def test_a_copy_holds_the_same_says_the_same_and_is_the_same_file(
    graph: Graph,
    clock: FixedClock,
    open_graph: OpenGraph,
    shared_file: dict[str, bytes],
    tmp_path: Path,
) -> None:
    await fill(world := graph, clock)
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    exported = await world.realms.export(first)
    shared_file |= {"file": raw(first), "at": clock.now().isoformat().encode()}
    copy = await open_graph()
    loaded = await copy.realms.load(first)
    assert (loaded.nodes, loaded.relationships) == (exported.nodes, exported.relationships)
    assert (loaded.realm, loaded.origin, loaded.sha256) == (
        copy.realm,
        world.realm,
        exported.sha256,
    )
    await copy.realms.export(second)
    assert raw(second) == raw(first)
    assert await content(copy) == await content(world)
    assert len(expected := await vectors(world)) > 10
    assert await vectors(copy) == expected
    assert await copy.stars.verify() == []
    assert (await copy.realms.stats()).nodes == (await world.realms.stats()).nodes
    assert await answers(copy) == await answers(world)
    reports = [await one.consolidation.consolidate() for one in (copy, world)]
    assert reports[0].promoted == reports[1].promoted == 2
    assert reports[0].edges_created == reports[1].edges_created
    edges = [await one.consolidation.edges("t7") for one in (copy, world)]
    assert {edge.other for edge in edges[0]} == {edge.other for edge in edges[1]}


@pytest.mark.slow
def test_a_file_names_its_first_realm_once_and_lies_in_order(filed: Path) -> None:
    written = lines_of(filed)
    header, *lines, footer = (json.loads(line) for line in written)
    origin = header["realm"]
    assert header["model"].keys() == {"name", "dimensions", "mean", "spread"}
    assert header["model"]["name"] == "bge-small-en-v1.5-q"
    named = (origin.encode(), realm_key(origin).encode())
    assert not any(name in line for line in written[1:] for name in named)
    nodes = [line for line in lines if "labels" in line]
    assert lines[: len(nodes)] == nodes
    assert (header["nodes"], header["relationships"]) == (len(nodes), len(lines) - len(nodes))
    assert footer["footer"]["sha256"] == sha256(b"".join(written[:-1])).hexdigest()
    types = [(line["type"], line["from"], line["to"]) for line in lines[len(nodes) :]]
    assert types == sorted(types)


@pytest.mark.slow
async def test_a_node_with_more_relationships_than_a_row_holds_is_exported_once(
    graph: Graph, tmp_path: Path
) -> None:
    id = (await graph.memories.remember("It rains.")).id
    query = """MATCH (memory:Memory {realm: $realm, id: $id})
      UNWIND range(1, 1001) AS number
      CREATE (memory)-[:HAS_TERM]->(:Term {realm: $realm, stem: "w" + number, memory_count: 1})"""
    await run_cypher(graph, query, id=id)
    exported = await graph.realms.export(tmp_path / "hub.jsonl")
    lines = [json.loads(line) for line in raw(tmp_path / "hub.jsonl").splitlines()]
    ends = [line["to"][1] for line in lines if line.get("type") == "HAS_TERM"]
    assert {f"w{number}" for number in range(1, 1002)} <= set(ends)
    assert len(ends) == len(set(ends))
    assert sum("Memory" in line.get("labels", []) for line in lines) == 1
    assert exported.nodes == sum("labels" in line for line in lines)


@pytest.mark.slow
async def test_a_realm_of_many_pages_is_the_same_file(
    filed: Path, open_graph: OpenGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = await open_graph()
    await graph.realms.load(filed)
    monkeypatch.setattr(export, "PAGE", 2)
    await graph.realms.export(tmp_path / "pages.jsonl")
    assert raw(tmp_path / "pages.jsonl") == raw(filed)


@pytest.mark.slow
async def test_a_packed_file_is_the_same_file_packed(
    graph: Graph, open_graph: OpenGraph, filed: Path, tmp_path: Path
) -> None:
    await graph.realms.load(filed)
    packed, again = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"
    await graph.realms.export(packed)
    copy = await open_graph()
    await copy.realms.load(packed)
    await copy.realms.export(again)
    assert gzip.decompress(raw(packed)) == raw(filed)
    assert raw(again) == raw(packed)
    assert len(raw(packed)) < len(raw(filed))
    assert names(tmp_path) == ["a.jsonl.gz", "b.jsonl.gz", "realm.jsonl"]


async def one_of_each(graph: Graph) -> None:
    """Three nodes of every label with one of its label sets, and a ring of links."""
    model = data_model.load()
    for label, shape in model.nodes.items():
        if label not in ONE_EACH:
            labels = ":".join(sorted(shape.label_sets, key=sorted)[0])
            key = NAMED_BY[label]
            create = f"UNWIND range(1, 3) AS i CREATE (n:{labels} {{realm: $realm}})"
            more = ", n.memory_count = i" if label == "Term" else ""
            await run(graph, f"{create} SET n.{key} = toString(i){more}")
    ends = "|".join(model.relationships["LINK"].start)
    await run(
        graph,
        f"MATCH (n:{ends}) WHERE n.realm = $realm WITH collect(n) AS ns "
        "UNWIND range(0, size(ns) - 1) AS i WITH ns[i] AS a, ns[(i + 1) % size(ns)] AS b, i "
        "CREATE (a)-[:LINK {realm: $realm, id: toString(i)}]->(b)",
    )
    await graph.database.rows("realms/open", realm_key=realm_key(graph.realm))


@pytest.mark.slow
async def test_every_label_that_a_realm_owns_travels(
    graph: Graph, open_graph: OpenGraph, tmp_path: Path
) -> None:
    owned = {label: key for label, key in LABELS.items()}
    alone = {
        label
        for name in statements.migrations()
        for label in re.findall(r"FOR \(n:(\w+)\) REQUIRE n\.realm ", statements.load(name).text)
    }
    assert owned == NAMED_BY
    assert alone == set(ONE_EACH)
    await one_of_each(graph)
    file = tmp_path / "labels.jsonl"
    exported = await graph.realms.export(file)
    copy = await open_graph(settings={"transfer": {"batch": 4}})
    steps: list[tuple[int, int]] = []
    await copy.realms.load(file, on_progress=lambda *step: steps.append(step))
    assert await content(copy) == await content(graph)
    assert exported.nodes == 3 * len(LABELS) + 1
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1] == 2 * (exported.nodes + exported.relationships)


@pytest.mark.slow
async def test_only_an_empty_realm_is_filled(
    small: Path, graph: Graph, open_graph: OpenGraph
) -> None:
    occupied = await open_graph()
    await occupied.memories.remember("Something.")
    before = await content(occupied)
    with pytest.raises(Conflict, match=r"not empty: import into another one with `--realm`"):
        await graph.realms.load(small, name=occupied.realm)
    with pytest.raises(Conflict, match="not empty"):
        await graph.realms.load(small)
    assert await content(occupied) == before
    empty = f"{occupied.realm}-empty"
    await graph.realms.load(small, name=empty)
    assert (await graph.realms.stats(empty)).nodes == (await graph.realms.stats()).nodes
    await graph.realms.delete(empty)


@pytest.mark.slow
async def test_a_realm_for_another_model_is_left_alone(
    graph: Graph, open_graph: OpenGraph, filed: Path
) -> None:
    other = await open_graph(embedder=Toy(3))
    with pytest.raises(
        InvalidInput, match=r"its vectors are of bge-small.*this graph's model is toy"
    ):
        await other.realms.load(filed)
    await other.embedding.documents(["So it is the realm's model."])
    with pytest.raises(Conflict, match="is for vectors of toy-3"):
        await graph.realms.load(filed, name=other.realm)
    assert (await other.realms.stats()).nodes == {"EmbeddingModel": 1, "Realm": 1}
    assert [
        realm.unfinished for realm in await other.realms.list() if realm.name == other.realm
    ] == [False]


def sealed(lines: list[bytes], **header: Any) -> bytes:
    """A file whose last line fits what went before, whatever that is."""
    first = json.loads(lines[0]) | header
    body = json.dumps(first).encode() + b"\n" + b"".join(lines[1:-1])
    footer = {"nodes": first["nodes"], "relationships": first["relationships"]}
    footer["sha256"] = sha256(body).hexdigest()
    return body + b'{"footer":' + json.dumps(footer).encode() + b"}\n"


Damage = Callable[[list[bytes]], bytes]
DAMAGES: dict[str, tuple[Damage, str]] = {
    "a byte": (lambda ls: b"".join(ls).replace(b"NASCENT", b"NASCENZ"), r"line \d+: what went bef"),
    "the end": (lambda ls: b"".join(ls[:-1]), r"line \d+: the file is cut off"),
    "the last line's end": (lambda ls: b"".join(ls)[:-1], r"line \d+: nothing can follow"),
    "half a line": (lambda ls: b"".join(ls)[:-200], r"line \d+: "),
    "more": (lambda ls: b"".join(ls) + ls[1], r"line \d+: nothing can follow"),
    "a line's sense": (lambda ls: sealed([ls[0], b"{\n", *ls[2:]]), "line 2: it is no JSON"),
    "a line's shape": (
        lambda ls: sealed([ls[0], b"[]\n", *ls[2:]]),
        "line 2: it is no JSON object",
    ),
    "a line": (lambda ls: sealed([ls[0], *ls[2:]]), r"line \d+: "),
    "a node's name": (
        lambda ls: sealed([ls[0], b'{"labels":["Star"],"properties":{}}\n', *ls[2:]]),
        "line 2: a node lacks what names it",
    ),
    "a label": (
        lambda ls: sealed([ls[0], b'{"labels":["Sun"],"properties":{"id":"x"}}\n', *ls[2:]]),
        "line 2: nothing names a node with the labels Sun",
    ),
    "a node twice": (lambda ls: sealed([ls[0], ls[2], *ls[2:]]), "a node twice"),
    "an end": (
        lambda ls: sealed([line.replace(b'["Star","sea"]', b'["Star","sky"]') for line in ls]),
        r"line \d+: an end of this relationship is not in the file",
    ),
    "everything": (lambda ls: b"\x00\xff", "line 1: it is no JSON"),
    "nothing left": (lambda ls: b"", "line 1: it is no JSON"),
    "another file": (lambda ls: b'{"name":"x"}\n', "no exported realm"),
    "its version": (lambda ls: sealed(ls, version=None), "line 1: it lacks its version"),
    "its counts": (lambda ls: sealed(ls, nodes=-1), "line 1: nodes: "),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_file_is_refused_by_its_line_before_anything_is_written(
    damage: str, small: Path, graph: Graph
) -> None:
    change, reason = DAMAGES[damage]
    put(small, change(lines_of(small)))
    name = f"{graph.realm}-never"
    with pytest.raises(InvalidInput, match=reason):
        await graph.realms.load(small, name=name)
    assert name not in [realm.name for realm in await graph.realms.list()]


async def test_a_packed_file_that_is_cut_off_is_refused(
    graph: Graph, small: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "x.gz"
    put(packed, gzip.compress(raw(small))[:-20])
    with pytest.raises(InvalidInput, match=r"line \d+: it can't be unpacked"):
        await graph.realms.load(packed, name="never")
    put(packed, raw(small))
    with pytest.raises(InvalidInput, match="line 1: it can't be unpacked"):
        await graph.realms.load(packed, name="never")
    with pytest.raises(InvalidInput, match="can't be read"):
        await graph.realms.load(tmp_path / "none", name="never")


@pytest.mark.parametrize("newer", [{"version": 3}, {"schema_version": 999}])
async def test_a_file_of_a_newer_asterism_is_refused(
    newer: dict[str, int], graph: Graph, small: Path
) -> None:
    put(small, sealed(lines_of(small), **newer))
    with pytest.raises(SchemaMismatch, match=r"newer Asterism.*pip install -U asterism"):
        await graph.realms.load(small, name="never")


@pytest.mark.slow
async def test_a_file_of_an_older_schema_is_taken(graph: Graph, small: Path) -> None:
    lines = lines_of(small)
    put(small, sealed(lines, schema_version=1))
    name = f"{graph.realm}-old"
    await graph.realms.load(small, name=name)
    assert (await graph.realms.stats(name)).relationships == {"TENSION": 1}
    await graph.realms.delete(name)


async def test_what_cannot_be_written_is_said_before_anything_is_read(
    graph: Graph, tmp_path: Path
) -> None:
    for file in (tmp_path / "none" / "x.jsonl", tmp_path):
        with pytest.raises(InvalidInput, match="a folder you can write to"):
            await graph.realms.export(file)
    with pytest.raises(NotFound, match="no realm 'never' on this server"):
        await graph.realms.export(tmp_path / "x", name="never")


@pytest.mark.slow
async def test_a_value_that_no_part_writes_is_named_and_the_old_file_stays(
    graph: Graph, small: Path
) -> None:
    before = raw(small)
    await run(graph, "MATCH (s:Star {realm: $realm, id: 'sea'}) SET s.place = point({x: 1, y: 2})")
    with pytest.raises(AsterismError, match=r"Star\S* 'sea' can't be exported, place is a POINT"):
        await graph.realms.export(small)
    assert raw(small) == before
    assert names(small.parent) == [small.name]


@pytest.mark.slow
async def test_what_is_written_during_an_export_is_in_the_file_whole_or_not(
    graph: Graph, open_graph: OpenGraph, tmp_path: Path
) -> None:
    """Whatever the file has caught, every relationship in it has both its ends."""
    files: list[Path] = []
    await graph.memories.remember("Before.")

    async def write() -> None:
        for number in range(0, 400, 20):
            rows = [
                {"text": f"Ada said {at}.", "id": f"{at}", "session": "s"}
                for at in range(number, number + 20)
            ]
            await graph.memories.remember_many(rows)

    writing = asyncio.create_task(write())
    while not writing.done():
        files.append(tmp_path / f"busy-{len(files)}.jsonl")
        await graph.realms.export(files[-1])
    await writing
    for file in files[:4]:
        copy = await open_graph()
        await copy.realms.load(file)
        [report] = await copy.maintenance.run("verify")
        assert report.offenders == []


def write_once(
    monkeypatch: pytest.MonkeyPatch, write: Callable[[], Coroutine[Any, Any, object]]
) -> None:
    """Let somebody write after the first page that is read."""
    read, written = Database.unconverted, asyncio.Event()

    async def read_and_write(self: Database, name: str, /, **arguments: Any) -> list[Any]:
        rows: list[Any] = await read(self, name, **arguments)
        if not written.is_set():
            written.set()
            await write()
        return rows

    monkeypatch.setattr(Database, "unconverted", read_and_write)


async def test_texts_that_come_while_a_realm_is_read_are_counted_right(
    graph: Graph, open_graph: OpenGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts are on a later page than the texts, which are read anew."""
    monkeypatch.setattr(export, "PAGE", 5)
    await graph.memories.remember_many([f"Ada said {at} to Bob." for at in range(12)])

    async def write() -> None:
        await graph.memories.remember_many([f"Ada said {at} to Cy." for at in range(3)])

    write_once(monkeypatch, write)
    file = tmp_path / "busy.jsonl"
    exported = await graph.realms.export(file)
    assert exported.warnings == ()
    copy = await open_graph()
    await copy.realms.load(file)
    [report] = await copy.maintenance.run("verify")
    assert report.offenders == []
    assert len((await copy.memories.list(limit=100)).items) == 15


async def test_a_large_realm_that_is_written_to_is_told(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "LOCKED_SECONDS", 0.0)
    await graph.memories.remember("Ada rang.")
    write_once(monkeypatch, lambda: graph.memories.remember("Bob rang."))
    exported = await graph.realms.export(tmp_path / "busy.jsonl")
    [warning] = exported.warnings
    assert "Export it again when nobody writes" in warning
    again = await graph.realms.export(tmp_path / "quiet.jsonl")
    assert again.warnings == ()


# Interruptions


async def importing(
    file: Path, realm: str, environment: dict[str, str]
) -> asyncio.subprocess.Process:
    """A process that imports a file, slowly."""
    words = ["-m", "asterism", "import", str(file), "--realm", realm]
    return await asyncio.create_subprocess_exec(
        sys.executable, *words, env=environment | ONE_BY_ONE, stderr=asyncio.subprocess.PIPE
    )


async def halfway(graph: Graph, realm: str, process: asyncio.subprocess.Process) -> None:
    """Wait until the first memory is there: before it come other labels, after it more."""
    there = "OPTIONAL MATCH (m:Memory {realm: $name}) RETURN count(m) AS memories"
    while not (await run(graph, there, name=realm))[0]["memories"]:
        assert process.returncode is None, "it was over before it was halfway"
        await asyncio.sleep(0.005)


@pytest.mark.slow
async def test_killed_in_the_middle_it_is_marked_and_begun_again(
    graph: Graph,
    open_graph: OpenGraph,
    environment: dict[str, str],
    filed: Path,
    small: Path,
    tmp_path: Path,
) -> None:
    again = tmp_path / "again.jsonl"
    realm = f"test-{uuid.uuid4().hex[:12]}"
    process = await importing(filed, realm, environment)
    await halfway(graph, realm, process)
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    [realm_row] = [one for one in await graph.realms.list() if one.name == realm]
    assert realm_row.unfinished
    copy = await open_graph(realm=realm)
    with pytest.raises(Conflict, match="holds an unfinished import, so the graph has no memories"):
        await copy.memories.get("t0")
    with pytest.raises(Conflict, match="unfinished import: repeat that import first"):
        await copy.realms.export(again)
    with pytest.raises(Conflict, match="an unfinished import of another file: repeat that one"):
        await copy.realms.load(small)
    await copy.realms.load(filed)
    assert (await copy.memories.get("t0")).text.startswith("Lyra")
    await copy.realms.export(again)
    assert raw(again) == raw(filed)


@pytest.mark.slow
async def test_cancelled_in_the_middle_an_import_has_ended_and_is_begun_again(
    filed: Path, open_graph: OpenGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ONE_BY_ONE.items():
        monkeypatch.setenv(name, value)
    graph = await open_graph()
    before = asyncio.all_tasks()
    importing = asyncio.create_task(graph.realms.load(filed))
    there = "OPTIONAL MATCH (n:Star {realm: $realm}) RETURN count(n) AS stars"
    while not (await run(graph, there))[0]["stars"]:
        assert not importing.done(), "it was over before it was halfway"
    importing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await importing
    assert asyncio.all_tasks() == before
    await graph.realms.load(filed)
    again = filed.with_name("again.jsonl")
    await graph.realms.export(again)
    assert raw(again) == raw(filed)


@pytest.mark.slow
async def test_of_two_imports_at_once_one_wins(
    graph: Graph,
    open_graph: OpenGraph,
    environment: dict[str, str],
    filed: Path,
    tmp_path: Path,
) -> None:
    again = tmp_path / "again.jsonl"
    realm = f"test-{uuid.uuid4().hex[:12]}"
    process = await importing(filed, realm, environment)
    await halfway(graph, realm, process)
    os.kill(process.pid, signal.SIGSTOP)
    try:
        with pytest.raises(Conflict, match="being filled by another import: wait for it"):
            await graph.realms.load(filed, name=realm)
        half = await open_graph(realm=realm)
        with pytest.raises(Conflict, match="unfinished import"):
            await half.stars.list()
    finally:
        os.kill(process.pid, signal.SIGCONT)
    await process.communicate()
    assert process.returncode == 0
    await graph.realms.export(again, name=realm)
    assert raw(again) == raw(filed)


@pytest.mark.slow
async def test_many_imports_begun_together_fill_a_realm_once(
    graph: Graph, small: Path, tmp_path: Path
) -> None:
    realm, again = f"{graph.realm}-many", tmp_path / "again.jsonl"
    outcomes = await asyncio.gather(
        *(graph.realms.load(small, name=realm) for _ in range(4)), return_exceptions=True
    )
    assert sum(isinstance(one, Conflict) for one in outcomes) == 3, outcomes
    await graph.realms.export(again, name=realm)
    assert raw(again) == raw(small)
    await graph.realms.delete(realm)


@pytest.mark.slow
async def test_an_unfinished_realm_is_deleted_like_any_other(
    graph: Graph, open_graph: OpenGraph, small: Path
) -> None:
    realm = f"{graph.realm}-gone"
    await graph.database.within(realm).rows(
        "transfer/begin_import",
        realm_key=realm_key(realm),
        sha256="0",
        model=None,
        dimensions=None,
    )
    with pytest.raises(Conflict, match="unfinished import of another file"):
        await graph.realms.load(small, name=realm)
    half = await open_graph(realm=realm)
    await half.realms.delete(realm)
    assert await half.stars.list() == []
    await graph.realms.load(small, name=realm)


@pytest.mark.slow
async def test_somebody_who_writes_to_a_realm_that_is_filled_is_noticed(
    server: Server, graph: Graph, open_graph: OpenGraph, small: Path
) -> None:
    copy = await open_graph(settings={"transfer": {"batch": 1}})
    written: list[int] = []

    def meddle(count: int, total: int) -> None:
        if count == total // 2 + 3:
            with GraphDatabase.driver(server.uri, auth=server.auth) as driver:
                star = "CREATE (:Star {realm: $realm, id: 'stranger'})"
                driver.execute_query(star, realm=copy.realm)
            written.append(count)

    with pytest.raises(Conflict, match="somebody else wrote"):
        await copy.realms.load(small, on_progress=meddle)
    assert written
    await copy.realms.load(small)
    assert {star.id for star in await copy.stars.list()} == {"sea", "home"}


@pytest.mark.slow
async def test_a_realm_moves_to_another_server(
    graph: Graph,
    clock: FixedClock,
    embedder: OnnxEmbedder,
    filed: Path,
    quick_folder: Path,
    pattern: Home,
) -> None:
    again, home = quick_folder / "again.jsonl", copied(pattern, quick_folder / "home")
    await graph.realms.load(filed)
    try:
        state = await asyncio.to_thread(local_server.start, home, SMALL)
        auth = ("neo4j", local_server.password(home))
        async with Graph.open(
            state.uri, auth=auth, realm=graph.realm, clock=clock, embedder=embedder
        ) as moved:
            await moved.realms.load(filed)
            await moved.realms.export(again)
            assert raw(again) == raw(filed)
            there, here = await answers(moved), await answers(graph)
            for question in ("key", "bread"):  # how rare a word is depends on a server's realms
                hits = [answer.pop(question)["hits"] for answer in (there, here)]
                assert {hit["id"] for hit in hits[0]} == {hit["id"] for hit in hits[1]}
            assert there == here
            assert (await moved.consolidation.consolidate()).promoted == 2
    finally:
        await asyncio.to_thread(local_server.stop, home)
    assert (await graph.consolidation.consolidate()).promoted == 2
