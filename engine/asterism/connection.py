"""Connection to the server of a graph: a named one, or the local one."""

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from neo4j import AsyncDriver, AsyncGraphDatabase, NotificationMinimumSeverity
from neo4j.exceptions import AuthError, ConfigurationError, DriverError, Neo4jError

from asterism.clock import Clock
from asterism.database import Database, Revive
from asterism.errors import DatabaseUnavailable, InvalidInput, SchemaMismatch
from asterism.local import server, server_health
from asterism.local.download_progress import downloading
from asterism.local.home import home
from asterism.settings import LocalSettings, Settings

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
REACH_SECONDS = 4.5
LOCAL_REACH_SECONDS = 60.0  # its process lives and listens: it is slow because the machine is busy
OLDEST_SERVER = (2026, 1)
IDLE_SECONDS = 10.0  # a connection idle for longer is tried before it is used
LOCAL_RETRY_SECONDS = 3.0  # a local server is either there at once or has died
RETRY_SECONDS = 30.0  # a cluster may be electing a leader

# A library is silent where nobody has set up logging.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

Auth = tuple[str, str] | None


@dataclass(frozen=True)
class Address:
    """Address and credentials of a server."""

    uri: str
    auth: Auth
    database: str | None
    local: bool

    @property
    def lost_seconds(self) -> float:
        """The time for which a server that does not answer is tried."""
        return LOCAL_RETRY_SECONDS if self.local else RETRY_SECONDS

    @property
    def reach_seconds(self) -> float:
        """The time within which a server has to answer a new connection."""
        return LOCAL_REACH_SECONDS if self.local else REACH_SECONDS


async def address(
    uri: str | None, auth: Auth, database: str | None, settings: LocalSettings
) -> Address:
    """Return the address by arguments, else NEO4J_ variables, else of the local server, started."""
    environment = os.environ
    uri = environment.get("NEO4J_URI") if uri is None else uri
    database = database or environment.get("NEO4J_DATABASE") or None
    if uri is None:
        if auth is not None:
            raise InvalidInput("auth", (auth[0], "..."), "it goes with a uri: give that too")
        return Address(*await asyncio.to_thread(_local, settings), database, local=True)
    _require_uri(uri)
    password = environment.get("NEO4J_PASSWORD")
    if auth is None and password is not None:
        name = environment.get("NEO4J_USERNAME") or environment.get("NEO4J_USER") or "neo4j"
        auth = (name, password)
    return Address(uri, auth, database, local=False)


async def connect(address: Address) -> AsyncDriver:
    """Open a driver and try it on the server, which has to be new enough."""
    try:
        driver = AsyncGraphDatabase.driver(
            address.uri,
            auth=address.auth,
            connection_timeout=address.reach_seconds - 0.5,
            liveness_check_timeout=IDLE_SECONDS,
            max_transaction_retry_time=0,  # engine/asterism/retries.py does that
            notifications_min_severity=NotificationMinimumSeverity.OFF,
            user_agent="asterism",
        )
    except (ConfigurationError, ValueError) as error:
        raise InvalidInput("uri", address.uri, str(error)) from error
    try:
        async with asyncio.timeout(address.reach_seconds):
            info = await driver.get_server_info()
        require_version(info.agent)
    except BaseException as error:
        await driver.close()
        refusal = _refusal(address, error)
        if refusal is None:
            raise
        raise refusal from error
    return driver


@asynccontextmanager
async def opened(
    settings: Settings, realm: str, clock: Clock, uri: str | None = None, auth: Auth = None
) -> AsyncIterator[Database]:
    """Open a database, that of the environment unless named, in a realm that is not created."""
    place = await address(uri, auth, None, settings.local)
    driver = await connect(place)
    try:
        lost = place.lost_seconds
        yield Database(driver, place.database, realm, settings, clock, lost_seconds=lost)
    finally:
        await driver.close()


def reviver(address: Address, settings: LocalSettings) -> Revive | None:
    """Return a function that starts a local server again unless it was taken down.

    A database that has stopped, as on a full disk, is restarted once there is room.
    """
    if not address.local:
        return None

    here = home()

    async def revive(stopped: bool) -> bool:
        if here.read_state() is None:
            return False
        if stopped:
            server_health.require_room(here)
        state = await asyncio.to_thread(server.start_or_restart, here, settings)
        if state.uri != address.uri:
            raise DatabaseUnavailable(
                f"the local server died and came back at {state.uri}: open the graph anew"
            )
        return True

    return revive


def _require_uri(uri: str) -> None:
    try:
        parts = urlsplit(uri)
        fine = parts.scheme in SCHEMES and parts.hostname and (parts.port or True)
    except ValueError:
        fine = False
    if not fine:
        remedy = "give a URI such as neo4j://host:7687; its scheme is one of " + ", ".join(SCHEMES)
        raise InvalidInput("uri", uri, remedy)


def require_version(agent: str) -> None:
    """Refuse a server too old for Cypher 25 and filtered vector search."""
    match = re.match(r"Neo4j/(\d+)\.(\d+)", agent)
    if match and (int(match[1]), int(match[2])) < OLDEST_SERVER:
        raise SchemaMismatch(
            f"the server is {agent}, and Asterism needs Neo4j 2026.01 or newer: upgrade it, "
            "or unset NEO4J_URI to use the local server"
        )


def _local(settings: LocalSettings) -> tuple[str, Auth]:
    here = home()
    with downloading() as on_bytes:
        state = server.start(here, settings, on_bytes)
    return state.uri, (server.USER, server.password(here))


def _refusal(address: Address, error: BaseException) -> DatabaseUnavailable | None:
    if isinstance(error, AuthError) and address.local:
        return DatabaseUnavailable(server.wrong_password(home()))
    if isinstance(error, AuthError):
        user = address.auth[0] if address.auth else "nobody"
        return DatabaseUnavailable(
            f"{address.uri} refuses the credentials of {user!r}: check NEO4J_USERNAME and "
            "NEO4J_PASSWORD, or pass auth=(user, password)"
        )
    if isinstance(error, (DriverError, Neo4jError, TimeoutError, OSError)):
        reason = " ".join(str(error).split()) or type(error).__name__
        remedy = (
            "run `asterism doctor`"
            if address.local
            else "is the server up, is the port right, does the URI's scheme fit its encryption? "
            "Or unset NEO4J_URI to use the local server"
        )
        return DatabaseUnavailable(f"{address.uri} can't be reached ({reason}): {remedy}")
    return None
