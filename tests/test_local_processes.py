"""Processes and ports of the local server: when one has ended, and which port it is to have."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from asterism.local import processes, start_detached
from tests.support import own_ports


def outgoing_ports() -> range:
    """Return the ports that this system hands out to outgoing connections."""
    file = Path("/proc/sys/net/ipv4/ip_local_port_range")
    if not file.exists():
        return range(49152, 65536)
    first, last = map(int, file.read_text().split())
    return range(first, last + 1)


def test_a_port_that_is_chosen_is_none_that_outgoing_connections_get() -> None:
    """While a server is down for a moment, any program's connection might take its port."""
    with socket.create_server(("127.0.0.1", 0)) as owner:
        occupied = owner.getsockname()[1]
        chosen = [processes.free_port(preferred) for preferred in (0, occupied) for _ in range(50)]
    assert set(chosen) <= {*processes.OWN_PORTS} - {occupied}
    assert len(set(chosen)) > 50
    if outgoing_ports().start < processes.OWN_PORTS.stop:
        pytest.skip("this system is set to hand out more ports than systems do by themselves")
    assert not set(chosen) & {*outgoing_ports()}


def test_another_process_of_tests_takes_other_ports() -> None:
    """Else its servers would take those of ours that are down for a moment."""
    program = "from tests.support.own_ports import *; print(LOCAL, SESSION, SPARE)"
    command = [sys.executable, "-c", program]
    others = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ours = {*own_ports.LOCAL.values(), *own_ports.SESSION.values(), *own_ports.SPARE}
    assert not {str(port) for port in ours} & set(re.findall(r"\d+", others))


CARELESS_PARENT = """
import ctypes, subprocess, sys
ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: whoever loses its parent becomes its child
ran = subprocess.run(sys.argv[1:], capture_output=True, text=True)
print(ran.stdout.strip(), flush=True)
sys.stdin.read()  # it never collects them
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such parents")
def test_a_process_that_nobody_collects_has_ended_all_the_same(tmp_path: Path) -> None:
    """As in a container without an init process, in which a stopped server stays in the list."""
    detach = [sys.executable, start_detached.__file__, str(tmp_path / "log"), "sleep", "1800"]
    with subprocess.Popen(
        [sys.executable, "-c", CARELESS_PARENT, *detach],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdin
        assert parent.stdout
        process = psutil.Process(int(parent.stdout.readline()))
        assert not processes.wait_for_end(process, 0)
        process.terminate()
        assert processes.wait_for_end(process, 1800)
        assert process.status() == psutil.STATUS_ZOMBIE
        parent.stdin.close()
