"""Jobs as files for those who schedule them themselves: cypher-shell scripts, cron, systemd."""

import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import statements
from engine.maintenance.model import Job
from engine.maintenance.verify import LOOKS, arguments
from engine.private_files import write_text
from engine.settings import Settings

NOW = "datetime()"
WALL = "datetime().epochMillis * 1000"
COMPUTED = (Job.CLOSE_DAY, Job.CONSOLIDATE, Job.PRUNE)  # what takes more than Cypher, or some of it


@dataclass(frozen=True)
class Script:
    """A statement that does a job, or a part of it, with no more than the server."""

    file: str
    job: Job
    statement: str
    given: Mapping[str, str] = field(default_factory=dict)  # parameters as expressions


def scripts(realm: str, settings: Settings) -> list[Script]:
    """What can be done by Cypher alone."""
    active = (
        f"coalesce(head(COLLECT {{ MATCH (realm:Realm {{realm: {statements.literal(realm)}}}) "
        "RETURN realm.active_micros }), 0)"
    )
    found = [
        Script(f"{job}-{clock}.cypher", job, "memories/archive_due", given)
        for job, clock, given in (
            (Job.ARCHIVE, "wall", {"clock": "'wall'", "moment": WALL}),
            (Job.ARCHIVE, "active", {"clock": "'active'", "moment": active}),
        )
    ]
    hours = {"hours": f"{active} / 3.6e9"}
    found += [
        Script(f"{Job.PRUNE}-edges.cypher", Job.PRUNE, "consolidation/prune", hours),
        Script(f"{Job.PRUNE}-history.cypher", Job.PRUNE, "maintenance/prune_history"),
    ]
    found += [
        Script(
            f"{Job.VERIFY}-{part}.cypher", Job.VERIFY, name, _literals(arguments(name, settings))
        )
        for part, name in LOOKS.items()
    ]
    return [*found, Script(f"{Job.STATS}.cypher", Job.STATS, "realms/stats")]


def text(script: Script, realm: str, settings: Settings) -> str:
    """The script: its parameters on top, then the statement as it is, header and all."""
    statement = statements.load(script.statement)
    ambient = {"realm": statements.literal(realm), "now": NOW}
    if statement.settings:
        section = settings.section(statement.section)
        used = {name: section[name] for name in sorted(statement.settings)}
        ambient["settings"] = statements.literal(used)
    offered = ambient | dict(script.given)
    lines = [f":param {name} => {offered[name]};" for name in sorted(statement.parameters)]
    return "\n".join([*lines, "", statement.text.rstrip() + ";", ""])


def write(folder: Path, realm: str, settings: Settings) -> list[Path]:
    """Write scripts, a crontab and systemd units; what was exported before is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    found = scripts(realm, settings)
    files = {script.file: text(script, realm, settings) for script in found}
    files["crontab"] = _crontab(folder.resolve(), realm, found)
    files["asterism-maintain.service"] = _service(realm)
    files["asterism-maintain.timer"] = _timer()
    for name, content in files.items():
        write_text(folder / name, content)
    return [folder / name for name in files]


def _literals(given: Mapping[str, Any]) -> dict[str, str]:
    return {name: statements.literal(value) for name, value in given.items()}


def _command() -> list[str]:
    """This very installation: cron and systemd have no environment to find it in."""
    beside = Path(sys.executable).with_name("asterism")
    return [str(beside)] if beside.exists() else [sys.executable, "-m", "engine"]


def _crontab(folder: Path, realm: str, found: list[Script]) -> str:
    asterism = shlex.join([*_command(), "maintain", "--realm", realm])
    paths = [
        shlex.quote(str(folder / script.file)) for script in found if script.job not in COMPUTED
    ]
    shell = [f"cypher-shell -f {path}" for path in paths]
    lines = [
        *(f"{name}={value}" for name, value in _whereabouts().items()),
        "# With Asterism on this machine, every job, every hour:",
        f"17 * * * * {_cron(asterism)}",
        "",
        "# Or, instead, by cypher-shell what Cypher alone can do (it reads NEO4J_URI,",
        "# NEO4J_USERNAME and NEO4J_PASSWORD), and by Asterism what is computed elsewhere:",
        *(f"# 27 * * * * {_cron(shlex.join(_only(job, realm)))}" for job in COMPUTED),
        *(f"# 37 * * * * {_cron(line)}" for line in shell),
    ]
    return "\n".join(lines) + "\n"


def _whereabouts() -> dict[str, str]:
    """Which graph is meant, and with which settings, where the environment says so; cron and
    systemd have none."""
    named = {"NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_DATABASE"}
    own = {name for name in os.environ if name.startswith("ASTERISM_")} - {"ASTERISM_REALM"}
    return {name: os.environ[name] for name in sorted(named | own) if os.environ.get(name)}


def _only(job: Job, realm: str) -> list[str]:
    return [*_command(), "maintain", job.value, "--realm", realm]


def _cron(command: str) -> str:
    """To cron a percent sign is the end of a line."""
    return command.replace("%", "\\%")


def _service(realm: str) -> str:
    words = [*_command(), "maintain", "--realm", realm]
    command = " ".join(_quoted(word).replace("$", "$$") for word in words)
    lines = [f"Environment={_quoted(f'{name}={value}')}" for name, value in _whereabouts().items()]
    environment = "\n".join(["# NEO4J_PASSWORD belongs in a file that only you can read", *lines])
    return f"""[Unit]
Description=Asterism: close days, archive, consolidate, prune, verify, count
After=network-online.target
Wants=network-online.target

[Service]
Type=oneshot
# without NEO4J_URI it is the local server of the user, which keeps running after a job
KillMode=process
{environment}
EnvironmentFile=-%h/.config/asterism.env
ExecStart={command}
"""


def _timer() -> str:
    return """[Unit]
Description=Asterism's maintenance, every hour

[Timer]
OnCalendar=hourly
RandomizedDelaySec=5min
Persistent=true

[Install]
WantedBy=timers.target
"""


def _quoted(word: str) -> str:
    """A word as systemd reads it: quoted, its percent signs doubled."""
    safe = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{safe}"'
