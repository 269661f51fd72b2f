"""`asterism export` and `asterism import`, as a person types them."""

import json
from pathlib import Path

import pytest

from tests.test_cli_consolidation import output_of
from tests.test_cli_memory import Run, realm, run

__all__ = ["realm", "run"]


@pytest.mark.slow
def test_a_realm_goes_to_a_file_and_comes_back_under_another_name(
    run: Run, realm: str, tmp_path: Path
) -> None:
    file, again = str(tmp_path / "a.jsonl.gz"), str(tmp_path / "b.jsonl.gz")
    output_of(run("memory", "add", "Lyra keeps the lighthouse key.", "--realm", realm))
    message = output_of(run("export", file, "--realm", realm))
    assert message.startswith("Exported ")
    assert f"of {realm} to " in message
    copy = f"{realm}-copy"
    imported = json.loads(output_of(run("import", file, "--realm", copy, "--json")))
    assert (imported["realm"], imported["origin"]) == (copy, realm)
    exported = json.loads(output_of(run("export", again, "--realm", copy, "--json")))
    assert exported["sha256"] == imported["sha256"]
    assert Path(again).read_bytes() == Path(file).read_bytes()
    refused = run("import", file, "--realm", copy)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "is not empty: import into another one with `--realm`" in refused.stderr
    damaged = run("import", str(tmp_path), "--realm", f"{realm}-x", "--json")
    assert damaged.returncode == 2
    assert json.loads(damaged.stderr.strip().splitlines()[-1])["error"] == "InvalidInput"
    output_of(run("realm", "delete", copy, "--yes"))


@pytest.mark.slow
def test_a_file_that_is_there_is_replaced_only_by_force(
    run: Run, realm: str, tmp_path: Path
) -> None:
    file = tmp_path / "town.jsonl"
    file.write_text("dear")
    output_of(run("memory", "add", "Lyra keeps the lighthouse key.", "--realm", realm))
    nowhere = {"NEO4J_URI": "bolt://127.0.0.1:1"}
    refused = run("export", str(file), "--realm", realm, **nowhere)
    assert refused.returncode == 2
    assert "InvalidInput: file='" in refused.stderr
    assert "it exists: give another name, or pass --force" in refused.stderr
    assert file.read_text() == "dear"
    exported = json.loads(
        output_of(run("export", str(file), "--force", "--realm", realm, "--json"))
    )
    assert exported["file"] == str(file)
    assert file.read_text().startswith("{")
