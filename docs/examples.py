"""Runs the Python examples of a Markdown file: `python docs/examples.py README.md`.

A ```text block right after a ```python block is what the example prints, to the letter.
"""

import contextlib
import io
import re
import sys
from dataclasses import dataclass
from pathlib import Path

_EXAMPLE = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """One block of code, and what it prints; None where the page does not say."""

    code: str
    expected: str | None

    def run(self) -> str:
        """Run it as a user's script would run; returns what it printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(self.code, "example", "exec"), {"__name__": "__main__"})
        return printed.getvalue()


def examples(page: Path) -> list[Example]:
    """Every Python example on a page, in order."""
    found = _EXAMPLE.findall(page.read_text(encoding="utf-8"))
    return [Example(code, expected or None) for code, expected in found]


def main(page: str) -> None:
    for example in examples(Path(page)):
        print(example.code)
        print(example.run())


if __name__ == "__main__":
    main(sys.argv[1])
