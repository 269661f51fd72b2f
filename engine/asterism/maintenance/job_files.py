"""Jobs as files for other schedulers: scripts of cypher-shell, a crontab, units of systemd."""

import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from asterism import statements
from asterism.consolidation.edge_score import profile_hash
from asterism.maintenance.models import Job
from asterism.maintenance.verify import STATEMENTS, arguments
from asterism.private_files import write_text
from asterism.settings import Settings

TEMPLATES = Path(__file__).parent / "templates"
NOW = "datetime()"
WALL = "datetime().epochMillis * 1000"
CONSOLIDATE = "consolidation/consolidate"
COMPUTED = (Job.CLOSE_DAY, Job.CONSOLIDATE, Job.PRUNE)  # these need more than Cypher


@dataclass(frozen=True)
class Script:
    """A statement that does a job, or a part of it, with no more than the server."""

    file: str
    job: Job
    statement: str
    parameters: Mapping[str, str] = field(default_factory=dict)  # as Cypher expressions


def scripts(realm: str, settings: Settings) -> list[Script]:
    """Return the scripts of all that Cypher alone can do."""
    active = (
        f"coalesce(head(COLLECT {{ MATCH (realm:Realm {{realm: {statements.literal(realm)}}}) "
        "RETURN realm.active_micros }), 0)"
    )
    on_wall_clock = {"clock": "'wall'", "moment": WALL}
    on_active_clock = {"clock": "'active'", "moment": active}
    hours = {"hours": f"{active} / 3.6e9"}
    archive_due, history = "memories/archive_due", "maintenance/prune_history"
    profile = statements.literal(profile_hash(settings.consolidation, "cypher"))
    whole = {"run": "randomUUID()", "profile": profile, "moment": WALL}
    kin = settings.consolidation.signal == "kin"
    exported = [
        *([Script("consolidate.cypher", Job.CONSOLIDATE, CONSOLIDATE, whole)] if kin else ()),
        Script("memories-archive-wall.cypher", Job.ARCHIVE, archive_due, on_wall_clock),
        Script("memories-archive-active.cypher", Job.ARCHIVE, archive_due, on_active_clock),
        Script("prune-edges.cypher", Job.PRUNE, "consolidation/prune", hours),
        Script("prune-history.cypher", Job.PRUNE, history),
    ]
    for part, statement in STATEMENTS.items():
        values = arguments(part, settings)
        literals = {name: statements.literal(value) for name, value in values.items()}
        exported.append(Script(f"verify-{part}.cypher", Job.VERIFY, statement, literals))
    return [*exported, Script("stats.cypher", Job.STATS, "realms/stats")]


def text(script: Script, realm: str, settings: Settings) -> str:
    """Return the script: its parameters on top, then the statement as it is, header and all."""
    statement = statements.load(script.statement)
    parameters = {"realm": statements.literal(realm), "now": NOW, **script.parameters}
    if statement.settings:
        section = settings.section(statement.section)
        used = {name: section[name] for name in sorted(statement.settings)}
        parameters["settings"] = statements.literal(used)
    lines = [f":param {name} => {parameters[name]};" for name in sorted(statement.parameters)]
    return "\n".join([*lines, "", statement.text.rstrip() + ";", ""])


def write(folder: Path, realm: str, settings: Settings) -> list[Path]:
    """Write scripts, a crontab and units of systemd, over those of an earlier export."""
    folder.mkdir(parents=True, exist_ok=True)
    exported = scripts(realm, settings)
    files = {script.file: text(script, realm, settings) for script in exported}
    files["crontab"] = _crontab(folder.resolve(), realm, exported)
    files["asterism-maintain.service"] = _service(realm)
    files["asterism-maintain.timer"] = _template("asterism-maintain.timer")
    for name, content in files.items():
        write_text(folder / name, content)
    return [folder / name for name in files]


def _template(name: str, **values: str) -> str:
    return Template((TEMPLATES / name).read_text(encoding="utf-8")).substitute(values)


def _crontab(folder: Path, realm: str, exported: Iterable[Script]) -> str:
    computed = [_for_cron(shlex.join(_command(realm, job))) for job in COMPUTED]
    paths = [shlex.quote(str(folder / each.file)) for each in exported if each.job not in COMPUTED]
    shell = [_for_cron(f"cypher-shell -f {path}") for path in paths]
    crontab = _template(
        "crontab",
        environment="\n".join(f"{name}={value}" for name, value in _environment().items()),
        all_jobs=_for_cron(shlex.join(_command(realm))),
        computed_jobs="\n".join(f"# 27 * * * * {command}" for command in computed),
        scripts="\n".join(f"# 37 * * * * {command}" for command in shell),
    )
    return crontab.lstrip("\n")


def _service(realm: str) -> str:
    variables = [f"{name}={value}" for name, value in _environment().items()]
    service = _template(
        "asterism-maintain.service",
        environment="\n".join(f"Environment={_for_systemd(each)}" for each in variables),
        command=" ".join(_for_systemd(word).replace("$", "$$") for word in _command(realm)),
    )
    return service.replace("\n\nEnvironmentFile", "\nEnvironmentFile")


def _command(realm: str, *jobs: Job) -> list[str]:
    # This very installation: cron and systemd have no environment to find it in.
    script = Path(sys.executable).with_name("asterism")
    program = [str(script)] if script.exists() else [sys.executable, "-m", "asterism"]
    return [*program, "maintain", *(job.value for job in jobs), "--realm", realm]


def _environment() -> dict[str, str]:
    """Return the variables that name the graph and its settings, which cron and systemd lack."""
    names = {"NEO4J_URI", "NEO4J_USERNAME", "NEO4J_USER", "NEO4J_DATABASE"}
    names |= {name for name in os.environ if name.startswith("ASTERISM_")} - {"ASTERISM_REALM"}
    return {name: os.environ[name] for name in sorted(names) if os.environ.get(name)}


def _for_cron(command: str) -> str:
    """Return a command with its percent signs escaped, each the end of a line to cron."""
    return command.replace("%", "\\%")


def _for_systemd(word: str) -> str:
    """Return a word as systemd reads it: quoted, its percent signs doubled."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
