"""Archive of the classes that the server loads at its start, which later starts map into memory.

Each Java runtime has its own, in the folder of downloads. A start without one records the classes
that it loads, and a process in the background makes the archive of them. It is for one runtime and
for one set of jars: after a change of either, and if it is damaged, it is made anew.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from asterism.local import config, downloads, start_detached
from asterism.local.checked_files import digest, is_intact
from asterism.local.home import cache, write_private
from asterism.local.java import Java

LARGEST_BYTES = 150_000_000
LEAST_FREE_BYTES = 1_000_000_000  # on the disk, and of memory, while it is made
ENDED_BY_OTHERS = (1, 2, 9, 15)  # signals: a shutdown or a lack of memory, no fault of the classes


@dataclass(frozen=True)
class ClassArchive:
    """The archive of one runtime and its jars, whether it has been made or not."""

    java: Path
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

    def options(self) -> list[str]:
        """Return the option by which Java uses the archive, or nothing without a sound one."""
        return [f"-XX:SharedArchiveFile={self.file}"] if self.problem() == "" else []

    def start_options(self, class_list: Path) -> list[str]:
        """Return the option to use it, else that to record in a file what it is made of."""
        class_list.unlink(missing_ok=True)  # it belongs to an earlier start
        if options := self.options():
            return options
        return [f"-XX:DumpLoadedClassList={class_list}"] if self.wanting() else []

    def summary(self) -> str:
        """Return its size, or why there is none."""
        if problem := self.problem():
            after = ": the next start records its classes" if self.wanting() else ""
            return f"{problem}{after}"
        return f"{self.file.stat().st_size / 1e6:.0f} MB, {self.file}"

    def problem(self) -> str:
        """Return why there is no archive to use, or nothing."""
        facts = self._facts()
        if not facts:
            return "not made yet"
        if facts.get("of") != self._fingerprint():
            return "made for another Java or other jars"
        if facts.get("failed"):
            return str(facts["failed"])
        return "" if is_intact(self.file, facts.get("sha256", "")) else "damaged"

    def wanting(self) -> bool:
        """Tell whether one should be made: not again where that has failed."""
        facts = self._facts()
        failed = facts.get("failed") and facts.get("of") == self._fingerprint()
        return not failed and self.problem() != ""

    def make_in_background(self, class_list: Path) -> None:
        """Let a process that outlives this one make it of the classes of a list."""
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            own_list = self.file.with_suffix(f".{os.getpid()}.list")
            own_list.write_text(whole_list(class_list.read_text(errors="replace")))
            maker = [sys.executable, "-I", "-m", "asterism.local.class_archive", str(own_list)]
            words = [*maker, str(self.java), *self.flags]
            detached = start_detached.command_of(str(self.log), words)
            subprocess.run(detached, cwd=self.file.parent, capture_output=True, check=False)

    def make(self, class_list: Path) -> None:
        """Make it, unless another process does, and put it in place whole."""
        draft = self.file.with_suffix(f".{os.getpid()}.draft")
        try:
            with FileLock(self.file.with_suffix(".lock"), timeout=0):
                if self.wanting():
                    self._delete_abandoned()
                    self._make(class_list, draft)
        except Timeout:
            pass
        finally:
            draft.unlink(missing_ok=True)
            class_list.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove it, and make none again: Java broke with it and works without."""
        self._write_facts(failed="the server has crashed with it")
        self.file.unlink(missing_ok=True)

    def _make(self, class_list: Path, draft: Path) -> None:
        if _is_short_of_room(draft.parent):
            return  # the next start may have more
        arguments = self.file.with_suffix(".arguments")
        write_private(arguments, config.class_path(list(self.jars)))
        command = [str(self.java), "-Xshare:dump", "-Xmx512m", *self.flags, f"@{arguments}"]
        files = [f"-XX:SharedClassListFile={class_list}", f"-XX:SharedArchiveFile={draft}"]
        # Options of the user's are for servers: an archive made with them may not fit others.
        variables = {
            name: value
            for name, value in config.environment(os.environ).items()
            if name not in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
        }
        made = subprocess.run([*command, *files], env=variables, check=False)
        if made.returncode or not draft.is_file():
            if -made.returncode not in ENDED_BY_OTHERS and not _is_short_of_room(draft.parent):
                self._write_facts(failed=f"Java could not make it: see {self.log}")
        elif draft.stat().st_size > LARGEST_BYTES:
            self._write_facts(failed=f"it would have {draft.stat().st_size / 1e6:.0f} MB")
        else:
            sha256 = digest(draft)
            draft.replace(self.file)
            self._write_facts(sha256=sha256)

    def _delete_abandoned(self) -> None:
        """Delete the archives of runtimes that are there no more, and drafts."""
        for path in self.file.parent.glob(f"{self.file.stem}.*.draft"):
            path.unlink(missing_ok=True)
        for path in self.file.parent.glob("*.json"):
            if not Path(_read(path).get("java", "")).is_file():
                for each in self.file.parent.glob(f"{path.stem}.*"):
                    each.unlink(missing_ok=True)

    def _facts(self) -> dict[str, str]:
        return _read(self.facts_file)

    def _write_facts(self, **facts: str) -> None:
        document = {"java": str(self.java), "of": self._fingerprint()} | facts
        write_private(self.facts_file, json.dumps(document))

    def _fingerprint(self) -> str:
        """Return what changes with the runtime, its flags and the jars."""
        runtime = self.java.parent.parent / "lib" / "modules"
        stamps = [_stamp(path) for path in (self.java, runtime, *self.jars)]
        return hashlib.sha256(json.dumps([self.flags, stamps]).encode()).hexdigest()


def archive_of(java: Java, jars: Path) -> ClassArchive:
    """Return the archive of a runtime and the server's jars."""
    flags = (*config.MODULE_FLAGS, *java.flags)
    return ClassArchive(java.path, flags, tuple(downloads.class_path(jars)))


def whole_list(text: str) -> str:
    """Return the lines of a list that a server is still writing, as the archiver takes them.

    The last one may be cut off, and a class that two threads load at once is written twice.
    """
    numbers: set[str] = set()
    lines = []
    for line in text.split("\n")[:-1]:
        number = re.search(r" id: (\d+)", line)
        if number is None or number[1] not in numbers:
            lines.append(f"{line}\n")
        if number:
            numbers.add(number[1])
    return "".join(lines)


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


def main(class_list: str, java: str, *flags: str) -> None:
    """Make an archive, behind everything else that this machine does."""
    if hasattr(os, "nice"):
        os.nice(19)
    jars = downloads.class_path(downloads.server_jars())
    ClassArchive(Path(java), flags, tuple(jars)).make(Path(class_list))


if __name__ == "__main__":
    main(*sys.argv[1:])
