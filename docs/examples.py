"""Python examples of a Markdown page: `python docs/examples.py README.md` runs them.

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
    """One block of code and its expected output, which is None where the page has none."""

    code: str
    expected: str | None

    def run(self) -> str:
        """Run the code as a user's script and return what it prints."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(self.code, "example", "exec"), {"__name__": "__main__"})
        return printed.getvalue()


def examples(page: Path) -> list[Example]:
    """Return every Python example on a page, in order."""
    blocks = _EXAMPLE.findall(page.read_text(encoding="utf-8"))
    return [Example(code, expected or None) for code, expected in blocks]


def main(page: str) -> None:
    for example in examples(Path(page)):
        print(example.code)
        print(example.run())


if __name__ == "__main__":
    main(sys.argv[1])
