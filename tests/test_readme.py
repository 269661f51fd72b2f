"""The examples of README and docs run, and print what the page shows."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from docs.examples import Example, examples
from tests.support.command_line import run_program, with_repository

README = Path("README.md")
PAGES = [README, *sorted(Path("docs").rglob("*.md"))]
EXAMPLES = [(page, number) for page in PAGES for number in range(len(examples(page)))]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "number"), EXAMPLES, ids=str)
def test_an_example_prints_what_the_page_shows(
    page: Path, number: int, environment: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    example = examples(page)[number]
    completed = run_program(example.code, environment)
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert warnings == []  # they would be on stderr
    assert completed.stderr == ""
    assert completed.returncode == 0
    assert completed.stdout == example.expected or example.expected is None


@pytest.mark.slow
def test_the_first_example_runs_as_a_process(environment: dict[str, str]) -> None:
    example = examples(README)[0]
    completed = subprocess.run(
        [sys.executable, "-W", "error", "-c", example.code],
        env=with_repository(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.stderr == ""
    assert completed.returncode == 0
    assert completed.stdout == example.expected


def test_the_readme_has_an_example_and_shows_what_it_prints() -> None:
    assert examples(README)[0].expected


def test_an_example_is_run_as_a_script_would_be() -> None:
    assert Example("print(__name__)", None).run() == "__main__\n"
