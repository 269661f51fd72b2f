"""Every shell line of README and docs runs, in the demo's world."""

import contextlib
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.support.command_line import CommandLine

PAGES = [Path("README.md"), *sorted(Path("docs").glob("*.md"))]
GATE = Path(".ci/run").read_text()


def lines(page: Path) -> list[str]:
    """Return the lines that a reader would type, without comments."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)
    joined = "\n".join(blocks).replace("\\\n", " ")
    typed = (line.partition("  #")[0].strip() for line in joined.splitlines())
    return [line for line in typed if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the `seed/` of a checkout and files of the reader's own."""
    here = tmp_path_factory.mktemp("reader")
    shutil.copytree("seed", here / "seed")
    (here / "notes").mkdir()
    (here / "notes" / "sea.md").write_text("# The sea\n\nThe harbour froze in February.\n")
    (here / "chat.jsonl").write_text('{"role": "user", "content": "I keep bees now."}\n')
    (here / "people.csv").write_text("note,town\nMira mends nets.,Westerpoint\n")
    return here


@pytest.fixture
def reader(environment: dict[str, str], demo_realm: str) -> dict[str, str]:
    """The environment of somebody who has run the demo."""
    return environment | {"PYTHONPATH": os.getcwd(), "ASTERISM_REALM": demo_realm}


def typed(words: list[str], environment: dict[str, str], folder: Path) -> None:
    with contextlib.chdir(folder):
        ran = CommandLine(environment).run(*words[1:])
    assert ran.returncode == 0, f"{shlex.join(words)}\n{ran.stderr}"


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if lines(page)], ids=str)
def test_every_shell_line_runs(page: Path, reader: dict[str, str], folder: Path) -> None:
    for line in lines(page):
        words = shlex.split(line)
        if words[0] == "make":
            assert line in GATE, f"{line}: .ci/run is where it would be tried"
        elif words[0] == "export":
            reader |= dict([words[1].split("=", 1)])
        else:
            assert words[0] == "asterism", f"{line}: only what a test can run stands in ```sh"
            typed(words, reader, folder)
