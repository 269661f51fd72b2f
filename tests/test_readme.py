"""The examples of README and docs run, and print what the page shows."""

import subprocess
import sys
from pathlib import Path

import pytest

from docs.examples import Example, examples
from tests.support.command_line import with_repository

PAGES = [Path("README.md"), *sorted(Path("docs").rglob("*.md"))]
EXAMPLES = [(page, number) for page in PAGES for number in range(len(examples(page)))]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "number"), EXAMPLES, ids=str)
def test_an_example_prints_what_the_page_shows(
    page: Path, number: int, environment: dict[str, str]
) -> None:
    example = examples(page)[number]
    completed = subprocess.run(
        [sys.executable, "-W", "error", "-c", example.code],
        env=with_repository(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.stderr == ""
    assert completed.returncode == 0
    assert completed.stdout == example.expected or example.expected is None


def test_the_readme_has_an_example_and_shows_what_it_prints() -> None:
    assert examples(Path("README.md"))[0].expected


def test_an_example_is_run_as_a_script_would_be() -> None:
    assert Example("print(__name__)", None).run() == "__main__\n"
