"""Duplicates, possible updates and repeated texts, as a person types them."""

import json
from pathlib import Path

import pytest

from tests.test_cli_consolidation import output_of
from tests.test_cli_memory import WHEN, Run, item, realm, run, written

__all__ = ["realm", "run"]

OLD = "Dad takes levodopa at 8, 13 and 19."
NEW = "Dad takes levodopa at 7, 12 and 18."


@pytest.mark.slow
def test_an_update_is_listed_and_a_copy_archived(run: Run, realm: str) -> None:
    for id, text in (("old", OLD), ("new", NEW), ("copy", OLD.upper())):
        output_of(run("memory", "add", text, "--id", id, "--realm", realm))
    dry = output_of(run("consolidate", "--dry-run", "--realm", realm))
    for row in (["may update", "new", "old"], ["same as", "copy", "old"]):
        assert any(all(part in line for part in row) for line in dry.splitlines())
    completed = json.loads(output_of(run("consolidate", "--realm", realm, "--json")))
    assert [(pair["id"], pair["of"]) for pair in completed["updates"]] == [("new", "old")]
    assert [(pair["id"], pair["of"]) for pair in completed["duplicates"]] == [("copy", "old")]
    printed = json.loads(output_of(run("memory", "show", "old", "--realm", realm, "--json")))
    assert (printed["updated_by"], printed["interaction_count"]) == (["new"], 1)
    assert "updates" in output_of(run("memory", "show", "new", "--realm", realm))
    assert "duplicate_of" in output_of(run("memory", "show", "copy", "--realm", realm))
    rebuilt = json.loads(output_of(run("consolidate", "--rebuild", "--realm", realm, "--json")))
    assert rebuilt["restored"] == []


@pytest.mark.slow
def test_another_category_for_the_same_text_is_refused(run: Run, realm: str) -> None:
    output_of(run("memory", "add", OLD, "--id", "old", "--tag", "dad", "--realm", realm))
    other = ("memory", "add", OLD, "--id", "old", "--category", "plan", "--realm", realm)
    refused = run(*other)
    assert refused.returncode == 1
    text = " ".join(refused.stderr.split())
    assert "category='plan': id 'old' is remembered with category=None" in text
    again = output_of(run("memory", "add", OLD, "--id", "old", "--tag", "pills", "--realm", realm))
    assert "old" in again
    printed = json.loads(output_of(run("memory", "show", "old", "--realm", realm, "--json")))
    assert (printed["tags"], printed["category"]) == (["dad", "pills"], "")


@pytest.mark.slow
def test_a_level_is_not_reinforced(run: Run, realm: str, tmp_path: Path) -> None:
    path = str(written(tmp_path / "items.jsonl", [item(2, 2, "100", 3000.0)]))
    output_of(run("observe", path, "--realm", realm))
    [level] = json.loads(
        output_of(run("memory", "levels", "X", "--at", WHEN, "--realm", realm, "--json"))
    )
    refused = run("memory", "reinforce", level["id"], "--realm", realm)
    assert refused.returncode == 2
    assert "asterism observe" in " ".join(refused.stderr.split())
    history = json.loads(
        output_of(run("memory", "history", level["id"], "--realm", realm, "--json"))
    )
    assert len(history) == 1
