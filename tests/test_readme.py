"""The examples of README and docs run, and print what the page says they print."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs.examples import Example, examples

PAGES = [Path("README.md"), *sorted(Path("docs").glob("*.md"))]
ALL = [(page, number) for page in PAGES for number in range(len(examples(page)))]


@pytest.mark.parametrize(("page", "number"), ALL, ids=lambda value: str(value))
def test_an_example_prints_what_the_page_says(
    page: Path, number: int, environment: dict[str, str]
) -> None:
    example: Example = examples(page)[number]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example.code],
        env=environment | {"PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout == example.expected or example.expected is None


def test_the_readme_has_an_example_and_says_what_it_prints() -> None:
    assert examples(Path("README.md"))[0].expected


def test_an_example_is_run_as_a_script_would_be() -> None:
    assert Example("print(__name__)", None).run() == "__main__\n"
