"""Every code of a rule that the repository cites is explained in docs/reference/."""

import re
import subprocess
from pathlib import Path

import pytest

CODE = re.compile(r"(?<![\w-])(?:[A-Z]{1,2}-\d{1,2}[a-z]?|G\d{1,2})(?![\w-])")
ROW = re.compile(r"^\| *\**`?([A-Z]{1,2}-\d{1,2}[a-z]?|G\d{1,2})`?\** *\|", re.MULTILINE)
REFERENCE = Path("docs/reference")
SOURCES = ("engine", "cypher", "tests", "docs", "benchmarks", "README.md", "CHANGELOG.md")
SUFFIXES = {".py", ".cypher", ".md", ".toml"}


def cited_codes() -> dict[str, list[str]]:
    """Return every code with the files that cite it."""
    command = ["git", "ls-files", "-z", *SOURCES]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    cited: dict[str, list[str]] = {}
    for name in listing.split("\0")[:-1]:
        path = Path(name)
        if path.suffix in SUFFIXES and path.is_file() and path.name != Path(__file__).name:
            for code in set(CODE.findall(path.read_text(encoding="utf-8"))):
                cited.setdefault(code, []).append(name)
    return cited


def explained_codes() -> set[str]:
    """Return the codes that label a row of a table."""
    pages = (page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md"))
    return {code for page in pages for code in ROW.findall(page)}


def test_every_code_is_the_label_of_a_row() -> None:
    explained = explained_codes()
    unexplained = {code: files for code, files in cited_codes().items() if code not in explained}
    assert unexplained == {}


@pytest.mark.parametrize("text", ["S-14", "(D-53)", "K-60.", "`G18`"])
def test_a_code_is_recognised(text: str) -> None:
    assert CODE.search(text)


@pytest.mark.parametrize(
    "text", ["UTF-8", "2026-03-02", "SHA-256", "bge-small-en-v1.5-q", "G-code"]
)
def test_another_word_is_no_code(text: str) -> None:
    assert not CODE.search(text)
