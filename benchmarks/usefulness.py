"""Usefulness of explorations: answers beside recall, joins, time, effects of runs, confirming.

`python -m benchmarks.usefulness` measures the notes of `benchmarks/data`, and files of passages
with questions that are named, such as a sample of MuSiQue.
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import mean, median
from typing import Any

from asterism.exploration import Exploration
from asterism.graph import Graph
from benchmarks.servers import own_server
from benchmarks.table import Measurement, publish

DATA = Path(__file__).parent / "data"
NOTES = ("notes_person_a.json", "notes_person_b.json", "notes_german.json")
TEN = 10
RUNS = (20, 50)
PATIENCE = 600


@dataclass(frozen=True)
class Question:
    """A question, the ids that answer it, and the name of its set."""

    text: str
    answers: frozenset[str]


def read(path: Path) -> tuple[list[dict[str, Any]], list[Question], set[frozenset[str]]]:
    """Return the texts of a file, its questions, and the pairs that are marked as related."""
    document = json.loads(path.read_text(encoding="utf-8"))
    texts = [_text(row) for row in document.get("notes", document.get("passages"))]
    questions = [
        Question(row.get("text", row.get("question")), frozenset(_answers(row)))
        for row in document["questions"]
    ]
    return texts, questions, {frozenset(pair[:2]) for pair in document.get("related", [])}


def _text(row: dict[str, Any]) -> dict[str, Any]:
    text = {"id": row["id"], "text": row["text"], "tags": row.get("tags", [])}
    if "title" in row:
        text["about"] = row["title"]
    if "date" in row:
        text["at"] = datetime.fromisoformat(f"{row['date']}T12:00+00:00")
    return text


def _answers(row: dict[str, Any]) -> Sequence[str]:
    return next(row[name] for name in ("answers", "gold", "evidence", "supporting") if name in row)


async def answers(
    graph: Graph, name: str, questions: list[Question], related: set[frozenset[str]]
) -> list[Measurement]:
    """Measure found answers, joins, reads, hops and time of explorations beside recall."""
    recall_times, times, explorations = [], [], list[Exploration]()
    counts = dict.fromkeys(("recall", "explore", "walked", "below"), 0)
    for question in questions:
        start = time.perf_counter()
        hits = (await graph.recall.find(question.text, k=TEN)).hits
        recall_times.append(time.perf_counter() - start)
        start = time.perf_counter()
        exploration = await graph.exploration.explore(
            None, question.text, dry_run=True, timeout=PATIENCE
        )
        times.append(time.perf_counter() - start)
        explorations.append(exploration)
        ids = [finding.id for finding in exploration.narratives]
        recalled = len(question.answers & {hit.id for hit in hits})
        counts["recall"] += recalled
        counts["explore"] += len(question.answers & set(ids[:TEN]))
        counts["below"] += len(question.answers & set(ids)) < recalled
        counts["walked"] += len(question.answers & set(ids))
    whole = sum(len(question.answers) for question in questions)
    reads, hops = [each.reads for each in explorations], [each.hops for each in explorations]
    ratio = median(times) / median(recall_times)
    return [
        Measurement(f"{name}: recall, ten", counts["recall"], "answers", f"of {whole}"),
        Measurement(f"{name}: explore, first ten", counts["explore"], "answers"),
        Measurement(f"{name}: explore, all", counts["walked"], "answers"),
        Measurement(f"{name}: explore below recall", counts["below"], "questions"),
        *_joins(name, questions, explorations, related),
        Measurement(f"{name}: reads", max(reads), "at most", f"{mean(hops):.1f} hops"),
        Measurement(f"{name}: time", median(times) * 1000, "ms", f"{ratio:.1f} times recall"),
    ]


def _joins(
    name: str,
    questions: list[Question],
    explorations: list[Exploration],
    related: set[frozenset[str]],
) -> list[Measurement]:
    """Return how many questions have a join, and how many of these are marked or evidence."""
    joined = [
        (question, each.connections[0])
        for question, each in zip(questions, explorations, strict=True)
        if each.connections
    ]
    good = sum(
        frozenset((pair.a, pair.b)) in related or {pair.a, pair.b} <= question.answers
        for question, pair in joined
    )
    comment = f"of {len(questions)}, {good} related or both evidence"
    return [Measurement(f"{name}: joined", len(joined), "questions", comment)]


async def runs(graph: Graph, name: str, questions: list[Question]) -> list[Measurement]:
    """Count the questions that answer otherwise after so many runs that nobody confirmed."""
    before = [await _both(graph, question) for question in questions]
    lines = list[Measurement]()
    for earlier, count in zip((0, *RUNS), RUNS, strict=False):
        for at in range(earlier, count):
            await graph.exploration.explore(
                None, questions[at % len(questions)].text, timeout=PATIENCE
            )
        after = [await _both(graph, question) for question in questions]
        for part, label in enumerate(("recall", "explore")):
            pairs = zip(before, after, strict=True)
            changed = sum(one[part] != two[part] for one, two in pairs)
            label = f"{name}: {label} after {count} runs"
            lines.append(Measurement(label, changed, "answers changed", f"of {len(questions)}"))
    return lines


async def _both(graph: Graph, question: Question) -> tuple[list[str], list[str]]:
    """Return the ids that recall and an exploration find, in order."""
    hits = (await graph.recall.find(question.text, k=TEN)).hits
    exploration = await graph.exploration.explore(
        None, question.text, dry_run=True, timeout=PATIENCE
    )
    return [hit.id for hit in hits], [finding.id for finding in exploration.narratives]


async def learning(graph: Graph, name: str, questions: list[Question]) -> list[Measurement]:
    """Measure first places of recall before and after every other answer was confirmed.

    Both halves are confirmed in turn, so that each question is once confirmed and once another.
    """
    answerable = [question for question in questions if question.answers]
    ids = {each: await _run(graph, each) for each in answerable}
    before = await _first_places(graph, answerable)
    confirmed, others = list[bool](), list[bool]()
    for half in (answerable[::2], answerable[1::2]):
        for question in half:
            await graph.exploration.confirm(ids[question], sorted(question.answers))
        after = await _first_places(graph, answerable)
        confirmed += [after[each] for each in half]
        others += [after[each] for each in answerable if each not in half]
        for question in half:
            await graph.exploration.unconfirm(ids[question])
    comment = f"{100 * mean(before.values()):.0f} before"
    return [
        Measurement(f"{name}: first place, confirmed", 100 * mean(confirmed), "%", comment),
        Measurement(f"{name}: first place, others", 100 * mean(others), "%", comment),
    ]


async def _run(graph: Graph, question: Question) -> str:
    return (await graph.exploration.explore(None, question.text, timeout=PATIENCE)).run_id


async def _first_places(graph: Graph, questions: list[Question]) -> dict[Question, bool]:
    places = {}
    for question in questions:
        hits = (await graph.recall.find(question.text, k=1)).hits
        places[question] = bool(hits) and hits[0].id in question.answers
    return places


async def measure(server: Any, files: Sequence[Path]) -> None:
    """Measure each file in a realm of its own, publishing each because the whole takes long."""
    lines = list[Measurement]()
    for path in files:
        texts, questions, related = read(path)
        async with server.graph(path.stem.replace("_", "-")) as graph:
            await graph.memories.remember_many(texts)
            await graph.consolidation.consolidate()
            lines += await answers(graph, path.stem, questions, related)
            lines += await runs(graph, path.stem, questions)
            lines += await learning(graph, path.stem, questions)
            publish("usefulness", lines)


def main(files: Sequence[str] = ()) -> None:
    paths = [*(DATA / name for name in NOTES), *map(Path, files)]
    with own_server() as server:
        asyncio.run(measure(server, paths))


if __name__ == "__main__":
    main(sys.argv[1:])
