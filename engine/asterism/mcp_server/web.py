"""HTTP of the server: tokens, hosts and origins are checked before anything else."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass, field

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from asterism.errors import InvalidInput
from asterism.mcp_server.access import LOOPBACK, Access
from asterism.mcp_server.builder import Profile, build_server
from asterism.mcp_server.realm_graphs import RealmGraphs
from asterism.mcp_server.service import REALM, Service

PATH = "/mcp"
MOST_BODY_BYTES = 4 * 1024**2
DRAIN_SECONDS = 5  # how long calls may go on when the server is stopped


@dataclass(frozen=True)
class HttpAddress:
    """Listen at this address, for browsers and clients that name it like this."""

    host: str = "127.0.0.1"
    port: int = 8765
    hosts: Sequence[str] = field(default_factory=tuple)
    origins: Sequence[str] = field(default_factory=tuple)

    def security(self) -> TransportSecuritySettings:
        """Return the Host and Origin headers that pass, against rebound names of hosts."""
        names = list(self.hosts)
        if self.host in LOOPBACK or not names:
            names += ["127.0.0.1", "localhost", "[::1]"]
        if self.host not in ("0.0.0.0", "::", *LOOPBACK):
            names.append(f"[{self.host}]" if ":" in self.host else self.host)
        return TransportSecuritySettings(
            allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
            allowed_origins=[
                *(f"http://{name}:*" for name in ("127.0.0.1", "localhost", "[::1]")),
                *self.origins,
            ],
        )


class TokenCheck:
    """Answers 401 unless the request has a token, and hands on the realm of the token."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = dict(scope["headers"])
            header = headers.get(b"authorization", b"").decode("latin-1")
            realm = self._access.realm_of(header)
            if realm is None:
                await _unauthorized()(scope, receive, send)
                return
            REALM.set(realm)  # of this request alone, which is a task of its own
        await self._app(scope, receive, send)


def _unauthorized() -> JSONResponse:
    message = "give the token of this server: Authorization: Bearer TOKEN"
    headers = {"WWW-Authenticate": "Bearer"}
    return JSONResponse({"error": message}, status_code=401, headers=headers)


def http_app(service: Service, access: Access, address: HttpAddress, profile: Profile) -> ASGIApp:
    """Return the server as an ASGI application."""
    app = build_server(service, profile).streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        max_request_body_size=MOST_BODY_BYTES,
        transport_security=address.security(),
        host=address.host,
    )
    return TokenCheck(app, access)


async def serve_http(
    access: Access,
    address: HttpAddress,
    *,
    profile: Profile = "asterism",
    read_only: bool = False,
    listener: socket.socket | None = None,
) -> None:
    """Serve any number of clients over HTTP, until the process is stopped."""
    async with RealmGraphs() as graphs:
        service = Service(graphs, read_only)
        config = uvicorn.Config(
            http_app(service, access, address, profile),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=DRAIN_SECONDS,
        )
        server = uvicorn.Server(config)
        await server.serve(sockets=[listener or listen(address)])


def listen(address: HttpAddress) -> socket.socket:
    """Return a socket that listens at an address, or refuse one that is not free."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family)
    except OSError as error:
        where = f"{address.host}:{address.port}"
        raise InvalidInput("port", where, f"it can't be used: {error.strerror or error}") from error
