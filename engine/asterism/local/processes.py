"""Processes and ports of this machine, and which of them are the server's."""

import os
import random
import socket
import time

import psutil

from asterism.errors import LocalServerError
from asterism.local.home import Home, State

READS = 100
POLL_SECONDS = 0.02

# Below what any system hands out to outgoing connections, which would take the port of a server
# that is down for a moment, and below the node ports of Kubernetes.
OWN_PORTS = range(20_000, 30_000)
OWN_PORT_ATTEMPTS = 50


def home_argument(home: Home) -> str:
    """Return the argument by which a server of this data directory is recognised."""
    return f"--home-dir={home.neo4j}"


def process(home: Home, state: State) -> psutil.Process | None:
    """Return the server's process, unless it ended or its number belongs to another by now."""
    try:
        process = psutil.Process(state.pid)
        for _ in range(READS):
            if command := process.cmdline():
                return process if home_argument(home) in command else None
            time.sleep(POLL_SECONDS)  # a program that is just being loaded has no command yet
    except psutil.Error:
        pass
    return None


def wait_for_end(process: psutil.Process, seconds: float) -> bool:
    """Wait until a process has ended, and tell whether it has.

    Its parent may collect it later or, in a container without an init process, never.
    """
    deadline = time.monotonic() + seconds
    while not _has_ended(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def _has_ended(process: psutil.Process) -> bool:
    try:
        # The first thread of a process may be over while others still hold its files.
        over = process.status() == psutil.STATUS_ZOMBIE and process.num_threads() <= 1
        return over or not process.is_running()
    except psutil.NoSuchProcess:
        return True


def listens(port: int) -> bool:
    """Tell whether anything answers on a port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def serves(process: psutil.Process, state: State) -> bool:
    """Tell whether this very process answers on both ports, not a server that took them."""
    try:
        connections = process.net_connections("tcp")
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return listens(state.bolt_port) and listens(state.http_port)
    open_ports = {c.laddr.port for c in connections if c.status == psutil.CONN_LISTEN}
    return {state.bolt_port, state.http_port} <= open_ports


def connections(process: psutil.Process, state: State) -> int:
    """Return how many connections to the server's ports are open."""
    try:
        sockets = process.net_connections("tcp")
    except psutil.Error:
        return 0
    ports = (state.bolt_port, state.http_port)
    return sum(
        each.status == psutil.CONN_ESTABLISHED and each.laddr.port in ports for each in sockets
    )


def free_port(preferred: int, avoid: int = 0) -> int:
    """Return the preferred port if nothing has it, else any that outgoing connections never get."""
    others = random.SystemRandom().sample(OWN_PORTS, OWN_PORT_ATTEMPTS)
    for port in (preferred or others[0], *others, 0, 0):
        bound = _bound(port)
        if bound is not None and bound != avoid:
            return bound
    raise LocalServerError("no free port on 127.0.0.1: end some other server and try again")


def _bound(port: int) -> int | None:
    """Return the port that a server could listen on here, chosen by the system for 0, or None."""
    with socket.socket() as listener:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return None
        return int(listener.getsockname()[1])
