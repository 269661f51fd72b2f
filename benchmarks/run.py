"""Every benchmark, or those named: `python -m benchmarks.run foundation stars`."""

import sys
from importlib import import_module
from pathlib import Path

SUPPORT = {
    "__init__",
    "beside",  # needs another checkout
    "joined_notes",
    "peer_consolidation",
    "recall_java",  # needs a second Java
    "recall_ways",
    "run",
    "servers",
    "table",
    "timing",
    "year",  # takes 40 minutes: on demand only
}


def names() -> list[str]:
    """Return the names of all benchmarks."""
    modules = (path.stem for path in Path(__file__).parent.glob("*.py"))
    return sorted(name for name in modules if name not in SUPPORT)


def main(chosen: list[str]) -> None:
    for name in chosen or names():
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
