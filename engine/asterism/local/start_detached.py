"""Script that starts a command that outlives it, and prints the process id.

`python detach.py LOG COMMAND...`: the short-lived process in between is what makes
the server nobody's child, so that it survives a closed terminal and leaves no zombie.
"""

import os
import subprocess
import sys


def command_of(log: str, command: list[str]) -> list[str]:
    """Return the command that runs this file, with what it is to start."""
    # Isolated and by its path: the user's folder may hold an `asterism` of its own.
    return [sys.executable, "-I", "-S", __file__, log, *command]


def main(log: str, command: list[str]) -> None:
    os.umask(0o077)  # what the server writes is its owner's alone
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
        )
    if hasattr(os, "nice"):
        share_priority(process.pid)
    print(process.pid, flush=True)
    os._exit(0)


def share_priority(pid: int) -> None:
    """Let the session of a process give way as this process does.

    Where Linux shares the processor among sessions, it takes more than that its members give way.
    """
    try:
        with open(f"/proc/{pid}/autogroup", "w") as file:
            file.write(str(os.nice(0)))
    except OSError:
        pass


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
