"""`asterism observe` with files that are mostly wrong: never a traceback, never a quiet success."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.captures import Recording, milliseconds
from tests.test_cli_memory import item, realm, run, written

__all__ = ["realm", "run"]
Run = Callable[..., CompletedProcess[str]]


@pytest.mark.slow
def test_a_poison_line_is_refused_and_its_neighbours_are_taken(
    run: Run, realm: str, tmp_path: Path
) -> None:
    bad = item(1, 0, "100").replace('"X"', '"\\ud800"')
    path = str(written(tmp_path / "s.jsonl", [item(0, 0, "100"), bad, item(2, 0, "100")]))
    result = run("observe", path, "--realm", realm)
    assert result.returncode == 0, result.stderr
    assert "half a character" in result.stdout
    again = json.loads(run("observe", path, "--realm", realm, "--json").stdout)
    assert (again["duplicate"], again["rejected"]) == (2, 1)
    path = str(written(tmp_path / "only.jsonl", [bad]))
    result = run("observe", path, "--realm", realm)
    assert result.returncode == 1
    assert "No item was taken" in result.stdout
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_most_lines_refused_is_no_success(run: Run, realm: str, tmp_path: Path) -> None:
    rows = [f"{milliseconds(-60 * n)},100,1,buy" for n in range(9)]
    path = str(written(tmp_path / "t.csv", ["time,price,quantity,side", *rows]))
    result = run("observe", path, "--symbol", "X", "--realm", realm)
    assert result.returncode == 1
    assert "Most lines were refused, 8 of 10" in result.stdout


@pytest.mark.slow
def test_the_command_names_an_id_with_other_content(run: Run, realm: str, tmp_path: Path) -> None:
    first = str(written(tmp_path / "a.jsonl", [item(1, 0, "100")]))
    other = str(written(tmp_path / "b.jsonl", [item(1, 0, "100", 7.0)]))
    assert run("observe", first, "--source", "desk", "--realm", realm).returncode == 0
    result = run("observe", other, "--source", "desk", "--realm", realm)
    assert result.returncode == 1
    assert "1 ids are known with other content" in result.stdout
    assert run("observe", other, "--source", "venue", "--realm", realm).returncode == 0


@pytest.mark.slow
async def test_an_order_books_minimum_is_an_option(
    run: Run, open_graph: OpenGraph, tmp_path: Path
) -> None:
    graph: Graph = await open_graph()
    recording = Recording("X")
    recording.depth(0, bids=[["100", "20"], ["50", "1"]])
    recording.tick(30)
    path = str(recording.write(tmp_path / "x.gz"))
    result = run("observe", path, "--minimum-usd", "1000", "--realm", graph.realm, "--json")
    assert json.loads(result.stdout)["accepted"] == 1
    result = run("observe", path, "--realm", graph.realm, "--json")
    assert (json.loads(result.stdout)["accepted"], json.loads(result.stdout)["duplicate"]) == (1, 1)
    result = run("observe", path, "--minimum-usd", "nan", "--realm", graph.realm)
    assert result.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize("price", ["1e30", "1e400"])
def test_a_price_beyond_every_market_is_refused(run: Run, realm: str, price: str) -> None:
    result = run("memory", "near", "X", price, "--realm", realm)
    assert result.returncode == 2
    assert "near=" in result.stderr


@pytest.mark.slow
def test_a_pending_level_says_nothing_of_texts(run: Run, realm: str, tmp_path: Path) -> None:
    path = str(written(tmp_path / "a.jsonl", [item(1, 0, "100")]))
    run("observe", path, "--realm", realm)
    output = run("memory", "show", "X@100", "--realm", realm).stdout
    assert "pending" in output
    assert "waiting" not in output
