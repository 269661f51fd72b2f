"""Archive of what Java learns while the server starts and is first used, which later starts map.

It holds classes as Java has them once they are loaded and linked, and from Java 25 on also which
methods are worth compiling. Each Java runtime has its own, in the folder of downloads. After a
start without one, a process in the background (`asterism.archive_maker`) runs another server, uses
it as a person begins to, and as that server ends Java writes the archive. It is for one runtime and
for one set of jars: after a change of either, and if it is damaged, it is made anew.
"""

import hashlib
import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from asterism.local import config, downloads, start_detached
from asterism.local.checked_files import digest, is_intact
from asterism.local.home import cache, write_private
from asterism.local.java import Java

LARGEST_BYTES = 250_000_000
ATTEMPTS = 3  # each is counted as it begins: one may be cut off
TRAINING = 3  # number of what the archive is learned from: raise it when that changes
MAKER = "asterism.archive_maker"
LEARNS_METHODS_SINCE = 25  # version of Java
NOT_DONE = "one is being made in the background, or was cut off"


@dataclass(frozen=True)
class ClassArchive:
    """The archive of one runtime and its jars, whether it has been made or not."""

    java: Path
    version: int
    flags: tuple[str, ...]  # about modules, as the server gets them
    jars: tuple[Path, ...]  # its class path

    @property
    def file(self) -> Path:
        name = hashlib.sha256(str(self.java).encode()).hexdigest()[:16]
        return cache() / "classes" / f"{name}.jsa"

    @property
    def facts_file(self) -> Path:
        return self.file.with_suffix(".json")

    @property
    def log(self) -> Path:
        return self.file.with_suffix(".log")

    @property
    def training_folder(self) -> Path:
        """Return the data directory of the server that it is learned from."""
        return self.file.with_suffix(".training")

    @property
    def draft(self) -> Path:
        """Return where Java writes the archive, with other files of the same beginning."""
        return self.file.with_suffix(".new")

    @property
    def lock_file(self) -> Path:
        return self.file.with_suffix(".lock")

    def recording(self) -> list[str]:
        """Return the options by which Java writes the draft as it ends."""
        name = "AOTCacheOutput" if self._learns_methods else "ArchiveClassesAtExit"
        return [f"-XX:{name}={self.draft}"]

    def use(self, file: Path, *, strictly: bool = False) -> list[str]:
        """Return the options by which Java uses a file, and ends if it must and can't."""
        if not self._learns_methods:
            return [f"-XX:SharedArchiveFile={file}", *(["-Xshare:on"] if strictly else [])]
        quiet = "-Xlog:aot*=error"  # it warns of each class that it left out
        return [f"-XX:AOTCache={file}", quiet, *(["-XX:AOTMode=on"] if strictly else [])]

    def options(self) -> list[str]:
        """Return the options by which Java uses the archive, or nothing without a sound one."""
        return [] if self.problem() else self.use(self.file)

    def summary(self) -> str:
        """Return its size, or why there is none."""
        if problem := self.problem():
            after = ": a start without one has it made in the background" if self.wanting() else ""
            return f"{problem}{after}"
        return f"{self.file.stat().st_size / 1e6:.0f} MB, {self.file}"

    def problem(self) -> str:
        """Return why there is no archive to use, or nothing."""
        facts = _read(self.facts_file)
        if sys.platform == "win32":
            return "none on Windows, where no server can be asked to end in order"
        if not facts:
            return "not made yet"
        if facts.get("of") != self._fingerprint():
            return "made for another Java, for other jars, or by another Asterism"
        if facts.get("failed"):
            return str(facts["failed"])
        return "" if is_intact(self.file, facts.get("sha256", "")) else "damaged"

    def failures(self) -> int:
        """Return how many attempts were made in vain for this runtime and these jars."""
        facts = _read(self.facts_file)
        return int(facts.get("attempts", 0)) if facts.get("of") == self._fingerprint() else 0

    def wanting(self) -> bool:
        """Tell whether one should be made: not again after some failed attempts."""
        return sys.platform != "win32" and self.failures() < ATTEMPTS and self.problem() != ""

    def make_in_background(self) -> None:
        """Let a process that outlives this one make it."""
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            detached = start_detached.command_of(str(self.log), [sys.executable, "-I", "-m", MAKER])
            # It works in another folder, where a relative path would lead elsewhere.
            paths = {"ASTERISM_CACHE": str(cache()), "ASTERISM_JAVA": str(self.java)}
            subprocess.run(
                detached,
                cwd=self.file.parent,
                env=os.environ | paths,
                capture_output=True,
                check=False,
            )

    def begin_attempt(self) -> None:
        """Count an attempt as failed until it has succeeded."""
        self._fail(NOT_DONE, self.failures() + 1)

    def fail(self, reason: str) -> None:
        """Say why the attempt that was begun has failed."""
        self._fail(reason, self.failures())

    def accept(self) -> None:
        """Put the draft in place."""
        if not self.draft.is_file():
            self.fail(f"Java did not write it: see {self.log}")
        elif self.draft.stat().st_size > LARGEST_BYTES:
            self._fail(f"it would have {self.draft.stat().st_size / 1e6:.0f} MB", ATTEMPTS)
        else:
            sha256 = digest(self.draft)
            self.draft.replace(self.file)
            self._write_facts(sha256=sha256)

    def discard(self) -> None:
        """Remove it, and make none again: Java broke with it and works without."""
        self._fail("the server has crashed with it", ATTEMPTS)
        self.file.unlink(missing_ok=True)

    @property
    def _learns_methods(self) -> bool:
        return self.version >= LEARNS_METHODS_SINCE

    def _fail(self, reason: str, attempts: int) -> None:
        self._write_facts(failed=reason, attempts=attempts)

    def _write_facts(self, **facts: object) -> None:
        document = {"java": str(self.java), "of": self._fingerprint()} | facts
        write_private(self.facts_file, json.dumps(document))

    def _fingerprint(self) -> str:
        """Return what changes with the runtime, its flags and the jars."""
        runtime = self.java.parent.parent / "lib" / "modules"
        stamps = [_stamp(path) for path in (self.java, runtime, *self.jars)]
        return hashlib.sha256(json.dumps([TRAINING, self.flags, stamps]).encode()).hexdigest()


def archive_of(java: Java, jars: Path) -> ClassArchive:
    """Return the archive of a runtime and the server's jars."""
    flags = (*config.MODULE_FLAGS, *java.flags)
    return ClassArchive(java.path, java.major, flags, tuple(downloads.class_path(jars)))


def java_of(facts_file: Path) -> Path:
    """Return the runtime that an archive beside this file is for."""
    return Path(_read(facts_file).get("java", ""))


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        facts = path.stat()
    except OSError:
        return str(path), 0, 0
    return str(path), facts.st_size, facts.st_mtime_ns


def _read(path: Path) -> dict[str, str]:
    try:
        document = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}
