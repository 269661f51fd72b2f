"""`asterism consolidate` and the edges it makes, as a person types them."""

import json
import subprocess

import pytest

from tests.test_cli_memory import Run, realm, run

__all__ = ["realm", "run"]

KEY = "Lyra keeps the lighthouse key."
KITCHEN = "The lighthouse key hangs in Lyra's kitchen."


def output_of(completed: subprocess.CompletedProcess[str]) -> str:
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


@pytest.mark.slow
def test_from_texts_to_edges_and_their_reasons(run: Run, realm: str) -> None:
    ids = []
    for text, tag in ((KEY, "lyra"), (KITCHEN, "lyra"), ("Bread needs flour.", "baking")):
        added = run("memory", "add", text, "--tag", tag, "--realm", realm, "--json")
        ids.append(json.loads(output_of(added))["id"])
    dry = output_of(run("consolidate", "--dry-run", "--realm", realm))
    assert "A dry run: nothing is written" in dry
    assert "3 -> as before" in dry
    first = output_of(run("consolidate", "--limit", "1", "--realm", realm))
    assert "3 -> 2" in first
    report = json.loads(output_of(run("consolidate", "--realm", realm, "--json")))
    assert (report["promoted"], report["edges_created"], report["waiting_after"]) == (
        2,
        1,
        0,
    )
    assert report["calibration_mean"] > 0.4
    [edge] = json.loads(output_of(run("memory", "edges", ids[0], "--realm", realm, "--json")))
    assert (edge["other"], edge["type"]) == (ids[1], "SIMILAR")
    why = output_of(run("memory", "explain", ids[0], ids[1], "--realm", realm))
    assert "joined with weight" in why
    assert "made of" in why
    other = json.loads(
        output_of(run("memory", "explain", ids[0], ids[2], "--realm", realm, "--json"))
    )
    assert other["verdict"] == "guard"
    text = output_of(run("memory", "connect", ids[0], ids[2], "elaborates", "--realm", realm))
    assert "ELABORATES" in text
    lines = output_of(run("memory", "edges", ids[0], "--realm", realm)).splitlines()
    assert lines[0].endswith(f"{ids[2]}  elaborates")
    assert any(line.endswith(f"{ids[1]}  similar") for line in lines)
    assert max(map(len, lines)) <= 80
    rebuilt = json.loads(output_of(run("consolidate", "--rebuild", "--realm", realm, "--json")))
    assert rebuilt["edges_created"] + rebuilt["existing"] == 1


@pytest.mark.slow
def test_what_is_wrong_is_said(run: Run, realm: str) -> None:
    both = run("consolidate", "--rebuild", "--limit", "1", "--realm", realm)
    assert both.returncode == 2
    assert "--rebuild takes neither" in both.stderr
    nobody = run("memory", "edges", "nobody", "--realm", realm)
    assert nobody.returncode == 1
    assert "no memory 'nobody'" in nobody.stderr
    type = run("memory", "connect", "a", "b", "likes", "--realm", realm)
    assert type.returncode == 2
    assert "give one of SUPPORTS" in type.stderr


@pytest.mark.slow
def test_a_proposal_is_listed_with_its_whole_id_and_both_texts(run: Run, realm: str) -> None:
    assert "no such proposal" in output_of(run("memory", "proposals", "--realm", realm))
    texts = ("I take 5 mg of amlodipine.", "I take 10 mg of amlodipine now.")
    for text, id in zip(texts, ("the-old-dose-of-amlodipine", "the-new-dose"), strict=True):
        added = run("memory", "add", text, "--speaker", "Ann", "--id", id, "--realm", realm)
        output_of(added)
        output_of(run("consolidate", "--realm", realm))
    proposals = run("memory", "proposals", "--realm", realm, COLUMNS="60")
    id, change, new, old = output_of(proposals).splitlines()
    assert "number: 5 -> 10" in change
    assert (new.strip(), old.strip()) == (f"new: {texts[1]}", f"old: {texts[0]}")
    accepted = output_of(run("memory", "accept", id, "--realm", realm))
    assert "the-new-dose supersedes the-old-dose-of-amlodipine." in accepted


def test_its_help_says_that_shared_tags_join_at_lower_kin(run: Run) -> None:
    text = " ".join(output_of(run("consolidate", "--help")).split())
    assert "share tags are joined at a lower kin" in text.replace("│ ", "").replace(" │", "")
    assert "0.30" in text
