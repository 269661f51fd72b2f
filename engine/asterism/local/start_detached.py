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
    print(process.pid, flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
