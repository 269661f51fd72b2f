"""Fixtures: one real Neo4j per test session, a new realm per test."""

import asyncio
import json
import os
import shutil
import subprocess
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis
import pytest

from asterism import demo
from asterism.clock import FixedClock
from asterism.embedding import OnnxEmbedder
from asterism.graph import Graph
from asterism.local import server as local_server
from asterism.local.home import Home
from asterism.settings import LocalSettings
from tests.support import own_ports, prepared_home
from tests.support.command_line import CommandLine
from tests.support.market_world import LITERAL, Market

# Planning takes the server longer than all else that the tests have it do. Realms come and go, so
# counts change by more than plans put up with: each statement would be planned anew every ten
# seconds. Room for logs is taken when it is needed.
SHORT_OF_WORK = {
    "dbms.cypher.min_replan_interval": "1d",
    "db.tx_log.preallocate": "false",
}
# However slow the machine is, no test ends for it.
SMALL = LocalSettings(
    heap_mb=512, page_cache_mb=64, start_seconds=1800, neo4j=SHORT_OF_WORK, **own_ports.LOCAL
)
SMALL_VARIABLES = {
    f"ASTERISM_LOCAL_{name.upper()}": json.dumps(value)
    for name, value in SMALL.model_dump(exclude_unset=True).items()
}
# A server of tests lives for seconds: the compiler that pays off after minutes takes half its time.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")


@dataclass(frozen=True)
class Server:
    """Address and credentials of the tests' Neo4j."""

    uri: str
    auth: tuple[str, str]
    kind: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that start servers first: what begins last should be short.

    What looks at the demo is slow, since it takes long to build.
    """
    items.sort(key=_is_quick)
    for item in items:
        if "demo_told" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


def _is_quick(item: pytest.Item) -> bool:
    module = item.getparent(pytest.Module)
    return module is None or module.get_closest_marker("slow") is None


MEMORY = Path("/dev/shm")
ROOM = 4 * 1024**3  # for a server's data


@pytest.fixture(scope="session", autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test sees this user's data directory or settings, but downloads are shared.

    It holds the data of the tests' server.
    """
    with _quick_folder(tmp_path_factory) as folder:
        yield from _environment_in(folder)


@pytest.fixture(scope="session")
def pattern(own_environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A data directory with database and schema, which spares others their first start."""
    temporary = tmp_path_factory.getbasetemp()
    shared = temporary.parent if "PYTEST_XDIST_WORKER" in os.environ else temporary
    return prepared_home.pattern(shared, SMALL)


@pytest.fixture(scope="module")
def quick_folder(pattern: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for the servers of one file of tests, quick to write to."""
    with _quick_folder(tmp_path_factory) as folder:
        yield folder


@contextmanager
def _quick_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a folder, in memory where there is room: a disk makes every commit wait."""
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    with TemporaryDirectory(dir=MEMORY if roomy else tmp_path_factory.mktemp("home")) as folder:
        yield Path(folder)


def _environment_in(home: Path) -> Iterator[Path]:
    changed = {"ASTERISM_HOME": str(home), "JDK_JAVA_OPTIONS": SHORT_LIVED}
    earlier = {
        name: os.environ.pop(name)
        for name in list(os.environ)
        if name.startswith("ASTERISM_") or name == "JDK_JAVA_OPTIONS"
    }
    changed |= {"ASTERISM_CACHE": earlier["ASTERISM_CACHE"]} if "ASTERISM_CACHE" in earlier else {}
    os.environ.update(changed)
    yield home
    for name in changed:
        del os.environ[name]
    os.environ.update(earlier)


@pytest.fixture
def by_cosine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Consolidates by the calibrated cosine alone, as the plan has it."""
    monkeypatch.setenv("ASTERISM_CONSOLIDATION_SIGNAL", "cosine")


@pytest.fixture(scope="session")
def server(own_environment: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """NEO4J_URI if set, else a container where Docker answers, else the local server."""
    if "NEO4J_URI" in os.environ:
        user = os.environ.get("NEO4J_USERNAME") or os.environ.get("NEO4J_USER") or "neo4j"
        auth = (user, os.environ["NEO4J_PASSWORD"])
        yield Server(os.environ["NEO4J_URI"], auth, "named")
    elif _docker_answers():
        from testcontainers.neo4j import Neo4jContainer

        with Neo4jContainer("neo4j:2026.08.1-community", password="for-tests-only") as container:
            auth = ("neo4j", "for-tests-only")
            yield Server(container.get_connection_url(), auth, "container")
    else:
        home = prepared_home.copied(request.getfixturevalue("pattern"), own_environment)
        try:
            state = local_server.start(home, SMALL.model_copy(update=own_ports.SESSION))
            yield Server(state.uri, ("neo4j", local_server.password(home)), "local")
        finally:
            local_server.stop(home)


def _docker_answers() -> bool:
    try:
        process = subprocess.run(["docker", "info"], capture_output=True, timeout=20, check=False)
        return process.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@pytest.fixture(scope="session")
def embedder() -> OnnxEmbedder:
    """The default model, loaded once."""
    return OnnxEmbedder()


@pytest.fixture
def clock() -> FixedClock:
    """Stands still at noon on a Monday."""
    return FixedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))


OpenGraph = Callable[..., Any]


@pytest.fixture
async def open_graph(
    server: Server, clock: FixedClock, embedder: OnnxEmbedder, request: pytest.FixtureRequest
) -> AsyncIterator[OpenGraph]:
    """Opens graphs in realms that end with the test: `await open_graph(realm=...)`.

    Tests marked `verify_stars` end with the stars of each graph in order.
    """
    verify_stars = request.node.get_closest_marker("verify_stars") is not None
    async with AsyncExitStack() as stack:

        async def open_one(realm: str | None = None, **options: Any) -> Graph:
            name = realm or f"test-{uuid.uuid4().hex[:12]}"
            chosen: dict[str, Any] = {"clock": clock, "embedder": embedder} | options
            graph = Graph.open(server.uri, auth=server.auth, realm=name, **chosen)
            await stack.enter_async_context(graph)
            stack.push_async_callback(graph.realms.delete, name)
            if verify_stars:
                stack.push_async_callback(_require_consistent_stars, graph)
            return graph

        yield open_one


async def _require_consistent_stars(graph: Graph) -> None:
    assert await graph.stars.verify() == []


@pytest.fixture
async def graph(open_graph: OpenGraph) -> Graph:
    """A graph in an empty realm."""
    opened: Graph = await open_graph()
    return opened


@pytest.fixture
async def market(open_graph: OpenGraph) -> Market:
    """A market without passes of its own, so that vectors hold to the letter."""
    return Market(await open_graph(settings=LITERAL))


@pytest.fixture(scope="session")
def demo_told(server: Server) -> Iterator[dict[str, Any]]:
    """The output of `asterism demo`, built once for tests that only read its world.

    A demo that is there already, on a server of NEO4J_URI, is shown again and stays.
    """

    async def there() -> bool:
        async with Graph.open(server.uri, auth=server.auth) as graph:
            return demo.REALM in {realm.name for realm in await graph.realms.list()}

    async def delete() -> None:
        async with Graph.open(server.uri, auth=server.auth) as graph:
            await graph.realms.delete(demo.REALM)

    before = asyncio.run(there())
    command_line = CommandLine(server_variables(server))
    yield command_line.document("demo", *([] if before else ["--reset"]))
    if not before:
        asyncio.run(delete())


@pytest.fixture(scope="session")
def demo_realm(demo_told: dict[str, Any]) -> str:
    """The realm of the demo, filled."""
    return demo.REALM


@pytest.fixture
async def demo_graph(
    server: Server, embedder: OnnxEmbedder, demo_realm: str
) -> AsyncIterator[Graph]:
    """The demo's world, on the last day of its story."""
    clock = FixedClock(demo.NOON)
    async with Graph.open(**_of(server, embedder), realm=demo_realm, clock=clock) as graph:
        yield graph


def _of(server: Server, embedder: OnnxEmbedder) -> dict[str, Any]:
    return {"uri": server.uri, "auth": server.auth, "embedder": embedder}


@pytest.fixture
def environment(server: Server) -> dict[str, str]:
    """The variables by which a child process reaches the tests' server."""
    return server_variables(server)


def server_variables(server: Server) -> dict[str, str]:
    """Return the environment with the variables of a server."""
    user, password = server.auth
    named = {"NEO4J_URI": server.uri, "NEO4J_USERNAME": user, "NEO4J_PASSWORD": password}
    never_slow = {"ASTERISM_STATEMENTS_SLOW_MS": "3600000"}  # no warning because a machine is slow
    return dict(os.environ) | named | never_slow


@pytest.fixture
def command_line(environment: dict[str, str]) -> CommandLine:
    """The `asterism` command on the tests' server."""
    return CommandLine(environment)
