"""A server for one benchmark: empty at its start and removed at its end."""

import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from asterism.graph import Graph
from asterism.local import server
from asterism.local.home import Home
from asterism.settings import LocalSettings


@dataclass(frozen=True)
class OwnServer:
    """Address, credentials and process of a server, and a folder for the benchmark's files."""

    uri: str
    auth: tuple[str, str]
    pid: int
    folder: Path

    def graph(self, realm: str | None = None, **options: Any) -> Graph:
        """Return a graph on this server, in a realm of its own where none is named."""
        name = realm or f"bench-{uuid.uuid4().hex[:8]}"
        return Graph.open(self.uri, auth=self.auth, realm=name, **options)


@contextmanager
def own_server() -> Iterator[OwnServer]:
    """Start a server in a temporary folder, and stop it at the end."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        home = Home(folder / "home")
        try:
            state = server.start(home, LocalSettings())
            auth = (server.USER, server.password(home))
            yield OwnServer(state.uri, auth, state.pid, folder)
        finally:
            server.stop(home)


def wait_for_archive() -> None:
    """Wait until the next start can use the archive of classes, where the package makes one."""
    if find_spec("asterism.local.class_archive") is None:
        return
    from asterism.local import downloads, java
    from asterism.local.class_archive import archive_of

    archive = archive_of(java.find(), downloads.server_folder())
    while problem := archive.problem():
        if str(archive.log) in problem or not archive.wanting():
            raise RuntimeError(f"there is no archive: {problem}")
        time.sleep(0.5)
