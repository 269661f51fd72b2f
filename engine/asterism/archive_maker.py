"""Makes the archive of classes of a Java runtime: `python -m asterism.archive_maker`.

A server of its own, that nobody else finds, is used as a person begins to use one: a database is
laid out, texts are remembered, a question is asked, and asked again of the database as it is then.
"""

import asyncio
import os
import random
from pathlib import Path

from asterism.embedding import Vector
from asterism.graph import Graph
from asterism.local import downloads, java, server, server_health
from asterism.local.class_archive import archive_of
from asterism.local.home import Home
from asterism.settings import LocalSettings

PATIENCE = 1800.0  # seconds, since everything else on the machine goes first
SMALL = LocalSettings(
    heap_mb=512,
    page_cache_mb=64,
    start_seconds=PATIENCE,
    neo4j={"db.tx_log.preallocate": "false"},
)
REALM = "training"
TEXTS = [f"Ada found notebook {number} in the cellar of the lighthouse." for number in range(50)]
QUESTION = "Where did Ada find notebook 7?"
# The user's settings and options of Java are for servers that are used.
KEPT = ("ASTERISM_CACHE", "ASTERISM_JAVA")
JAVA_OPTIONS = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")


class RandomVectors:
    """Vectors that mean nothing, in place of a model."""

    name = "random"
    dimensions = 384

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        chance = random.Random(text)
        return [chance.gauss(0, 1) for _ in range(self.dimensions)]


def train(folder: Path, java_options: list[str]) -> None:
    """Run a server in a folder with options of Java's, use it and end it."""
    home = Home(folder)
    home.prepare()
    try:
        with server.hidden(home, SMALL, java_options=java_options, patience=PATIENCE) as state:
            asyncio.run(_use(state.uri, (server.USER, server.password(home))))
    finally:
        if server_health.console_log(home).is_file():
            print(server_health.console_log(home).read_text(errors="replace"), flush=True)


async def _use(uri: str, auth: tuple[str, str]) -> None:
    def opened() -> Graph:
        return Graph.open(uri, auth=auth, realm=REALM, embedder=RandomVectors())

    async with opened() as graph:
        await graph.memories.remember_many(TEXTS)
        await graph.recall.find(QUESTION)
    async with opened() as graph:  # of a database that has the schema
        await graph.recall.find(QUESTION)


def make() -> None:
    """Make it, with nothing of the user's settings."""
    for name in list(os.environ):
        if name in JAVA_OPTIONS or (name.startswith("ASTERISM_") and name not in KEPT):
            del os.environ[name]
    archive_of(java.find(), downloads.server_folder()).make(train)


def main() -> None:
    """Make it, behind everything else that this machine does."""
    if hasattr(os, "nice"):
        os.nice(19)
    make()


if __name__ == "__main__":
    main()
