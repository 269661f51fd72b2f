"""Transcripts from files, links to files, and the commands for both."""

import csv
import io
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from asterism.causality import extract
from asterism.causality.link_files import FIELDS, to_csv, to_jsonl
from asterism.causality.transcripts.readers import Columns, Format, read
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.realm_names import realm_key
from tests.support.command_line import CommandLine
from tests.support.sessions import CHEST, HERE

SEED = HERE.parent / "seed" / "lighthouse_session.csv"
BELL = HERE / "transcripts" / "drowned_bell.csv"
SPOKEN = [(0, "Ann", "I open the door."), (1, "DM", "It opens,\nslowly.")]


def rows(path: Path, **options: Any) -> list[tuple[int, str, str]]:
    """A file's lines as plain tuples."""
    lines = read(path, **options)
    return [(line.line_index, line.author_name, line.content) for line in lines]


def put(path: Path, text: str, encoding: str = "utf-8") -> Path:
    """A file with this text."""
    path.write_bytes(text.encode(encoding))
    return path


def test_json_lines_are_read(tmp_path: Path) -> None:
    named = ("line_index", "author_name", "content")
    text = "\n".join(json.dumps(dict(zip(named, row, strict=True))) for row in SPOKEN)
    assert rows(put(tmp_path / "a.jsonl", text + "\n\n")) == SPOKEN


def test_json_is_read_as_a_list_or_with_lines(tmp_path: Path) -> None:
    rows_ = [{"speaker": author, "text": text} for _, author, text in SPOKEN]
    assert rows(put(tmp_path / "a.json", json.dumps(rows_))) == SPOKEN
    assert rows(put(tmp_path / "b.json", json.dumps({"lines": rows_}))) == SPOKEN


@pytest.mark.parametrize(("ending", "mark"), [("csv", ","), ("tsv", "\t")])
def test_tables_are_read(tmp_path: Path, ending: str, mark: str) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=mark).writerows(
        [("turn", "name", "message", "x"), *[(*row, "") for row in SPOKEN]]
    )
    assert rows(put(tmp_path / f"a.{ending}", "\ufeff" + written.getvalue())) == SPOKEN


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "nr,who,what\n4,Ann,Hello there.\n7,DM,Hello.\n")
    columns = Columns("nr", "who", "what")
    assert rows(path, columns=columns) == [(4, "Ann", "Hello there."), (7, "DM", "Hello.")]
    with pytest.raises(
        InvalidInput, match=r"a\.csv, line 2.*no column is the speaker; there are nr"
    ):
        read(path)
    with pytest.raises(InvalidInput, match="no column is 'where'"):
        read(path, columns=Columns(speaker="where"))


def test_plain_text_is_read(tmp_path: Path) -> None:
    text = "Ann: I open the door.\n\nDM: It opens,\n  slowly. You see: nothing.\nBob:\nWell.\n"
    assert rows(put(tmp_path / "a.txt", text)) == [
        (0, "Ann", "I open the door."),
        (1, "DM", "It opens, slowly. You see: nothing."),
        (2, "Bob", "Well."),
    ]


def test_another_encoding_is_read_when_it_is_said(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt", "Zoë: Öffne die Tür.\n", "cp1252")
    assert rows(path, encoding="cp1252") == [(0, "Zoë", "Öffne die Tür.")]
    with pytest.raises(InvalidInput, match=r"a\.txt, line 1.*it is not utf-8"):
        read(path)
    with pytest.raises(InvalidInput, match="there is no such encoding"):
        read(path, encoding="klingon")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.jsonl",
            '{"speaker": "A", "text": "x"}\nspeaker\n',
            r"a\.jsonl, line 2.*this is no JSON",
        ),
        ("a.jsonl", '{"speaker": "A", "text": "x"}\n[1]\n', "line 2.*a line is an object"),
        (
            "a.jsonl",
            '{"speaker": "A", "text": "x"}\n{"speaker": "B"}\n',
            "line 2.*there is no text",
        ),
        ("a.jsonl", '{"speaker": "A", "text": 5}\n', "line 1.*text=5 is no text"),
        ("a.jsonl", '{"index": "x", "speaker": "A", "text": ""}', "index='x' is no whole number"),
        ("a.jsonl", '{"index": true, "speaker": "A", "text": ""}', "index=True is no whole number"),
        ("a.json", '{"speaker": "A"}', "a JSON transcript is a list of lines"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", "speaker,text\nA,x\n", "line 1.*this is no JSON"),
        ("a.csv", "speaker,text\nA,x\nB\n", "line 3.*this row has not the 2 columns"),
        ("a.csv", "speaker,text\nA,x\nB,y,z\n", "line 3.*this row has not the 2 columns"),
        ("a.csv", 'speaker,text\nA,"x\n', "this is no CSV"),
        ("a.csv", '[{"speaker": "A"}]\n[]\n', "no column is the speaker"),
        ("a.txt", "Once upon a time\n", "line 1.*a plain transcript starts with"),
        ("a.txt", "A: x\nB: \x00\n", "line 2.*this is no text file"),
        ("a.docx", "A: x\n", "its ending tells nothing"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        read(put(tmp_path / name, text))


def test_a_file_must_be_there_and_of_a_known_format(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="No such file"):
        read(tmp_path / "nothing.csv")
    with pytest.raises(InvalidInput, match="one of jsonl, json, csv, tsv, text"):
        read(SEED, format="xml")
    assert len(read(SEED, format=Format.CSV)) == 121


def test_links_are_exported_with_their_fourteen_fields_and_their_events() -> None:
    lines = [*CHEST.lines, {"line_index": 9, "author_name": "Ann", "content": 'I run, "fast".'}]
    links = extract(CHEST.model_validate(CHEST.model_dump() | {"lines": lines})).links
    table = list(csv.DictReader(io.StringIO(to_csv(links))))
    assert tuple(table[0]) == FIELDS
    assert FIELDS[14:16] == ("intent_event_id", "consequence_event_id")
    assert [row["claimed"] for row in table] == ["1", "1", "1", "0"]
    assert (table[3]["score"], table[3]["consequence_type"]) == ("", "none")
    assert table[3]["intent_text"] == 'I run, "fast".'
    again = [json.loads(line) for line in to_jsonl(links).splitlines()]
    assert again == [link.model_dump(mode="json") for link in links]


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
async def command(environment: dict[str, str], graph: Graph) -> Command:
    """The command line, in the test's realm, which is there and empty."""
    await graph.database.rows("realms/open", realm_key=realm_key(graph.realm))

    return CommandLine(environment | {"ASTERISM_REALM": graph.realm}).run


@pytest.mark.slow
def test_a_session_from_file_to_trace(command: Command, tmp_path: Path) -> None:
    first = command("transcript", str(SEED), "--session", "stair", "--literal", "--no-embed")
    assert first.returncode == 0, first.stderr
    assert "121, 38 of them the DM's" in first.stdout
    assert "strong claimed" in first.stdout
    again = json.loads(
        command(
            "transcript", str(SEED), "--session", "stair", "--literal", "--no-embed", "--json"
        ).stdout
    )
    assert (again["written"], again["metrics"]["intents"]) == (False, 52)

    links = json.loads(command("causal", "links", "stair", "--json").stdout)
    assert len(links) == 52
    close = command("causal", "links", "stair", "--max-line-gap", "2", "--jsonl").stdout
    assert 0 < len(close.splitlines()) < 52
    assert command("causal", "links", "stair", "--csv").stdout.startswith("id,session_id,actor")
    followed = command("causal", "chain", links[0]["id"]).stdout
    assert followed.startswith("ada, line 2: Do we still have the key from the chapel?")
    led = command("causal", "why", links[0]["consequence_id"]).stdout
    assert "causes line 7: On the sea side you find a ladder" in led
    assert "(score 0.84)" in led
    assert command("causal", "why", "stair:line:7").stdout == led
    chain = json.loads(command("causal", "chain", links[0]["id"], "--json").stdout)
    assert chain[0]["steps"][0]["anchor_index"] == 2
    assert json.loads(command("causal", "metrics", "stair", "--json").stdout) == again["metrics"]
    assert "coverage" in command("causal", "metrics").stdout
    trace = command("causal", "trace", "stair").stdout
    assert "Contested consequences" in trace
    assert "Unclaimed strong intents" in trace
    assert len(json.loads(command("causal", "trace", "stair", "--json").stdout)["lines"]) == 121

    events = put(tmp_path / "events.json", '[{"event_id": "cellar", "start": 45, "end": 90}]')
    assert json.loads(command("causal", "events", "stair", str(events), "--json").stdout)[
        "assigned"
    ]
    assert command("causal", "links", "stair", "--event", "cellar").stdout.count("\n") > 10
    assert "stair" in command("causal", "sessions").stdout
    deleted = json.loads(command("causal", "forget", "stair", "--yes", "--json").stdout)
    assert deleted["intents"] == 52
    assert json.loads(command("causal", "sessions", "--json").stdout) == []


@pytest.mark.slow
def test_a_dry_run_writes_nothing(command: Command) -> None:
    words = ("transcript", str(BELL), "--dm", "Petra", "--dry-run", "--literal")
    all_of_it = json.loads(command(*words, "--json").stdout)
    assert all_of_it["eligible_share"] == 1.0
    guessed = json.loads(
        command(*words, "--guess-masks", "--mask", "215-228:ooc_hard", "--json").stdout
    )
    assert guessed["eligible_share"] < 0.9
    players = ("--player", "Mara=Sable,Shadow", "--player", "Theo")
    two = json.loads(command(*words, *players, "--max-line-gap", "4", "--json").stdout)
    assert two["metrics"]["intents"] < all_of_it["metrics"]["intents"]
    assert max(int(gap) for gap in two["metrics"]["line_gaps"]) <= 4
    assert "Nothing was written." in command(*words).stdout
    assert json.loads(command("causal", "sessions", "--json").stdout) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((str(BELL),), "no speaker is named DM; say which of Petra"),
        ((str(BELL), "--dm", "Pet"), "speaks no line; is the DM one of Petra"),
        ((str(BELL), "--dm", "Petra", "--mask", "all"), "FIRST-LAST:REASON"),
        ((str(BELL), "--dm", "Petra", "--mask", "0-9999:combat"), "outside the transcript"),
        ((str(BELL), "--dm", "Petra", "--mask", "0-9:tea"), "ooc_hard"),
        ((str(BELL), "--dm", "Petra", "--events", str(BELL)), "this is no JSON file"),
        ((str(BELL), "--dm", "Petra", "--encoding", "utf-16"), "it is not utf-16"),
        ((str(BELL), "--dm", "Petra", "--text-column", "words"), "no column is 'words'"),
    ],
)
def test_the_command_refuses_clearly(
    command: Command, words: tuple[str, ...], message: str
) -> None:
    refused = command("transcript", *words)
    assert refused.returncode == 2
    assert message in refused.stderr
    assert json.loads(command("causal", "sessions", "--json").stdout) == []


def test_line_numbers_that_go_back_are_named(command: Command, tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "index,speaker,text\n5,DM,Hello.\n5,Ann,Hello.\n")
    refused = command("transcript", str(path), "--json")
    assert refused.returncode == 2
    assert "line_index=5" in json.loads(refused.stderr)["message"]
    assert os.linesep not in refused.stdout
