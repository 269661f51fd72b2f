"""Files of `asterism jobs export`, run as they are on a server."""

import re
import uuid
from pathlib import Path
from typing import Any

import pytest

from asterism import statements
from asterism.clock import FixedClock
from asterism.graph import Graph
from asterism.maintenance import Job, job_files
from asterism.settings import Settings
from tests.conftest import OpenGraph
from tests.support.maintenance_world import Words, begin, live

PARAMETER = re.compile(r"^:param (\w+) => (.+);$")


async def run(graph: Graph, text: str) -> list[dict[str, Any]]:
    """A script as cypher-shell runs it: parameters worked out by the server, then the statement."""
    lines = text.splitlines()
    top = [match for match in map(PARAMETER.match, lines) if match]
    rest = "\n".join(lines[len(top) :]).strip()
    assert all(PARAMETER.match(line) for line in lines[: len(top)])
    assert rest.endswith(";")
    async with graph.database.driver.session() as session:
        values = {}
        for match in top:
            answer = await session.run(f"RETURN {match[2]} AS value")
            [values[match[1]]] = [record["value"] async for record in answer]
        return await (await session.run(rest.rstrip(";"), values)).data()


def written(folder: Path, realm: str, settings: Settings) -> dict[str, str]:
    """The scripts of a realm, as they stand in their files."""
    job_files.write(folder, realm, settings)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.cypher")}
    assert set(texts) == {Path(one.file).stem for one in job_files.scripts(realm, settings)}
    return texts


@pytest.mark.slow
async def test_every_script_runs_twice_and_the_second_time_changes_nothing(
    open_graph: OpenGraph, clock: FixedClock, tmp_path: Path
) -> None:
    realm = f'o\'Brien \\ "{uuid.uuid4().hex}" %$'
    graph = await open_graph(realm=realm, embedder=Words())
    await begin(graph)
    for day in range(2):
        await live(graph, day)
        clock.advance(days=1)
        for job in ("stars-close-day", "consolidate"):
            await graph.maintenance.run(job)
    before = await graph.realms.stats()
    active = {"hours": 24 * 365 * 3_600_000_000, "realm": realm}
    await graph.database.driver.execute_query(
        "MATCH (r:Realm {realm: $realm}) SET r.active_micros = $hours, "
        "r.active_intervals = [0, $hours]",
        active,
    )
    scripts = written(tmp_path, realm, graph.settings)
    first = {name: await run(graph, text) for name, text in scripts.items()}
    second = {name: await run(graph, text) for name, text in scripts.items()}
    assert all(rows == [] for name, rows in first.items() if name.startswith("verify-"))
    archived = [first[f"memories-archive-{clock}"][0]["archived"] for clock in ("wall", "active")]
    assert archived[0] >= 4
    assert archived[1] >= 4
    assert len(first["prune-edges"]) == before.relationships["SIMILAR"]
    assert len(first["prune-history"]) == 4
    again = [second[f"memories-archive-{clock}"][0]["archived"] for clock in ("wall", "active")]
    assert (again, second["prune-edges"], second["prune-history"]) == ([0, 0], [], [])
    counted = {row["name"]: row["count"] for row in second["stats"]}
    now = await graph.realms.stats()
    assert counted == now.nodes | now.relationships
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []


def test_cron_and_systemd_run_this_very_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://there:7687")
    monkeypatch.setenv("NEO4J_PASSWORD", "never written down")
    monkeypatch.setenv("ASTERISM_STARS_GAIN_MODE", "single")
    monkeypatch.setenv("ASTERISM_REALM", "another")
    job_files.write(tmp_path, "ada's 5%", Settings())
    crontab = (tmp_path / "crontab").read_text()
    values: list[str] = []
    lines: list[str] = []
    for line in crontab.splitlines():
        if line and not line.startswith("#"):
            (values if re.match(r"\w+=", line) else lines).append(line)
    assert {"NEO4J_URI=bolt://there:7687", "ASTERISM_STARS_GAIN_MODE=single"} <= set(values)
    assert not any("PASSWORD" in line for line in values)
    assert len(lines) == 1  # the other way to do it is there, commented out
    assert re.match(r"\d+ \* \* \* \* \S", lines[0])
    assert re.search(r"asterism maintain --realm 'ada'\"'\"'s 5\\%'$", lines[0])
    for job in (Job.CLOSE_DAY, Job.CONSOLIDATE, Job.PRUNE):
        assert f"maintain {job} --realm" in crontab
    named = re.findall(r"cypher-shell -f (\S+)", crontab)
    assert named
    assert all(Path(path).exists() for path in named)
    service = (tmp_path / "asterism-maintain.service").read_text()
    assert re.search(r'^ExecStart="/.*" "maintain" "--realm" "ada\'s 5%%"$', service, re.MULTILINE)
    assert 'Environment="NEO4J_URI=bolt://there:7687"' in service
    assert 'Environment="ASTERISM_STARS_GAIN_MODE=single"' in service
    assert "EnvironmentFile=-%h/.config/asterism.env" in service
    assert "never written down" not in service + crontab
    assert "another" not in service + crontab
    assert "OnCalendar=hourly" in (tmp_path / "asterism-maintain.timer").read_text()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "null"),
        (True, "true"),
        (3, "3"),
        (0.25, "0.25"),
        ("it's \\", "'it\\'s \\\\'"),
        ([1, "a"], "[1, 'a']"),
        ({"a": {"b": None}}, "{`a`: {`b`: null}}"),
    ],
)
def test_values_are_written_as_cypher_reads_them(value: Any, written: str) -> None:
    assert statements.literal(value) == written


def test_a_value_without_a_cypher_literal_is_refused() -> None:
    with pytest.raises(ValueError, match="no literal for inf"):
        statements.literal(float("inf"))
