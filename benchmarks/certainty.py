"""Share of answerable questions that stay at `likely`, and of false alarms of the others.

    python -m benchmarks.certainty [QUESTIONS.json ...]

`benchmarks/certainty_questions.json` holds three kinds of realms (notes, documents, conversations),
each twice: one to develop on, one held out. Each is asked what it can answer, and three kinds of
questions that it can't: of foreign subjects, those that another of the realms answers, and near
misses, which are about the same people and things, but about what was never told. The first two
are what a realm can't know; near misses are counted apart. Further files are question
sets as benchmarks.recall takes them: the questions of one half are asked where the passages that
answer them are left out. Run it on a server of its own (ASTERISM_HOME).
"""

import asyncio
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from asterism.clock import aware
from asterism.database import Row
from asterism.graph import Graph
from asterism.recall.certainty import LEAST_SCORES
from benchmarks.table import Measurement, publish

QUESTIONS = Path(__file__).with_name("certainty_questions.json")
REALM = "bench-certainty"
CURVE = (0.3, 0.5, 0.7, 0.85, 0.95)
UNKNOWN = ("foreign", "elsewhere")
UNANSWERABLE = ("near_misses", *UNKNOWN)
ELSEWHERE = 40  # questions of other realms for each


@dataclass(frozen=True)
class Asked:
    """A question, what is known about it, and how certain the answer was."""

    realm: str
    kind: str
    part: str
    label: str
    question: str
    score: float
    evidence: int = 0
    evidence_in_context: int = 0


def lines(file: Path) -> list[Row]:
    """Return the items of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def realms() -> list[Row]:
    """Return the realms of the benchmark, each with its memories and questions."""
    chosen: list[Row] = json.loads(QUESTIONS.read_text(encoding="utf-8"))["realms"]
    return [realm | {"elsewhere": _elsewhere(realm, chosen)} for realm in chosen]


def _elsewhere(realm: Row, all_realms: Sequence[Row]) -> list[str]:
    """Return questions that other realms answer, evenly from all of them."""
    questions = [
        question["question"]
        for other in all_realms
        if other["name"] != realm["name"]
        for question in other["answerable"]
    ]
    return questions[:: max(1, len(questions) // ELSEWHERE)][:ELSEWHERE]


def halves(question_set: Row, name: str) -> Iterator[Row]:
    """Return two realms of a question set, each without what answers the other's questions."""
    questions = question_set["questions"]
    for half in (0, 1):
        own, others = questions[half::2], questions[1 - half :: 2]
        kept = {id for question in own for id in question["gold"]}
        left_out = {id for question in others for id in question["gold"]} - kept
        passages = [each for each in question_set["passages"] if each["id"] not in left_out]
        yield {
            "name": f"{name}, half {half + 1}",
            "kind": "documents",
            "part": name,
            "memories": [_memory(each) for each in passages],
            "answerable": own,
            "near_misses": [question["question"] for question in others],
            "foreign": [],
            "elsewhere": [],
        }


async def ask(graph: Graph, realm: Row) -> list[Asked]:
    """Remember a realm's memories, consolidate, and ask its questions."""
    await graph.realms.delete(graph.realm)
    await graph.memories.remember_many([_timed(memory) for memory in realm["memories"]])
    await graph.consolidation.consolidate()
    about = (realm["name"], realm["kind"], realm["part"])
    asked = []
    for row in realm["answerable"]:
        answer = await graph.recall.find(row["question"])
        found = {hit.id for hit in answer.hits} & set(row["gold"])
        context = await graph.recall.prompt(row["question"], k=10, tokens=100_000, touch=False)
        counts = (len(found), len(found & set(context.ids)))
        score = answer.certainty_score
        asked.append(Asked(*about, "answerable", row["question"], score, *counts))
    for label in UNANSWERABLE:
        for query in realm[label]:
            answer = await graph.recall.find(query)
            asked.append(Asked(*about, label, query, answer.certainty_score))
    return asked


def share(asked: Iterable[Asked], labels: Sequence[str], least: float) -> float:
    """Return the share of questions with these labels whose answer reaches a score."""
    scores = [each.score for each in asked if each.label in labels]
    return sum(score >= least for score in scores) / len(scores) if scores else 0.0


def measurements(name: str, asked: Sequence[Asked]) -> list[Measurement]:
    """Return what stays and what is falsely found, at each certainty and along the curve."""
    named = {least: str(certainty) for certainty, least in LEAST_SCORES.items()}
    rows = []
    for least in sorted({*CURVE, *named}):
        false = {label: share(asked, [label], least) for label in UNANSWERABLE}
        comment = (
            f"false alarms {share(asked, UNKNOWN, least):.1%}: foreign {false['foreign']:.1%}, "
            f"elsewhere {false['elsewhere']:.1%}; near misses {false['near_misses']:.1%}"
        )
        label = f"{name}, {named.get(least, f'from {least}')}"
        kept = share(asked, ["answerable"], least)
        rows.append(Measurement(label, round(100 * kept, 1), "% kept", comment))
    found = sum(each.evidence for each in asked)
    if found:
        handed = sum(each.evidence_in_context for each in asked)
        comment = f"{handed} of {found} memories that answer, with the default minimum"
        rows.append(
            Measurement(f"{name}, context", round(100 * handed / found, 1), "% kept", comment)
        )
    return rows


async def measure(sets: Mapping[str, Row]) -> list[Measurement]:
    """Ask everything, and sum up by part, by kind and as a whole."""
    chosen = realms()
    asked: list[Asked] = []
    rows: list[Measurement] = []
    async with Graph.open(realm=REALM) as graph:
        for realm in chosen:
            asked += await ask(graph, realm)
        for group in ("development", "held out", "notes", "documents", "conversations"):
            part = [each for each in asked if group in (each.part, each.kind)]
            rows += measurements(group, part)
        rows += measurements("all", asked)
        for name, question_set in sets.items():
            further = [
                each for half in halves(question_set, name) for each in await ask(graph, half)
            ]
            rows += measurements(name, further)
        await graph.realms.delete(REALM)
    return rows


def _memory(passage: Row) -> Row:
    return {"id": passage["id"], "about": passage["title"], "text": passage["text"]}


def _timed(memory: Row) -> Row:
    return memory | ({"at": aware(datetime.fromisoformat(memory["at"]))} if "at" in memory else {})


def main() -> None:
    files = [Path(word) for word in sys.argv[1:] if word.endswith(".json")]
    sets = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    publish("certainty", asyncio.run(measure(sets)))


if __name__ == "__main__":
    main()
