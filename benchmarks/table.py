"""What every benchmark prints and writes."""

import json
import platform
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Measurement:
    """One line: what was measured, the figure, and what it is compared with."""

    what: str
    value: float
    unit: str
    beside: str = ""


def publish(name: str, measurements: list[Measurement]) -> None:
    """Print a table and write benchmarks/results/<name>.json."""
    width = max(len(measurement.what) for measurement in measurements)
    print(f"\n{name}")
    for line in measurements:
        print(f"  {line.what:<{width}}  {line.value:>10.4g} {line.unit:<12} {line.beside}")
    RESULTS.mkdir(exist_ok=True)
    document = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "measurements": [asdict(line) for line in measurements],
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(document, indent=2))


def milliseconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The median time of a piece of work."""
    return median(_timed(work) for _ in range(repeats))


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


async def alternating(
    one: Callable[[], Awaitable[object]], other: Callable[[], Awaitable[object]], rounds: int
) -> tuple[float, float]:
    """Median milliseconds of two pieces of work, taken in turns so that noise hits both."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds):
        for index in (turn % 2, 1 - turn % 2):
            start = time.perf_counter()
            await (one, other)[index]()
            times[index].append((time.perf_counter() - start) * 1000)
    return median(times[0]), median(times[1])
