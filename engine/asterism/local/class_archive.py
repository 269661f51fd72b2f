"""Archive of what Java learns while the server starts and is first used, which later starts map.

It holds classes as Java has them once they are loaded and linked, and from Java 25 on also which
methods are worth compiling. Each Java runtime has its own, in the folder of downloads. After a
start without one, a process in the background runs a server of its own, uses it as a person begins
to, and as that server ends Java writes the archive. It is for one runtime and for one set of jars:
after a change of either, and if it is damaged, it is made anew.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from asterism.errors import AsterismError
from asterism.local import config, downloads, start_detached
from asterism.local.checked_files import digest, is_intact
from asterism.local.home import cache, write_private
from asterism.local.java import Java

LARGEST_BYTES = 220_000_000
LEAST_FREE_BYTES = 1_500_000_000  # on the disk, and of memory, while it is made
ATTEMPTS = 3  # a shutdown or a lack of memory may have ended one
RECIPE = 2  # of how it is made: an archive made otherwise is not used
MAKER = "asterism.archive_maker"
LEARNS_METHODS_SINCE = 25

Train = Callable[[Path, list[str]], None]


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

    def options(self) -> list[str]:
        """Return the options by which Java uses the archive, or nothing without a sound one."""
        if self.problem():
            return []
        if self.version < LEARNS_METHODS_SINCE:
            return [f"-XX:SharedArchiveFile={self.file}"]
        return [f"-XX:AOTCache={self.file}", "-Xlog:aot*=error"]  # it warns of what it leaves out

    def summary(self) -> str:
        """Return its size, or why there is none."""
        if problem := self.problem():
            after = ": the next start lets one be made in the background" if self.wanting() else ""
            return f"{problem}{after}"
        return f"{self.file.stat().st_size / 1e6:.0f} MB, {self.file}"

    def problem(self) -> str:
        """Return why there is no archive to use, or nothing."""
        facts = self._facts()
        if sys.platform == "win32":
            return "none on Windows, where no server can be asked to end in order"
        if not facts:
            return "not made yet"
        if facts.get("of") != self._fingerprint():
            return "made for another Java or other jars"
        if facts.get("failed"):
            return str(facts["failed"])
        return "" if is_intact(self.file, facts.get("sha256", "")) else "damaged"

    def wanting(self) -> bool:
        """Tell whether one should be made: not again where that has failed some times."""
        if sys.platform == "win32":
            return False
        return self._failures() < ATTEMPTS and self.problem() != ""

    def make_in_background(self) -> None:
        """Let a process that outlives this one make it."""
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            maker = [sys.executable, "-I", "-m", MAKER]
            detached = start_detached.command_of(str(self.log), maker)
            subprocess.run(detached, cwd=self.file.parent, capture_output=True, check=False)

    def make(self, train: Train) -> None:
        """Make it, unless another process does, and put it in place whole.

        `train` runs a server in a folder with options of Java's, uses it and ends it.
        """
        self.file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self.file.with_suffix(".lock"), timeout=0):
                if self.wanting():
                    self._delete_abandoned()
                    self._make(train)
        except Timeout:
            pass

    def discard(self) -> None:
        """Remove it, and make none again: Java broke with it and works without."""
        self._write_facts(failed="the server has crashed with it", attempts=ATTEMPTS)
        self.file.unlink(missing_ok=True)

    def _make(self, train: Train) -> None:
        if _is_short_of_room(self.file.parent):
            return  # the next start may have more
        draft = self.file.with_suffix(".draft")
        learns = self.version >= LEARNS_METHODS_SINCE
        option = "AOTCacheOutput" if learns else "ArchiveClassesAtExit"
        try:
            train(self.training_folder, [f"-XX:{option}={draft}"])
            self._put_in_place(draft)
        except (AsterismError, OSError):
            traceback.print_exc()
            self._fail(f"it could not be made: see {self.log}")
        finally:
            draft.unlink(missing_ok=True)
            shutil.rmtree(self.training_folder, ignore_errors=True)

    def _put_in_place(self, draft: Path) -> None:
        if not draft.is_file():
            self._fail(f"Java could not make it: see {self.log}")
        elif draft.stat().st_size > LARGEST_BYTES:
            self._fail(f"it would have {draft.stat().st_size / 1e6:.0f} MB", ATTEMPTS)
        else:
            sha256 = digest(draft)
            draft.replace(self.file)
            self._write_facts(sha256=sha256)

    def _fail(self, reason: str, attempts: int | None = None) -> None:
        if not _is_short_of_room(self.file.parent):
            self._write_facts(failed=reason, attempts=attempts or self._failures() + 1)

    def _failures(self) -> int:
        """Return how often it could not be made of this runtime and these jars."""
        facts = self._facts()
        return int(facts.get("attempts", 0)) if facts.get("of") == self._fingerprint() else 0

    def _delete_abandoned(self) -> None:
        """Delete the archives of runtimes that are there no more, and what attempts left."""
        shutil.rmtree(self.training_folder, ignore_errors=True)
        self.file.with_suffix(".draft").unlink(missing_ok=True)
        for path in self.file.parent.glob("*.json"):
            if not Path(_read(path).get("java", "")).is_file():
                for each in self.file.parent.glob(f"{path.stem}.*"):
                    each.unlink(missing_ok=True)

    def _facts(self) -> dict[str, str]:
        return _read(self.facts_file)

    def _write_facts(self, **facts: object) -> None:
        document = {"java": str(self.java), "of": self._fingerprint()} | facts
        write_private(self.facts_file, json.dumps(document))

    def _fingerprint(self) -> str:
        """Return what changes with the runtime, its flags and the jars."""
        runtime = self.java.parent.parent / "lib" / "modules"
        stamps = [_stamp(path) for path in (self.java, runtime, *self.jars)]
        return hashlib.sha256(json.dumps([RECIPE, self.flags, stamps]).encode()).hexdigest()


def archive_of(java: Java, jars: Path) -> ClassArchive:
    """Return the archive of a runtime and the server's jars."""
    flags = (*config.MODULE_FLAGS, *java.flags)
    return ClassArchive(java.path, java.major, flags, tuple(downloads.class_path(jars)))


def _is_short_of_room(folder: Path) -> bool:
    free = min(shutil.disk_usage(folder).free, psutil.virtual_memory().available)
    return free < LEAST_FREE_BYTES


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
