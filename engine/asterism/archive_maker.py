"""Makes the archive of classes of a Java runtime: `python -m asterism.archive_maker`.

A server of its own, that nobody else finds, is used as a person begins to use one: the schema is
laid out, texts are remembered, a question is asked, and asked again of the database as it is then.
"""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from asterism.embedding import Vector
from asterism.errors import DatabaseUnavailable, LocalServerError
from asterism.graph import Graph
from asterism.local import attempts, config, downloads, java, server, server_health, start_detached
from asterism.local.class_archive import ClassArchive, archive_of, java_of
from asterism.local.home import Home, write_private
from asterism.settings import LocalSettings

LEAST_FREE_BYTES = 1_500_000_000  # on the disk, and of memory, while it is made
PATIENCE = 1800.0  # seconds, since everything else on the machine goes first
TIMES = 10  # for the same reason
SMALL = LocalSettings(
    heap_mb=512,
    page_cache_mb=64,
    start_seconds=PATIENCE,
    neo4j={"db.tx_log.preallocate": "false"},
)
REALM = "training"
TEXTS = [
    {"text": f"Ada found notebook {number} in the cellar of the lighthouse."}
    for number in range(50)
]
QUESTION = "Where did Ada find notebook 7?"
# An archive has to fit servers without the user's settings and options of Java.
KEPT = ("ASTERISM_CACHE", "ASTERISM_JAVA")
LEFT_OUT = ("ASTERISM_", "NEO4J_", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")

Train = Callable[[ClassArchive], None]


class RandomVectors:
    """Vectors that mean nothing, in place of a model."""

    name = "random"
    dimensions = 384

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        chance = random.Random(text)
        return [chance.gauss(0, 1) for _ in range(self.dimensions)]


def train(archive: ClassArchive) -> None:
    """Run a server from which Java learns, use it, end it, and see that Java takes the draft."""
    home = Home(archive.training_folder)
    home.prepare()
    try:
        recording = archive.recording()
        with server.hidden(home, SMALL, java_options=recording, patience=PATIENCE) as state:
            address = state.uri, (server.USER, server.password(home))
            attempts.call(lambda: asyncio.run(_use(*address)), TIMES, _is_slow)
    finally:
        if server_health.console_log(home).is_file():
            print(server_health.console_log(home).read_text(errors="replace"), flush=True)
    require_accepted(archive)


def require_accepted(archive: ClassArchive) -> None:
    """Refuse a draft that Java does not take, since it would go without it and tell nobody."""
    arguments = archive.training_folder / "java.arguments"
    write_private(arguments, config.class_path(list(archive.jars)))
    options = [*archive.use(archive.draft, strictly=True), *archive.flags, f"@{arguments}"]
    command = [str(archive.java), *options, "-version"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise LocalServerError(f"Java does not take it: {result.stdout}{result.stderr}")


async def _use(uri: str, auth: tuple[str, str]) -> None:
    def opened() -> Graph:
        return Graph.open(uri, auth=auth, realm=REALM, embedder=RandomVectors())

    async with opened() as graph:
        await graph.memories.remember_many(TEXTS)
        await graph.recall.find(QUESTION)
    async with opened() as graph:  # of a database that has the schema
        await graph.recall.find(QUESTION)


def _is_slow(error: Exception) -> bool:
    return isinstance(error, DatabaseUnavailable)


def make(archive: ClassArchive, train: Train = train) -> None:
    """Make it, unless another process does, and put it in place whole."""
    archive.file.parent.mkdir(parents=True, exist_ok=True)
    with suppress(Timeout), FileLock(archive.lock_file, timeout=0):
        _clear(archive)
        if not archive.wanting() or _is_short_of_room(archive.file.parent):
            return  # the next start may have more
        archive.begin_attempt()
        try:
            train(archive)
            archive.accept()
        except Exception:
            archive.fail(f"it could not be made: see {archive.log}")
            raise
        finally:
            _clear(archive)


def _clear(archive: ClassArchive) -> None:
    """Remove what attempts left, and archives of runtimes that are there no more."""
    folder = archive.file.parent
    server.stop(Home(archive.training_folder))
    for path in folder.glob("*.json"):
        if not java_of(path).is_file():
            _remove(*folder.glob(f"{path.stem}.*"))
    _remove(archive.training_folder, *folder.glob(f"{archive.draft.name}*"))


def _remove(*paths: Path) -> None:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _is_short_of_room(folder: Path) -> bool:
    return min(shutil.disk_usage(folder).free, config.available_bytes()) < LEAST_FREE_BYTES


def make_alone() -> None:
    """Make it with nothing of the user's settings."""
    for name in list(os.environ):
        if name.startswith(LEFT_OUT) and name not in KEPT:
            del os.environ[name]
    make(archive_of(java.find(), downloads.server_folder()))


def main() -> None:
    """Make it, behind everything else that this machine does."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # which ends the server as well
    if hasattr(os, "nice"):
        os.nice(19)
        start_detached.share_priority(os.getpid())
    make_alone()


if __name__ == "__main__":
    main()
