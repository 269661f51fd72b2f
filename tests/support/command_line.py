"""The `asterism` command, run in this process or as one of its own, and short Python programs."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from tempfile import TemporaryFile
from types import ModuleType
from typing import Any

import pytest

from asterism import cli
from asterism.embedding.shared_models import SHARED

ASTERISM = (sys.executable, "-m", "asterism")
WIDE_TERMINAL = {"COLUMNS": "160", "NO_COLOR": "1"}


@dataclass(frozen=True)
class CommandLine:
    """Runner of commands in one environment, with `options` added to each of them."""

    environment: Mapping[str, str]
    options: tuple[str, ...] = ()

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, however it ends, without the start of a process."""
        _load_model_for_good()
        arguments, environment = [*words, *self.options], self._environment(variables)
        with ThreadPoolExecutor(1) as own_thread:  # a loop of the test runs in this one
            return own_thread.submit(run_here, arguments, environment).result()

    def process(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command as a process of its own, as a shell would."""
        return subprocess.run(
            [*ASTERISM, *words, *self.options],
            env=self._environment(variables),
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

    def _environment(self, variables: dict[str, str]) -> dict[str, str]:
        return {**self.environment, **WIDE_TERMINAL, **variables}


def run_here(
    arguments: list[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, with streams and variables as a process would have."""
    return _run_here(["asterism", *arguments], environment, cli.main)


def run_program(code: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a Python program as `python -c` would, without the start of a process."""
    _load_model_for_good()
    with ThreadPoolExecutor(1) as own_thread:  # a loop of the test runs in this one
        return own_thread.submit(
            _run_here, ["-c"], environment, lambda: _run_as_main(code)
        ).result()


def _run_as_main(code: str) -> None:
    """Run code as the module `__main__`, which what it defines can be looked up in."""
    main = ModuleType("__main__")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", main)
        exec(compile(code, "<string>", "exec"), vars(main))


def _run_here(
    arguments: list[str], environment: Mapping[str, str], program: Callable[[], None]
) -> subprocess.CompletedProcess[str]:
    with pytest.MonkeyPatch.context() as patch, _streams(environment) as (output, errors):
        for name in os.environ.keys() - environment.keys():
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", arguments)
        patch.setattr(sys, "stdin", io.StringIO())
        code = _exit_code(program)
        return subprocess.CompletedProcess(arguments, code, _text(output), _text(errors))


def _exit_code(program: Callable[[], None]) -> int:
    try:
        program()
    except SystemExit as exit:
        return int(exit.code or 0)
    return 0


@contextmanager
def _streams(environment: Mapping[str, str]) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Collect what is printed, as text and as bytes, in files that a child process can share."""
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    with TemporaryFile() as printed, TemporaryFile() as complained:
        output, errors = (io.TextIOWrapper(file, encoding) for file in (printed, complained))
        with redirect_stdout(output), redirect_stderr(errors):
            yield output, errors


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


@cache
def _load_model_for_good() -> None:
    """Let every command use one loaded model, as if a graph stayed open."""
    SHARED.borrow(None)


def python_command(program: str, *arguments: str) -> list[str]:
    """Return the command that runs a Python program given as text."""
    return [sys.executable, "-c", program, *arguments]


def with_repository(environment: Mapping[str, str]) -> dict[str, str]:
    """Add the variable that lets a process import `tests` and `docs`."""
    return {**environment, "PYTHONPATH": os.getcwd()}
