"""Measurements of a benchmark, printed as a table and written as JSON."""

import json
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Measurement:
    """One line of a table: a figure with its name, unit and a comment."""

    name: str
    value: float
    unit: str
    comment: str = ""


def publish(benchmark: str, measurements: list[Measurement]) -> None:
    """Print the table and write it to benchmarks/results/<benchmark>.json."""
    width = max(len(measurement.name) for measurement in measurements)
    print(f"\n{benchmark}")
    for line in measurements:
        print(f"  {line.name:<{width}}  {line.value:>10.4g} {line.unit:<12} {line.comment}")
    write(benchmark, [asdict(line) for line in measurements])


def write(benchmark: str, measurements: list[dict[str, Any]]) -> None:
    """Write the figures to benchmarks/results/<benchmark>.json."""
    RESULTS.mkdir(exist_ok=True)
    document = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "measurements": measurements,
    }
    (RESULTS / f"{benchmark}.json").write_text(json.dumps(document, indent=2))
