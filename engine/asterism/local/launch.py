"""Java processes of the local server: neo4j.conf, the server itself, and neo4j-admin."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from asterism.errors import LocalServerError
from asterism.local import (
    class_archive,
    config,
    downloads,
    java,
    processes,
    server_health,
    start_detached,
)
from asterism.local.home import Home, State, write_private
from asterism.settings import LocalSettings

_SERVER = "org.neo4j.server.Neo4jCommunity"
_ADMIN = "org.neo4j.server.startup.Neo4jAdminCommand"


def write_config(home: Home, settings: LocalSettings) -> tuple[int, int, int]:
    """Write neo4j.conf, and return the Bolt port, the HTTP port and the heap in MB."""
    last = home.read_state()
    bolt = processes.free_port(last.bolt_port if last else settings.bolt_port)
    http = processes.free_port(last.http_port if last else settings.http_port, avoid=bolt)
    heap_mb, page_cache_mb = config.memory(settings)
    text = config.text(bolt, http, heap_mb, page_cache_mb, settings.neo4j)
    write_private(home.conf / "neo4j.conf", text)
    return bolt, http, heap_mb


def start_process(
    home: Home,
    jars: Path,
    ports_and_heap: tuple[int, int, int],
    *,
    archived: bool = True,
    java_options: Sequence[str] = (),
) -> State:
    """Start the server as a process of its own, that outlives this one."""
    bolt, http, heap_mb = ports_and_heap
    command = [
        *_java(home, jars, heap_mb, archived=archived),
        *java_options,
        _SERVER,
        processes.home_argument(home),
        f"--config-dir={home.conf}",
        "--console-mode",
    ]
    log = server_health.console_log(home)
    if log.exists():
        log.replace(log.with_suffix(".previous.log"))
    detached = start_detached.command_of(str(log), command)
    launched = subprocess.run(
        detached, cwd=home.root, env=_environment(), capture_output=True, text=True, check=False
    )
    if launched.returncode:
        raise server_health.did_not_start(home, launched.stderr.strip())
    return State(int(launched.stdout), bolt, http, downloads.SERVER_VERSION)


def make_archive_if_missing(jars: Path) -> None:
    """Let an archive of classes be made in the background where there is none."""
    archive = class_archive.archive_of(java.find(), jars)
    if archive.wanting():
        archive.make_in_background()


def uses_archive(jars: Path) -> bool:
    """Tell whether Java is started with an archive of classes."""
    return class_archive.archive_of(java.find(), jars).problem() == ""


def discard_archive(jars: Path) -> None:
    """Use the archive of classes no more: Java broke with it and works without."""
    class_archive.archive_of(java.find(), jars).discard()


def admin(home: Home, jars: Path, *words: str) -> None:
    """Run one neo4j-admin command. What it printed is in the error if it fails."""
    result = _run_admin(home, jars, words, archived=True)
    broke = server_health.java_broke(result.stdout + result.stderr) and uses_archive(jars)
    if broke:
        result = _run_admin(home, jars, words, archived=False)
    if result.returncode:
        printed = (result.stderr or result.stdout).strip()
        raise LocalServerError(f"neo4j-admin {' '.join(words[:2])} failed: {printed}")
    if broke:
        discard_archive(jars)


def _run_admin(
    home: Home, jars: Path, words: Sequence[str], *, archived: bool
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*_java(home, jars, config.SMALLEST_HEAP_MB, archived=archived), _ADMIN, *words],
        env=_environment() | {"NEO4J_HOME": str(home.neo4j), "NEO4J_CONF": str(home.conf)},
        umask=0o077,
        capture_output=True,
        text=True,
        check=False,
    )


def _java(home: Home, jars: Path, heap_mb: int, *, archived: bool) -> list[str]:
    """Return the command of Java, with the archive of classes where there is one."""
    runtime = java.find()
    classes = class_archive.archive_of(runtime, jars).options() if archived else []
    write_private(home.java_arguments, config.class_path(downloads.class_path(jars)))
    command, *options = config.java_command(runtime, home.java_arguments, heap_mb)
    return [command, *classes, *options]


def _environment() -> dict[str, str]:
    return config.environment(os.environ)
