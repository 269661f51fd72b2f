"""Output to a terminal: help as it was written, and no control characters."""

import json
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from asterism.cli import app, output
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
HOSTILE = "Lamp\x1b[2J\x1b]0;owned\x07 \x9b31mred \x1b]52;c;AAAA\x07 end"


def _commands(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, *path, name)


COMMANDS = dict(_commands(typer.main.get_command(app)))


@pytest.mark.parametrize("path", sorted(COMMANDS), ids=" ".join)
def test_help_keeps_its_brackets(path: tuple[str, ...]) -> None:
    command = COMMANDS[path]
    texts = [command.help or "", *(getattr(option, "help", "") or "" for option in command.params)]
    runner = CliRunner()
    printed = runner.invoke(app, [*path, "--help"]).output
    for bracket in re.findall(r"\[[a-z-]+\]", " ".join(texts)):
        assert bracket in printed


@pytest.mark.slow
async def test_stored_texts_can_not_steer_a_terminal(
    open_graph: OpenGraph, command_line: CommandLine
) -> None:
    graph: Graph = await open_graph()
    await graph.memories.remember(HOSTILE, id="hostile", speaker="\x1b[1mAda")
    await graph.consolidation.consolidate()
    for words in (
        ("recall", "lamp"),
        ("recall", "lamp", "--context"),
        ("recall", "lamp", "--json"),
        ("memory", "show", "hostile"),
        ("memory", "show", "hostile", "--json"),
        ("view", "memory", "hostile"),
    ):
        printed = command_line.output(*words, "--realm", graph.realm)
        assert "Lamp" in printed
        assert CONTROL.search(printed) is None


def test_json_keeps_control_characters_as_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json({"text": HOSTILE})
    printed = capsys.readouterr().out
    assert CONTROL.search(printed) is None
    assert json.loads(printed)["text"] == HOSTILE


def test_refusals_can_not_steer_a_terminal() -> None:
    words = ["recall", "lamp", "--since", "\x1b[2J"]
    completed = CommandLine(os.environ).run(*words)
    assert completed.returncode == 2
    assert CONTROL.search(completed.stderr) is None


@pytest.mark.slow
async def test_the_reason_of_a_hit_is_in_json(
    open_graph: OpenGraph, command_line: CommandLine
) -> None:
    graph: Graph = await open_graph()
    await graph.memories.remember("Lyra keeps the key.")
    answer: dict[str, Any] = json.loads(
        command_line.output("recall", "key", "--json", "--realm", graph.realm)
    )
    hits = (await graph.recall.find("key")).hits
    assert answer["hits"][0]["why"] == hits[0].why != ""
    assert json.loads(hits[0].model_dump_json())["why"] == hits[0].why


def test_a_narrow_table_shows_every_letter_of_an_id(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    output.print_table(["id", "text"], [["meridian-children-0123456789", "Eleven children " * 4]])
    first_column = "".join(line[:20] for line in capsys.readouterr().out.splitlines()[1:])
    assert "meridian-children-0123456789" in first_column.replace(" ", "")


def test_numbers_are_printed_with_four_decimals(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_fields("Edge", {"cosine": 0.33817417191072824, "hours": 69315.0, "texts": 3})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert printed == [["Edge"], ["cosine", "0.3382"], ["hours", "69315.0"], ["texts", "3"]]
