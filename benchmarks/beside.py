"""A benchmark of this checkout beside that of another one, in turns.

    python -m benchmarks.beside FOLDER NAME [ARGUMENT ...]

FOLDER is another checkout of the project, with its environment in `.venv`. It runs its own
benchmark of that name, or this one's where it has none. Lines of the same name are compared by
the median of the turns; a time or a rate that is more than 5 % worse is marked.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.table import Measurement, publish

ROUNDS = 3
WORSE = 1.05
TIMES = ("s", "ms")
HERE = Path(__file__).parents[1]

Figures = dict[str, list[Measurement]]


def in_turns(other: Path, name: str, words: list[str], rounds: int) -> tuple[Figures, Figures]:
    """Run a benchmark of both checkouts in turns, and return the lines of each by their names."""
    before: Figures = {}
    now: Figures = {}
    both = [(other, before), (HERE, now)]
    for turn in range(rounds):
        for checkout, figures in both if turn % 2 == 0 else both[::-1]:
            print(f"turn {turn + 1} of {rounds}: {checkout}", file=sys.stderr, flush=True)
            for line in _run(checkout, name, words):
                figures.setdefault(line.name, []).append(line)
    return before, now


def _run(checkout: Path, name: str, words: list[str]) -> list[Measurement]:
    """Run a benchmark with the package of a checkout."""
    folder = checkout if (checkout / "benchmarks" / f"{name}.py").is_file() else HERE
    python = checkout / ".venv" / "bin" / "python"
    command = [str(python), "-m", f"benchmarks.{name}", *words]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    result = folder / "benchmarks" / "results" / f"{name}.json"
    return [_measurement(line) for line in json.loads(result.read_text())["measurements"]]


def _measurement(line: dict[str, Any]) -> Measurement:
    if "value" not in line:
        raise SystemExit("this benchmark has rows of its own, which can't be compared")
    return Measurement(line["name"], line["value"], line["unit"], line["comment"])


def compared(before: list[Measurement], now: list[Measurement]) -> Measurement:
    """Return the present figure of a line, with the former one and their ratio."""
    first, second = (median(line.value for line in lines) for lines in (before, now))
    unit = now[0].unit
    comment = f"before {first:.4g}"
    if first:
        comment += f", {second / first:.2f} times"
    if (unit in TIMES and second > first * WORSE) or ("/s" in unit and second * WORSE < first):
        comment += ", WORSE"
    return Measurement(now[0].name, second, unit, comment)


def main() -> None:
    parser = argparse.ArgumentParser(description="Run a benchmark of two checkouts in turns.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("name")
    parser.add_argument("words", nargs="*", metavar="ARGUMENT")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    before, now = in_turns(chosen.folder, chosen.name, chosen.words, chosen.rounds)
    lines = [compared(before[name], now[name]) for name in now if name in before]
    if not lines:
        raise SystemExit("the two have no line of the same name")
    publish(f"{chosen.name}-beside", lines)


if __name__ == "__main__":
    main()
