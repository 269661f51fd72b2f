"""Configuration of the server: neo4j.conf, its memory, its command and its environment."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

from asterism.errors import InvalidInput
from asterism.local.java import Java
from asterism.settings import LocalSettings

MEGABYTE = 1024 * 1024
SMALLEST_HEAP_MB = 512
LARGEST_HEAP_MB = 4096
SMALLEST_PAGE_CACHE_MB = 64

# Settings of every Asterism server, local or in docker-compose.yml.
SHARED = {
    "client.allow_telemetry": "false",
    "db.tx_log.rotation.retention_policy": "2 days 1G",
    "dbms.security.allow_csv_import_from_file_urls": "false",
    "dbms.fleet_manager.enabled": "false",
    "dbms.usage_report.enabled": "false",
    # Else a statement is planned anew for each size of its lists and texts, which takes a second.
    "internal.cypher.use_parameter_size": "false",
    "server.fleet_discovery.enabled": "false",
    "server.http.x_forward.enabled": "false",
    "server.http_enabled_modules": "TRANSACTIONAL_ENDPOINTS,UNMANAGED_EXTENSIONS,BROWSER",
}

MODULE_FLAGS = (
    "--enable-native-access=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)

# The variables that the server and its tools get of the environment of whoever starts them.
PASSED_ON = frozenset(
    (
        *("PATH", "HOME", "USER", "LOGNAME", "USERPROFILE", "LANG", "LANGUAGE", "TZ"),
        *("TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
        *("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"),
    )
)
PASSED_ON_PREFIXES = ("LC_",)

CONTROL_GROUP = Path("/sys/fs/cgroup")  # of the container this runs in
MEMORY_FILES = ("memory.max", "memory.current")


def memory(settings: LocalSettings, total_bytes: int | None = None) -> tuple[int, int]:
    """Return heap and page cache in MB: together a quarter of the machine, unless set."""
    total = total_bytes or machine_bytes()
    budget = total // MEGABYTE // 4
    heap = settings.heap_mb or max(SMALLEST_HEAP_MB, min(budget // 2, LARGEST_HEAP_MB))
    page_cache = settings.page_cache_mb or max(SMALLEST_PAGE_CACHE_MB, budget - heap)
    if (heap + page_cache) * MEGABYTE > total:
        remedy = f"heap and page cache must fit into {total // MEGABYTE} MB of memory together"
        raise InvalidInput("heap_mb + page_cache_mb", heap + page_cache, remedy)
    return heap, page_cache


def machine_bytes() -> int:
    """Return the memory of this machine, or of the container this runs in."""
    total = psutil.virtual_memory().total
    try:
        return min(total, int((CONTROL_GROUP / MEMORY_FILES[0]).read_text()))
    except (OSError, ValueError):
        return total


def available_bytes() -> int:
    """Return the memory that is free on this machine, and in the container this runs in."""
    free = psutil.virtual_memory().available
    with suppress(OSError, ValueError):
        limit, used = (int((CONTROL_GROUP / name).read_text()) for name in MEMORY_FILES)
        return min(free, limit - used)
    return free


def text(
    bolt_port: int,
    http_port: int,
    heap_mb: int,
    page_cache_mb: int,
    chosen: Mapping[str, str] | None = None,
) -> str:
    """Return neo4j.conf of a server that only this machine can reach, with settings of a user's."""
    own = {
        "server.default_listen_address": "127.0.0.1",
        # Long after both databases are closed, Bolt would wait twice this long for its threads.
        "internal.server.bolt.thread_pool_shutdown_wait_time": "100ms",
        "server.bolt.advertised_address": f"127.0.0.1:{bolt_port}",  # what Browser connects to
        "server.bolt.listen_address": f"127.0.0.1:{bolt_port}",
        "server.http.listen_address": f"127.0.0.1:{http_port}",
        "server.memory.heap.initial_size": f"{SMALLEST_HEAP_MB}m",
        "server.memory.heap.max_size": f"{heap_mb}m",
        "server.memory.pagecache.size": f"{page_cache_mb}m",
    }
    if fixed := sorted(own.keys() & (chosen or {}).keys()):
        remedy = "leave it out: addresses, ports and memory have settings of their own in `local`"
        raise InvalidInput("local.neo4j", fixed[0], remedy)
    lines = SHARED | dict(chosen or {}) | own
    return "".join(f"{key}={value}\n" for key, value in lines.items())


def java_command(java: Java, arguments: Path, heap_mb: int) -> list[str]:
    """Return the command of a Java runtime, its class path in a file."""
    return [
        str(java.path),
        f"-Xms{SMALLEST_HEAP_MB}m",
        f"-Xmx{heap_mb}m",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:-OmitStackTraceInFastThrow",  # an error that lost its message never reaches the client
        *MODULE_FLAGS,
        *java.flags,
        f"@{arguments}",
    ]


def class_path(jars: list[Path]) -> str:
    """Return Java's argument file that names these jars and no other.

    A `*` would take whatever lies beside them, and 241 names are too long for a command of Windows.
    """
    joined = os.pathsep.join(str(jar) for jar in jars)
    quoted = joined.replace("\\", "\\\\").replace('"', '\\"')
    return f'-cp\n"{quoted}"\n'


def environment(whole: Mapping[str, str]) -> dict[str, str]:
    """Return what Java needs of this process's variables: nothing of the user's secrets."""
    return {
        name: value
        for name, value in whole.items()
        if name.upper() in PASSED_ON or name.upper().startswith(PASSED_ON_PREFIXES)
    }
