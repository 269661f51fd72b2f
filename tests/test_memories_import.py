"""Files of texts and messages: imported once, updated when edited, refused line by line."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories import ImportReport
from asterism.memories.files.front_matter import FrontMatterError, split_front_matter
from asterism.memories.files.markdown import pieces
from tests.support.command_line import CommandLine

NOTE = """---
title: The lighthouse
tags: [sea, "night"]
date: 2026-02-01
page: 3
draft: false
authors:
  - Ana
  - Leo
---
Lyra keeps the key.

# Keys

The key lies under the stair.

## Spare

A spare one is with Leo. # no heading

```sh
# no heading either
```

# Lamp

The lamp needs oil.
"""


def write_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text(
        "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    )
    return path


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.created, report.updated, report.same, len(report.rejected)


async def test_json_lines_become_memories_once(graph: Graph, tmp_path: Path) -> None:
    rows: list[Any] = [
        {"id": "a", "text": "Lyra keeps the key.", "tags": ["sea"], "page": 3, "cc": ["x", "y"]},
        {"text": "The boat leaves at noon.", "metadata": {"source": "mail"}, "about": None},
        "no json\n",
        "\n",
        {"text": ""},
        {"text": "deep", "more": {"a": 1}},
        {"text": "ok", "metadata": 3},
    ]
    file = write_lines(tmp_path / "notes.jsonl", rows)
    dry = await graph.memories.import_file(file, dry_run=True)
    assert (counts(dry), dry.dry_run) == ((2, 0, 0, 4), True)
    assert graph.realm not in {realm.name for realm in await graph.realms.list()}
    report = await graph.memories.import_file(str(file), tags=["imported"], actor="ana")
    assert (counts(report), report.rows, report.files) == ((2, 0, 0, 4), 6, 1)
    assert [item.line for item in report.rejected] == [3, 5, 6, 7]
    assert report.rejected[0].reason.startswith("this is no JSON")
    assert report.rejected[2].reason.startswith("metadata.more=")
    memory = await graph.memories.get("a")
    assert (memory.tags, memory.actor) == (("imported", "sea"), "ana")
    assert memory.metadata == {"page": 3, "cc": "x, y"}
    for dry_run in (True, False):
        again = await graph.memories.import_file(
            file, tags=["imported"], actor="ana", dry_run=dry_run
        )
        assert counts(again) == (0, 0, 2, 4)


async def test_unknown_fields_are_refused_if_asked(graph: Graph, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "notes.ndjson", [{"text": "a", "page": 3}, {"text": "b"}])
    report = await graph.memories.import_file(file, unknown="refuse")
    assert counts(report) == (1, 0, 0, 1)
    assert report.rejected[0].reason.startswith("unknown field 'page': give some of text, tags")


async def test_an_id_that_comes_twice_is_counted_or_refused(graph: Graph, tmp_path: Path) -> None:
    rows = [{"id": "a", "text": text} for text in ("one", "two", "two")]
    report = await graph.memories.import_file(write_lines(tmp_path / "n.jsonl", rows))
    assert counts(report) == (1, 0, 1, 1)
    assert (await graph.memories.get("a")).text == "two"
    assert report.rejected[0].reason == "id='a': a later row has this id as well"


@pytest.mark.slow
async def test_lines_with_roles_are_messages(graph: Graph, tmp_path: Path) -> None:
    rows: list[Any] = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "yes"},
        {"role": "user", "content": "yes"},
        {"role": "wizard", "content": "yes"},
        {"role": "user", "content": "no", "session": "other"},
    ]
    file = write_lines(tmp_path / "chat.jsonl", rows)
    refused = await graph.memories.import_file(file)
    assert counts(refused) == (1, 0, 0, 4)
    assert "it has no session" in refused.rejected[0].reason
    report = await graph.memories.import_file(file, session="chat")
    assert (counts(report), report.left_out) == ((2, 0, 1, 1), {"system": 1})
    assert report.rejected[0].line == 4
    assert counts(await graph.memories.import_file(file, session="chat")) == (0, 0, 3, 1)
    dry = await graph.memories.import_file(file, session="chat", dry_run=True)
    assert sum(dry.left_out.values()) == 5
    half = write_lines(
        tmp_path / "half.jsonl", [{"role": "user", "content": "x", "session": "a\ud800"}]
    )
    assert len((await graph.memories.import_file(half)).rejected) == 1


async def test_tables_become_memories(graph: Graph, tmp_path: Path) -> None:
    file = tmp_path / "notes.csv"
    with file.open("w", newline="", encoding="utf-8-sig") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(["id", "note", "tags", "page", "price", "code", "speaker"])
        writer.writerow(["a", "Two\nlines", "sea, night", "3", "1.5", "007", "Ana"])
        writer.writerow(["b", "One line", "", "", "", "", ""])
        writer.writerow(["too", "few"])
        writer.writerow(["c", "", "", "", "", "", ""])
    report = await graph.memories.import_file(file)
    assert counts(report) == (2, 0, 0, 2)
    assert [item.line for item in report.rejected] == [5, 6]
    memory = await graph.memories.get("a")
    assert (memory.text, memory.tags, memory.speaker) == ("Two\nlines", ("night", "sea"), "Ana")
    assert memory.metadata == {"page": 3, "price": 1.5, "code": "007"}
    assert counts(await graph.memories.import_file(file)) == (0, 0, 2, 2)
    with pytest.raises(InvalidInput, match="text_column='words': name the column of the texts: id"):
        await graph.memories.import_file(file, text_column="words")
    other = tmp_path / "other.tsv"
    other.write_text('words\tpage\nhello\t1\n"broken\t2\n')
    with pytest.raises(InvalidInput, match="path="):
        await graph.memories.import_file(other)
    report = await graph.memories.import_file(other, text_column="words")
    assert counts(report) == (1, 0, 0, 1)
    packed = tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(b"text\npacked\n"))
    assert counts(await graph.memories.import_file(packed)) == (1, 0, 0, 0)
    packed.write_bytes(gzip.compress(b"text\npacked\n")[:-4])
    assert "broken off" in (await graph.memories.import_file(packed)).rejected[0].reason


async def test_a_short_markdown_file_is_one_memory(graph: Graph, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "sea.md").write_text(NOTE)
    report = await graph.memories.import_file(folder / "sea.md")
    assert counts(report) == (1, 0, 0, 0)
    memory = await graph.memories.get("notes/sea.md")
    assert (memory.tags, memory.about) == (("night", "sea"), "The lighthouse / Keys")
    assert memory.first_seen.date().isoformat() == "2026-02-01"
    assert memory.metadata == {
        **{"authors": "Ana, Leo", "draft": False, "file": "notes/sea.md", "heading": "Keys"},
        **{"page": 3, "position": 1},
    }


@pytest.mark.slow
async def test_a_long_markdown_file_is_split_at_its_headings(graph: Graph, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "deep" / ".hidden").mkdir(parents=True)
    file = folder / "deep" / "sea.md"
    file.write_text(NOTE)
    (folder / "deep" / ".hidden" / "x.md").write_text("hidden")
    (folder / "bad.md").write_text("---\ntitle: |\n  block\n---\nx")
    (folder / "latin.md").write_bytes(b"caf\xe9")
    report = await graph.memories.import_file(folder, split_above=50)
    assert (counts(report), report.files) == ((4, 0, 0, 2), 3)
    assert {(item.file, item.line) for item in report.rejected} == {
        ("notes/bad.md", 2),
        ("notes/latin.md", 1),
    }
    spare = await graph.memories.get("notes/deep/sea.md#keys-spare")
    assert spare.about == "The lighthouse / Keys / Spare"
    assert str(spare.text).startswith("A spare one is with Leo. # no heading")
    assert "# no heading either" in str(spare.text)
    assert (spare.metadata["heading"], spare.metadata["position"]) == ("Keys / Spare", 3)
    assert (await graph.memories.get("notes/deep/sea.md")).text == "Lyra keeps the key."
    assert counts(await graph.memories.import_file(folder, split_above=50)) == (0, 0, 4, 2)
    answer = await graph.recall.find("Where is the key?", where={"file": "notes/deep/sea.md"})
    assert len(answer.hits) == 4


@pytest.mark.slow
async def test_pieces_that_are_gone_are_reported_and_forgotten_if_asked(
    graph: Graph, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    file, other = folder / "sea.md", folder / "other.md"
    file.write_text("# Keys\n\nUnder the stair.\n\n# Lamp\n\nIt needs oil.\n")
    other.write_text("Another note.")
    await graph.memories.import_file(folder, split_above=0)
    await graph.memories.remember("By hand.", id="notes/hand.md")
    file.write_text("# Keys\n\nUnder the stair.\n")
    report = await graph.memories.import_file(folder, split_above=0)
    assert (counts(report), report.vanished) == ((0, 0, 2, 0), ["notes/sea.md#lamp"])
    other.unlink()
    report = await graph.memories.import_file(file, split_above=0)
    assert report.vanished == ["notes/sea.md#lamp"], "of this file alone"
    dry = await graph.memories.import_file(folder, split_above=0, forget_missing=True, dry_run=True)
    assert (dry.vanished, dry.forgotten) == (["notes/other.md", "notes/sea.md#lamp"], 0)
    file.write_bytes(b"caf\xe9")
    report = await graph.memories.import_file(folder, split_above=0)
    assert report.vanished == ["notes/other.md"], "a file that can't be read has lost nothing"
    file.write_text("# Keys\n\nUnder the stair.\n")
    report = await graph.memories.import_file(folder, split_above=0, forget_missing=True)
    assert (report.forgotten, len(report.vanished)) == (2, 2)
    assert (await graph.realms.stats()).nodes["Text"] == 2


@pytest.mark.slow
async def test_an_edited_piece_stays_one_memory(graph: Graph, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    file = folder / "sea.md"
    file.write_text("# Keys\n\nUnder the stair.\n\n# Keys\n\nTwice.\n\n# Lamp\n\nIt needs oil.\n")
    first = await graph.memories.import_file(folder, split_above=0)
    assert first.created == 3
    assert (await graph.memories.get("notes/sea.md#keys-2")).text == "Twice."
    file.write_text(file.read_text().replace("stair", "lamp"))
    dry = await graph.memories.import_file(folder, split_above=0, dry_run=True)
    report = await graph.memories.import_file(folder, split_above=0)
    assert counts(dry) == counts(report) == (0, 1, 2, 0)
    assert (await graph.memories.get("notes/sea.md#keys")).text == "Under the lamp."
    assert counts(await graph.memories.import_file(folder, split_above=0)) == (0, 0, 3, 0)
    rows = [{"id": "row", "text": "one", "session": "a"}]
    lines = write_lines(tmp_path / "n.jsonl", rows)
    await graph.memories.import_file(lines)
    write_lines(lines, [rows[0] | {"session": "b"}])
    report = await graph.memories.import_file(lines)
    assert (counts(report), report.changed) == ((0, 0, 0, 0), ["row"])
    level: dict[str, Any] = {
        "event_id": "t1",
        "ts": "2026-03-01T00:00:00Z",
        "symbol": "X",
        "price": "100",
    }
    level |= {"kind": "execution", "side": "ask", "quantity": 3000}
    await graph.memories.observe([level], source="desk")
    write_lines(lines, [{"id": "X@100", "text": "no level"}])
    assert len((await graph.memories.import_file(lines)).rejected) == 1


@pytest.mark.slow
async def test_an_import_tells_which_answers_changed(graph: Graph, tmp_path: Path) -> None:
    await graph.memories.remember("The key lies under the stair.", id="stair")
    await graph.recall.expect("Where is the key?", must=["stair"], k=1)
    rows = [{"id": "new", "text": "Where is the key? Here is the key."}]
    file = write_lines(tmp_path / "n.jsonl", rows)
    report = await graph.memories.import_file(file)
    assert [change.holds for change in report.answers_changed] == [False]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"path": "absent.jsonl"}, "path="),
        ({"path": "notes.pdf"}, "path="),
        ({"path": "."}, "path="),
        ({"format": "xml"}, "format='xml'"),
        ({"unknown": "drop"}, "unknown='drop'"),
        ({"split_above": -1}, "split_above=-1"),
        ({"source": ""}, "source=''"),
        ({"lasts": "ever"}, "lasts='ever'"),
        ({"tags": "sea"}, "tags="),
    ],
)
async def test_what_concerns_the_whole_import_is_refused(
    graph: Graph, tmp_path: Path, arguments: dict[str, Any], refusal: str
) -> None:
    write_lines(tmp_path / "notes.jsonl", [{"text": "a"}])
    (tmp_path / "notes.pdf").write_bytes(b"x")
    fields = {"path": "notes.jsonl"} | arguments
    with pytest.raises(InvalidInput) as error:
        await graph.memories.import_file(tmp_path / fields.pop("path"), **fields)
    assert str(error.value).startswith(refusal)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("plain", {}),
        ("---\n---\nx", {}),
        ("---\na: 1\nb: -2.5\nc: no\nd: ''\ne:\nf: ~\n# note\n---\n", {
            "a": 1, "b": -2.5, "c": "no", "d": "", "e": None, "f": None}),
        ("---\nurl: https://x.org/#a\nx: y # note\nlist: []\n---\n", {
            "url": "https://x.org/#a", "x": "y", "list": []}),
        ("---\nlist:\n- 1\n- 'two'\nnext: 007\n...\n", {"list": [1, "two"], "next": "007"}),
    ],
)  # fmt: skip
def test_simple_front_matter_is_read(text: str, fields: dict[str, Any]) -> None:
    assert split_front_matter(text)[0] == fields


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\na: 1\n", 1),
        ("---\na: 1\na: 2\n---\n", 3),
        ("---\na:\n  b: 1\n  - c\n---\n", 3),
        ("---\n- a\n---\n", 2),
        ("---\na: {b: 1}\n---\n", 2),
        ("---\na: [[1]]\n---\n", 2),
        ("---\na: >\n---\n", 2),
        ("---\nwords\n---\n", 2),
    ],
)
def test_other_front_matter_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(FrontMatterError, match="front matter takes") as error:
        split_front_matter(text)
    assert error.value.line == line


def test_an_id_is_never_too_long() -> None:
    [(_, fields)] = pieces("x", "f" * 1001, 10, "metadata")
    assert len(fields["id"]) == 16


@pytest.mark.slow
def test_the_command_imports_and_reports(
    graph: Graph, environment: dict[str, str], tmp_path: Path
) -> None:
    command_line = CommandLine(environment, ("--realm", graph.realm))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("One note.")
    (folder / "b.md").write_text("---\nx: {}\n---\n")
    dry = command_line.run("memory", "import", str(folder), "--dry-run")
    assert "NoRealm" in dry.stderr
    text = command_line.output("memory", "import", str(folder), "--tag", "notes")
    assert "created   1" in text
    assert "notes/b.md:2" in text
    document = command_line.document("memory", "import", str(folder), "--tag", "notes")
    assert (document["same"], document["created"]) == (1, 0)
    (folder / "a.md").unlink()
    assert "--forget-missing forgets it" in command_line.run("memory", "import", str(folder)).stdout
    refused = command_line.run("memory", "import", str(folder), "--forget-missing")
    assert refused.returncode == 1
    assert "forgotten" in refused.stdout
