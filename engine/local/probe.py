"""Looks at what runs and listens on this machine."""

import os
import socket
import time

import psutil

from engine.errors import LocalServerError
from engine.local.home import Home, State

LOOKS = 40
POLL_SECONDS = 0.05


def home_argument(home: Home) -> str:
    """What a server of this data directory has among its words, and no other."""
    return f"--home-dir={home.neo4j}"


def process(home: Home, state: State) -> psutil.Process | None:
    """The server's process, unless it is gone or its number belongs to another by now."""
    try:
        process = psutil.Process(state.pid)
        for _ in range(LOOKS):
            if words := process.cmdline():
                return process if home_argument(home) in words else None
            time.sleep(POLL_SECONDS)  # a program that is just being loaded has no words yet
    except psutil.Error:
        pass
    return None


def listens(port: int) -> bool:
    """Whether anything answers on a port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def serves(process: psutil.Process, state: State) -> bool:
    """Whether this very process answers on both ports, and not another server that took them."""
    try:
        connections = process.net_connections("tcp")
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return listens(state.bolt_port) and listens(state.http_port)
    open_ports = {c.laddr.port for c in connections if c.status == psutil.CONN_LISTEN}
    return {state.bolt_port, state.http_port} <= open_ports


def free_port(preferred: int, avoid: int = 0) -> int:
    """The preferred port if nothing has it, else any."""
    for port in (preferred, 0, 0):
        with socket.socket() as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            if probe.getsockname()[1] != avoid:
                return int(probe.getsockname()[1])
    raise LocalServerError("no free port on 127.0.0.1: end some other server and try again")
