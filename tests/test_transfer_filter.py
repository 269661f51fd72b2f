"""A part of a realm as a file: the texts that pass a filter, as if all others were forgotten."""

import json
from pathlib import Path
from typing import Any

import pytest

from asterism.clock import FixedClock
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memory_filter import MemoryFilter
from asterism.transfer.session_rows import SessionRows
from tests.conftest import OpenGraph
from tests.support.stars_world import run as cypher
from tests.support.transfer_world import market, stars, texts, walk
from tests.test_cli_consolidation import output_of
from tests.test_cli_memory import Run, realm, run

__all__ = ["realm", "run"]

QUESTION = "Who keeps the lighthouse key behind the clock?"
KEY = "Lyra keeps the lighthouse key behind the clock."
FILTERS: list[dict[str, Any]] = [
    {"tags": ["lighthouse"]},
    {"session": "s1"},
    {"no_sessions": ["s0"]},
    {"speaker": "Ben"},
    {"where": {"page": {"ge": 3}}},
    {"ids": ["c0", "c3", "again", "p2", "p5"]},
    {"ids": ["c0", "c2"]},
    {"ids": ["c1", "c3", "t1", "t4"]},
    {"state": "duplicate"},
    {"state": ["active", "waiting"], "no_tags": ["market"]},
    {"since": "2026-03-02T13:00:00Z"},
    {"tags": ["nowhere"]},
]


async def fill(graph: Graph, clock: FixedClock) -> None:
    """Texts of two conversations, chains of corrections, repeats and edges, and all other parts."""
    await texts(graph, clock)
    await stars(graph, clock)
    await market(graph, clock)
    await walk(graph)
    pages = [
        {
            "text": f"Page {page}: Orsolya counts {page} boats at the harbour.",
            "id": f"p{page}",
            "session": f"s{page % 2}",
            "speaker": "Ben" if page % 3 else "Ada",
            "metadata": {"page": page},
        }
        for page in range(7)
    ]
    said_again = {"text": KEY, "id": "again", "session": "s1", "speaker": "Ada"}
    await graph.memories.remember_many([*pages, said_again])
    corrected = [{"text": f"The ferry leaves at {6 + n}.", "id": f"c{n}"} for n in range(4)]
    await graph.memories.remember_many(corrected)
    for n in range(3):
        await graph.memories.supersede(f"c{n}", f"c{n + 1}", reason=f"timetable {n}")
    clock.advance(hours=2)
    await graph.consolidation.consolidate()
    assert (await graph.memories.get("again")).duplicate_of == "t0"
    await graph.memories.update("p2", text="Page 2: Orsolya counts no boats.")
    await graph.memories.connect("p2", "t0", "ELABORATES", weight=0.7)
    await graph.memories.connect("p2", "p5", "SUPPORTS", weight=0.6)
    await graph.memories.remember(text="Nobody has consolidated this.", id="late", session="s1")


async def verified(graph: Graph) -> Any:
    [report] = await graph.maintenance.run("verify")
    return report.offenders


async def memories_of(graph: Graph) -> tuple[list[Any], list[Any]]:
    """The text memories of a realm with what is theirs, by queries of their own."""
    nodes = await cypher(
        graph,
        "MATCH (n:Text|Name|Term) WHERE n.realm = $realm "
        "RETURN labels(n) AS labels, n {.*, realm: null, realm_key: n.realm_key IS NOT NULL, "
        "tag_keys: size(n.tag_keys), locked_at: null, embedding: n.embedding IS NOT NULL, "
        "marks: null, near_duplicates: coll.sort(coalesce(n.near_duplicates, []))} AS values "
        "UNION ALL MATCH (n:Session) WHERE n.realm = $realm AND n.arrivals > 0 "
        "RETURN labels(n) AS labels, n {.id, .arrivals, .latest_memory, .caption} AS values "
        "UNION ALL MATCH (e:Evidence) WHERE e.realm = $realm "
        "AND EXISTS { (:Text {realm: $realm, id: e.memory_id}) } "
        "RETURN labels(e) AS labels, e {.*, realm: null} AS values "
        "UNION ALL MATCH (n:Realm {realm: $realm}) "
        "RETURN labels(n) AS labels, n {.text_count} AS values",
    )
    links = await cypher(
        graph,
        "MATCH (a:Text)-[r]->(b:Text|Name|Term|Session) WHERE a.realm = $realm "
        "RETURN a.id AS a, type(r) AS type, coalesce(b.id, b.key, b.stem) AS b, "
        "r {.*, realm: null} AS values",
    )
    return _sorted(nodes), _sorted(links)


def _sorted(rows: list[dict[str, Any]]) -> list[str]:
    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(value[name]) for name in sorted(value) if value[name] is not None}
        return sorted(value) if isinstance(value, list) else str(value)

    return sorted(str(plain(row)) for row in rows)


@pytest.fixture(scope="module")
def shared_file() -> dict[str, Any]:
    """The file of a realm in which all parts have been at work, made once."""
    return {}


@pytest.fixture
async def whole(
    shared_file: dict[str, Any], open_graph: OpenGraph, clock: FixedClock, tmp_path: Path
) -> Path:
    """The same file, at the time at which it was made."""
    file = tmp_path / "whole.jsonl"
    if not shared_file:
        graph = await open_graph()
        await fill(graph, clock)
        assert await verified(graph) == []
        await graph.realms.export(file)
        shared_file |= {"file": file.read_bytes(), "at": clock.now()}
    file.write_bytes(shared_file["file"])
    clock.set(shared_file["at"])
    return file


@pytest.fixture
async def filled(whole: Path, open_graph: OpenGraph) -> Graph:
    """A realm of that file."""
    graph: Graph = await open_graph()
    await graph.realms.load(whole)
    return graph


@pytest.mark.slow
async def test_a_filtered_file_is_the_realm_as_if_all_else_were_forgotten(
    filled: Graph, whole: Path, open_graph: OpenGraph, tmp_path: Path
) -> None:
    """The oracle is `forget_where`, which has its own way through the same rules."""
    for number, conditions in enumerate(FILTERS):
        part = tmp_path / f"{number}.jsonl"
        report = await filled.realms.export(part, **conditions)
        passing = {memory.id async for memory in filled.memories.each(**conditions)}
        assert report.filter == str(MemoryFilter(**conditions))
        copy, left = await open_graph(), await open_graph()
        loaded = await copy.realms.load(part)
        assert (loaded.nodes, loaded.relationships) == (report.nodes, report.relationships)
        assert await verified(copy) == [], conditions
        await left.realms.load(whole)
        rest = [memory.id async for memory in left.memories.each() if memory.id not in passing]
        await left.memories.forget_where(ids=rest, dry_run=False)
        assert {memory.id async for memory in copy.memories.each()} == passing
        questions = [await each.recall.find(QUESTION, k=20) for each in (copy, left)]
        found, expected = ([hit.id for hit in answer.hits] for answer in questions)
        assert found == expected, conditions
        for one, other in zip(await memories_of(copy), await memories_of(left), strict=True):
            assert set(one) ^ set(other) == set(), conditions
            assert one == other


@pytest.mark.slow
async def test_a_part_answers_and_goes_on(
    filled: Graph, open_graph: OpenGraph, tmp_path: Path
) -> None:
    """Recall finds its texts and no others, and the realm takes new ones."""
    part = tmp_path / "part.jsonl.gz"
    report = await filled.realms.export(part, ids=["again", "t3", "t5", "c1", "p2", "p5"])
    assert {"Star", "MENTIONS", "Run", "Evidence"} <= set(report.left_out)
    copy = await open_graph()
    await copy.realms.load(part)
    answer = await copy.recall.find(QUESTION, k=20)
    assert answer.hits[0].id == "again"
    assert {hit.id for hit in answer.hits} <= {"again", "t3", "t5", "c1", "p2", "p5"}
    assert (await copy.memories.get("again")).state == "active"
    assert (await copy.memories.get("c1")).superseded_by is None
    assert "update" in {entry.kind for entry in await copy.memories.history("p2")}
    assert (await copy.consolidation.consolidate()).promoted == 2  # p2 was updated
    await copy.memories.remember(text=KEY, id="repeat", speaker="Ada")
    await copy.consolidation.consolidate()
    assert (await copy.memories.get("repeat")).duplicate_of == "again"
    await copy.memories.forget("again")
    assert await verified(copy) == []


@pytest.mark.slow
async def test_nothing_of_what_does_not_pass_is_in_the_file(filled: Graph, tmp_path: Path) -> None:
    part = tmp_path / "part.jsonl"
    await filled.realms.export(part, ids=["t0", "c0", "c3", "p5"])
    lines = part.read_text().splitlines()
    words = "\n".join(lines)
    for id in ("t1", "t2", "t4", "again", "c1", "c2", "p2", "late", "sea", "lighthouse-"):
        assert f'"{id}"' not in words
        assert f"duplicate:{id}" not in words
    assert "Orsolya sells bread" not in words


@pytest.mark.slow
async def test_no_condition_is_the_whole_realm_byte_for_byte(filled: Graph, tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    whole = await filled.realms.export(one)
    same = await filled.realms.export(other, filter=MemoryFilter(), tags=None)
    assert one.read_bytes() == other.read_bytes()
    assert (same.filter, same.left_out, same.sha256) == ("", {}, whole.sha256)
    await filled.realms.export(one, tags=["lighthouse"])
    await filled.realms.export(other, filter=MemoryFilter(tags=["lighthouse"]))
    assert one.read_bytes() == other.read_bytes()


async def test_what_is_no_filter_is_refused_before_a_file_is_written(
    graph: Graph, tmp_path: Path
) -> None:
    file = tmp_path / "part.jsonl"
    unknown: dict[str, Any] = {"tag": ["lighthouse"]}
    with pytest.raises(InvalidInput, match="did you mean tags"):
        await graph.realms.export(file, **unknown)
    with pytest.raises(InvalidInput, match="give a number from 0 to 1"):
        await graph.realms.export(file, minimum_strength=2)
    assert not file.exists()


@pytest.mark.slow
async def test_a_word_that_is_common_is_counted_and_not_joined(
    open_graph: OpenGraph, tmp_path: Path
) -> None:
    graph = await open_graph(settings={"recall": {"tied_words": 10}})
    items = [{"text": f"The lantern {n} burns.", "id": f"m{n:02}"} for n in range(14)]
    await graph.memories.remember_many(items)
    await graph.realms.export(tmp_path / "part.jsonl", no_tags=["none"])
    copy = await open_graph()
    await copy.realms.load(tmp_path / "part.jsonl")
    rows = await cypher(
        copy,
        "MATCH (t:Term {realm: $realm, stem: 'lantern'}) "
        "RETURN t.memory_count AS count, COUNT { (t)<-[:HAS_TERM]-() } AS joined",
    )
    assert rows == [{"count": 14, "joined": 0}]
    assert await verified(copy) == []


def test_a_damaged_session_becomes_one_row() -> None:
    """Pieces, a circle and a step out of it: each memory once."""
    rows = SessionRows({"a": "x", "x": "b", "c": "d", "d": "c", "y": "z", "z": "y", "e": "y"})
    for place, id in enumerate("eabcd"):
        rows.add("s", id, (False, place, id))
    assert list(rows.rows()) == [("s", ["e", "a", "b", "c", "d"])]


@pytest.mark.slow
def test_the_command_takes_the_options_of_a_filter(run: Run, realm: str, tmp_path: Path) -> None:
    file = str(tmp_path / "part.jsonl")
    for number, tag in ((2, "work"), (3, "work"), (4, "home")):
        text = f"Page {number} of the log."
        added = ("memory", "add", text, "--tag", tag, "--meta", f"page={number}", "--realm", realm)
        output_of(run(*added))
    options = ("--tag", "work", "--where", "page>=3", "--realm", realm)
    message = output_of(run("export", file, *options))
    assert "Only texts that pass: tags work; page >= 3" in message
    assert "Left out: " in message
    report = json.loads(output_of(run("export", file, "--force", *options, "--json")))
    assert report["left_out"]["Memory"] == 2
    copy = f"{realm}-part"
    output_of(run("import", file, "--realm", copy))
    page = json.loads(output_of(run("memory", "list", "--realm", copy, "--json")))
    assert [item["text"] for item in page["items"]] == ["Page 3 of the log."]
    output_of(run("maintain", "verify", "--realm", copy))
    refused = run("export", str(tmp_path / "no.jsonl"), "--where", "page", "--realm", realm)
    assert refused.returncode == 2
    assert not (tmp_path / "no.jsonl").exists()
    output_of(run("realm", "delete", copy, "--yes"))
