"""Runs every benchmark, or those named: `python -m benchmarks.run foundation`."""

import sys
from importlib import import_module
from pathlib import Path

NOT_BENCHMARKS = {"__init__", "peer_consolidation", "run", "table"}


def main(chosen: list[str]) -> None:
    here = Path(__file__).parent
    names = sorted(path.stem for path in here.glob("*.py") if path.stem not in NOT_BENCHMARKS)
    for name in chosen or names:
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
