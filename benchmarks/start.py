"""Start: how long one waits for a server, a command and the first question of a process.

Each is a process of its own, as a person starts it. Seconds are those of the clock on the wall,
processor seconds those of the process without the server.
"""

import asyncio
import os
import resource
import subprocess
import sys
import time
from statistics import median

from benchmarks.servers import OwnServer, own_server, wait_for_archive
from benchmarks.table import Measurement, publish

ROUNDS = 7
REALM = "bench-start"
TEXTS = [f"Ada found notebook {number} in the cellar of the lighthouse." for number in range(50)]
QUESTION = "Where did Ada find notebook 7?"
ASK = f"""
import asyncio
from asterism import Graph

async def ask(questions):
    async with Graph.open(realm={REALM!r}) as graph:
        for question in questions:
            await graph.recall.find(question)

asyncio.run(ask(%r))
"""
OTHERS = [
    "lighthouse",
    "Who found something in the cellar that nobody had seen since the storm of last winter?",
    "Ada",
    "What about notebook 12?",
    "notebooks",
    "Who met whom in Rome about case 4711, and why was it important to all who had been there?",
    "Did Bert meet Ada?",
    "What did I say of the garden, the letter, the train to Rome and the price of milk?",
]
LIMITS = {
    "asterism up": "limit 3.5",
    "first question in a process": "limit 0.4",
    "asterism recall": "limit 0.9",
}

Times = list[tuple[float, float]]


def measure(server: OwnServer) -> list[Measurement]:
    """Measure the commands and the question in turns."""
    os.environ["ASTERISM_HOME"] = str(server.folder / "home")
    asyncio.run(_remember(server))
    wait_for_archive()
    took: dict[str, Times] = {}
    for _ in range(ROUNDS):
        for name, words in _commands().items():
            took.setdefault(name, []).append(_run(words))
    return [line for name, times in took.items() for line in _lines(name, times)]


def _commands() -> dict[str, list[str]]:
    """Return what is run, in its order: the first question comes right after a start."""
    asterism = [sys.executable, "-m", "asterism"]
    return {
        "asterism down": [*asterism, "down"],
        "asterism up": [*asterism, "up"],
        "first question to a server just started": _asking(QUESTION),
        "eight other questions after it": _asking(*OTHERS),
        "first question in a process": _asking(QUESTION),
        "asterism recall": [*asterism, "recall", QUESTION, "--realm", REALM],
        "python -c ''": [sys.executable, "-c", ""],
    }


def _asking(*questions: str) -> list[str]:
    return [sys.executable, "-c", ASK % (questions,)]


def _run(words: list[str]) -> tuple[float, float]:
    """Return the seconds and the processor seconds of a process."""
    used, began = _children(), time.perf_counter()
    subprocess.run(words, check=True, capture_output=True)
    return time.perf_counter() - began, _children() - used


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _lines(name: str, times: Times) -> list[Measurement]:
    seconds, processor = (median(each) for each in zip(*times, strict=True))
    return [
        Measurement(name, seconds, "s", LIMITS.get(name, "")),
        Measurement(f"{name}, processor", processor, "s"),
    ]


async def _remember(server: OwnServer) -> None:
    async with server.graph(REALM) as graph:
        await graph.memories.remember_many([{"text": text} for text in TEXTS])
        await graph.recall.find(QUESTION)  # measures the model and embeds the texts


def main() -> None:
    with own_server() as server:
        publish("start", measure(server))


if __name__ == "__main__":
    main()
