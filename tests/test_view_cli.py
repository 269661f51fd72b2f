"""`asterism view` and `asterism inspect` as a person types them."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.support.command_line import CommandLine


@pytest.fixture
def asterism(environment: dict[str, str], demo_realm: str) -> Any:
    return CommandLine(environment, ("--realm", demo_realm)).run


@pytest.mark.slow
def test_view_prints_draws_and_charts(asterism: Any, tmp_path: Path) -> None:
    completed = asterism("view", "star", "lamp")
    assert completed.returncode == 0, completed.stderr
    assert "Remember those the sea kept" in completed.stdout
    assert "GROWTH_EDGE" in completed.stdout
    assert "--html FILE" in completed.stdout
    page = tmp_path / "lamp.html"
    assert "Wrote" in asterism("view", "star", "lamp", "--html", str(page)).stdout
    assert "Asterism: star lamp" in page.read_text()
    again = asterism("view", "--limit", "12", "--html", str(page), "--json")
    assert len(json.loads(again.stdout)["nodes"]) == 12
    assert "Asterism: realm" in page.read_text()
    replaced = asterism("view", "star", "lamp", "--html", str(page))
    assert "Replaced" in replaced.stdout
    chart = tmp_path / "lamp.svg"
    drawn = asterism("view", "star", "lamp", "--chart", str(chart), "-n", "2")
    assert "2 lines" in drawn.stdout
    assert chart.read_text().startswith("<?xml")


def test_view_refuses_before_it_asks(asterism: Any, tmp_path: Path) -> None:
    page = str(tmp_path / "page.html")
    for words, message in (
        (("comet", "x"), "kind='comet'"),
        (("star", "lamp", "--html", str(tmp_path / "no" / "page.html")), "can't be written"),
        (("star", "lamp", "--chart", str(tmp_path / "x.gif")), "ends with .svg or .png"),
        (("star", "lamp", "--chart", str(tmp_path / "x.svg"), "--html", page), "one at a time"),
    ):
        completed = asterism("view", *words)
        assert completed.returncode == 2, completed.stderr
        assert message in " ".join(completed.stderr.split()), completed.stderr
    unknown = asterism("view", "star", "nobody", "--html", page)
    assert unknown.returncode == 1
    assert "NotFound: no star 'nobody'" in unknown.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_inspect_lists_prints_and_saves(asterism: Any, tmp_path: Path) -> None:
    names = [each["name"] for each in json.loads(asterism("inspect", "--json").stdout)]
    assert "star_connections" in names
    printed = asterism("inspect", "star_connections", "--set", "star_id=lamp")
    assert "id: 'lamp'" in printed.stdout
    assert "$" not in printed.stdout
    saved = tmp_path / "queries.zip"
    assert asterism("inspect", "--zip", str(saved)).returncode == 0
    with ZipFile(saved) as archive:
        assert len(archive.namelist()) == len(names) + 1
    sheet = tmp_path / "mine.grass"
    assert "Wrote" in asterism("inspect", "--style", str(sheet)).stdout
    assert sheet.read_bytes() == Path("docs/browser/asterism.grass").read_bytes()
    again = asterism("inspect", "--style", str(sheet), "--json")
    assert json.loads(again.stdout) == {"file": str(sheet)}
    nowhere = asterism("inspect", "--style", str(tmp_path / "no" / "x.grass"))
    assert nowhere.returncode == 2
    assert "style=" in nowhere.stderr
    assert asterism("inspect", "--style", str(sheet), "--zip", str(saved)).returncode == 2
    refused = asterism("inspect", "star_connections", "--set", "lamp")
    assert refused.returncode == 2
    assert "NAME=VALUE" in refused.stderr
