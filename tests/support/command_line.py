"""The `asterism` command and short Python programs, run as processes of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ASTERISM = (sys.executable, "-m", "asterism")
WIDE_TERMINAL = {"COLUMNS": "160", "NO_COLOR": "1"}


@dataclass(frozen=True)
class CommandLine:
    """Runner of commands in one environment, with `options` added to each of them."""

    environment: Mapping[str, str]
    options: tuple[str, ...] = ()

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, however it ends."""
        return subprocess.run(
            [*ASTERISM, *words, *self.options],
            env={**self.environment, **WIDE_TERMINAL, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    def output(self, *words: str, **variables: str) -> str:
        """Run a command that has to succeed and return its output."""
        completed = self.run(*words, **variables)
        assert completed.returncode == 0, completed.stderr
        return completed.stdout

    def document(self, *words: str, **variables: str) -> Any:
        """Run a command with `--json` and return the parsed output."""
        return json.loads(self.output(*words, "--json", **variables))


def python_command(program: str, *arguments: str) -> list[str]:
    """Return the command that runs a Python program given as text."""
    return [sys.executable, "-c", program, *arguments]


def with_repository(environment: Mapping[str, str]) -> dict[str, str]:
    """Add the variable that lets a process import `tests` and `docs`."""
    return {**environment, "PYTHONPATH": os.getcwd()}
