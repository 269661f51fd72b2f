"""Ports of this process alone, for servers that are killed and have to come back where they were.

Two processes of tests, whose servers all wanted the usual ports, would take those of each other as
soon as one restarts.
"""

import socket

FIRST = 12_000  # below what the package chooses from, and what systems give to connections
BLOCK = 10
BLOCKS = 200


def _own_block() -> int:
    """Return the first port of a block that is this process's until it ends."""
    for first in range(FIRST, FIRST + BLOCK * BLOCKS, BLOCK):
        guard = socket.socket()
        try:
            guard.bind(("127.0.0.1", first))
        except OSError:
            guard.close()
        else:
            guard.detach()
            return first
    raise RuntimeError(f"{BLOCKS} processes of tests hold ports: end some")


_GUARD = _own_block()
LOCAL = {"bolt_port": _GUARD + 1, "http_port": _GUARD + 2}  # of servers that one file starts
SESSION = {"bolt_port": _GUARD + 3, "http_port": _GUARD + 4}  # of the tests' server
SPARE = (_GUARD + 5, _GUARD + 6)  # of one test at a time
