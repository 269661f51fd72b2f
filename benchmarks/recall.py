"""Recall compared with other ways of searching, on sets of questions with known answers.

    python -m benchmarks.recall [--ablations] [--together] [--beside SET] [--embedder NAME]
        [SET ...]

A SET is a file or the name of one in benchmarks/data/languages (all of these where none is
named) or benchmarks/data (notes_person_a).
It holds `passages` (id, text, and perhaps title, session, speaker and an ISO time `at`) and
`questions` (question, gold: ids); `language` is printed. Each set has a realm of its own;
--together puts all of them into one realm and measures the questions of each set there. More
passages cost some of the answers in any language, so what a second language costs is the difference
between `--beside` a set in another language and `--beside` as many passages in the same.
Retrievers of neo4j-graphrag are measured too where that package is installed. They search whole
indexes, so run this on a server of its own (ASTERISM_HOME).
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from asterism.database import Row
from asterism.graph import Graph
from benchmarks.recall_ways import Baselines, Bm25, Search, graphrag
from benchmarks.table import write

REALM = "bench-recall"
DATA = Path(__file__).parent / "data"
LANGUAGES = DATA / "languages"
OURS = "recall.find"
ALL_GOLD_WITHIN = 8
WARM = 1
HOP = {"hop_mention": 0.0, "hop_subject": 0.0, "hop_term": 0.0}
ABLATIONS: dict[str, dict[str, float]] = {
    "without names of the question": {"name": 0.0},
    "without words": {"words": 0.0},
    "without neighbours and sessions": {"neighbour": 0.0, "session": 0.0},
    "without the hop": HOP,
    "without rare words in the hop": {"hop_term": 0.0},
    "fused score alone": HOP | {"neighbour": 0.0, "session": 0.0},
}


@dataclass(frozen=True)
class Quality:
    """Share of the gold memories that a search finds, in percent, and its milliseconds."""

    set: str
    language: str
    way: str
    at_1: float
    at_2: float
    at_5: float
    at_10: float
    all_gold: float
    p50: float
    p95: float


@dataclass(frozen=True)
class QuestionSet:
    """Passages and questions of one file."""

    name: str
    language: str
    passages: list[Row]
    questions: list[Row]


async def quality(questions: QuestionSet, way: str, find: Search) -> Quality:
    """Measure recall at 1, 2, 5 and 10, all gold in the first eight, and latency, once warm."""
    for question_row in questions.questions * WARM:
        await find(question_row["question"])
    sums, times, whole = {1: 0.0, 2: 0.0, 5: 0.0, 10: 0.0}, [], 0
    for question_row in questions.questions:
        began = time.perf_counter()
        ids = await find(question_row["question"])
        times.append((time.perf_counter() - began) * 1000)
        gold = set(question_row["gold"])
        for k in sums:
            sums[k] += len(gold & set(ids[:k])) / len(gold)
        whole += gold <= set(ids[:ALL_GOLD_WITHIN])
    share = 100 / len(questions.questions)
    times.sort()
    shares = [round(value * share, 1) for value in (*sums.values(), whole)]
    milliseconds = [round(value, 1) for value in (median(times), times[int(0.95 * len(times))])]
    return Quality(questions.name, questions.language, way, *shares, *milliseconds)


async def ways(graph: Graph, passages: list[Row]) -> dict[str, Search]:
    """Return every way of searching the passages of a realm, ours last."""
    base = Baselines(graph)
    await base.index()
    return {
        "vector": base.vector,
        "fulltext": base.fulltext,
        "BM25, no index": Bm25(passages).find,
        "RRF of vector and fulltext": base.rrf,
        **(await graphrag(graph)),
        OURS: ours(graph),
    }


def ours(graph: Graph) -> Search:
    async def find(query: str) -> list[str]:
        return [hit.id for hit in (await graph.recall.find(query)).hits]

    return find


async def compare(sets: Sequence[QuestionSet], options: argparse.Namespace) -> list[Quality]:
    """Measure every way of searching on sets whose passages share one realm."""
    beside = [load(name) for name in options.beside]
    passages = [passage for questions in [*sets, *beside] for passage in questions.passages]
    results: list[Quality] = []
    async with _graph(options) as graph:
        await graph.realms.delete(REALM)
        receipt = await graph.memories.remember_many(map(_item, passages))
        if receipt.rejected:
            raise SystemExit(f"a passage is rejected: {receipt.rejected[0].reason}")
        await graph.recall.find("warm up")
        for way, find in (await ways(graph, passages)).items():
            results += [await quality(questions, way, find) for questions in sets]
    for way, changed in ABLATIONS.items() if options.ablations else ():
        async with _graph(options, {"recall": changed}) as graph:
            results += [await quality(questions, way, ours(graph)) for questions in sets]
    async with _graph(options) as graph:
        await Baselines(graph).remove_index()
        await graph.realms.delete(REALM)
    return sorted(results, key=lambda result: [each.name for each in sets].index(result.set))


def _graph(options: argparse.Namespace, settings: dict[str, Any] | None = None) -> Graph:
    chosen = {"embedding": {"model": options.embedder}} if options.embedder else {}
    return Graph.open(realm=REALM, settings=chosen | (settings or {}))


def _item(passage: Row) -> Row:
    item: Row = {key: passage[key] for key in ("session", "speaker") if passage.get(key)}
    if passage.get("at"):
        at = datetime.fromisoformat(passage["at"])
        item["at"] = at if at.tzinfo else at.replace(tzinfo=UTC)
    if passage.get("title"):
        item["about"] = passage["title"]
    return item | {"id": passage["id"], "text": passage["text"]}


def load(name: str) -> QuestionSet:
    """Read a set, with ids that no other set has."""
    path = Path(name) if name.endswith(".json") else LANGUAGES / f"{name}.json"
    if not path.is_file() and not (path := DATA / f"{name}.json").is_file():
        raise SystemExit(f"there is no set {name!r}: give a file, or one of {', '.join(shipped())}")
    content = json.loads(path.read_text(encoding="utf-8"))
    if "notes" in content:
        content |= _of_notes(content)

    def own(id: str) -> str:
        return f"{path.stem}:{id}"

    passages = [row | {"id": own(row["id"])} for row in content["passages"]]
    for row in passages:
        if row.get("session"):
            row["session"] = own(row["session"])
    questions = [row | {"gold": [own(id) for id in row["gold"]]} for row in content["questions"]]
    return QuestionSet(path.stem, content.get("language", "-"), passages, questions)


def _of_notes(content: Row) -> Row:
    """Return the passages and questions of a file of dated notes."""
    return {
        "passages": [{"id": row["id"], "text": row["text"]} for row in content["notes"]],
        "questions": [
            {"question": row["text"], "gold": row["answers"]} for row in content["questions"]
        ],
    }


def shipped() -> list[str]:
    """Return the names of the sets that ship with the benchmark."""
    return sorted(path.stem for path in LANGUAGES.glob("*.json"))


def table(results: list[Quality]) -> None:
    """Print a table of all sets and ways."""
    set_width = max(len(each.set) for each in results)
    way_width = max(len(each.way) for each in results)
    head = "   R@1   R@5  R@10  all in 8     p50     p95"
    print(f"\nrecall, %\n  {'set':<{set_width}} lang  {'way':<{way_width}}{head} ms")
    for each in results:
        name = f"  {each.set:<{set_width}} {each.language:<4}  {each.way:<{way_width}}"
        rates = f"{each.at_1:6.1f}{each.at_5:6.1f}{each.at_10:6.1f}{each.all_gold:10.1f}"
        print(f"{name}{rates}{each.p50:8.1f}{each.p95:8.1f}")


def measure(arguments: list[str]) -> None:
    """Compare the sets that the arguments name, print a table and write the JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall")
    parser.add_argument("--ablations", action="store_true", help="also without single steps")
    parser.add_argument("--together", action="store_true", help="all sets in one realm")
    parser.add_argument(
        "--beside",
        metavar="SET",
        action="append",
        default=[],
        help="whose passages are in each realm too, but whose questions are not asked",
    )
    parser.add_argument("--embedder", help="another model than the default")
    parser.add_argument("sets", nargs="*", metavar="SET", help="a file, or the name of a set")
    options = parser.parse_args(arguments)
    sets = [load(name) for name in options.sets or shipped()]
    groups = [sets] if options.together else [[each] for each in sets]

    async def everything() -> list[Quality]:
        return [result for group in groups for result in await compare(group, options)]

    results = asyncio.run(everything())
    table(results)
    write("recall", [asdict(result) for result in results])


def main() -> None:
    measure([])


if __name__ == "__main__":
    measure(sys.argv[1:])
