"""`asterism mcp`: the server by which assistants remember and recall, over stdio or HTTP."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from asterism.cli import output
from asterism.cli.options import AsJson, InRealm, option
from asterism.errors import AsterismError

ProfileName = Literal["asterism", "reference"]


def mcp(
    realm: InRealm = "default",
    http: Annotated[bool, option("Serve over HTTP; without it, over stdio.", "--http")] = False,
    host: Annotated[str, option("Address to listen at; others need tokens.")] = "127.0.0.1",
    port: Annotated[int, option("Port to listen at.", min=0, max=65535)] = 8765,
    token_file: Annotated[
        Path | None, option("File of mode 600: a token, or lines of a token and its realm.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, option("A Host header that passes as well; repeatable.")
    ] = None,
    allow_origin: Annotated[
        list[str] | None, option("An Origin header that passes as well; repeatable.")
    ] = None,
    read_only: Annotated[bool, option("Tools that read, and nothing else.", "--read-only")] = False,
    profile: Annotated[
        ProfileName, option("reference: the tools of the reference memory server.")
    ] = "asterism",
    json: AsJson = False,
) -> None:
    """Serve a realm to assistants by the Model Context Protocol.

    Over stdio, nothing but the protocol is on stdout. The realm is fixed here, or by the token.
    """
    _require_sdk()
    if not http:
        from asterism.mcp_server.builder import serve_stdio

        try:
            asyncio.run(serve_stdio(realm, profile=profile, read_only=read_only))
        except* BrokenPipeError:  # the client has gone, and needs no answer any more
            pass
        return
    from asterism.mcp_server.access import read_access
    from asterism.mcp_server.web import PATH, HttpAddress, listen, serve_http

    access = read_access(realm, token_file, host)
    address = HttpAddress(host, port, tuple(allow_host or ()), tuple(allow_origin or ()))
    listener = listen(address)
    url = f"http://{host}:{listener.getsockname()[1]}{PATH}"
    if json:
        output.print_json({"url": url})
        sys.stdout.flush()  # a program reads it while the server runs
    else:
        typer.echo(f"Asterism listens at {url}; stop it with Ctrl-C.", err=True)
    asyncio.run(
        serve_http(access, address, profile=profile, read_only=read_only, listener=listener)
    )


def _require_sdk() -> None:
    """Refuse to start without the SDK, which is an extra."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise AsterismError("this needs the MCP SDK: pip install 'asterism[mcp]'")
