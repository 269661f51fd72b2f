"""Sixty facts that change in a year of 600 turns: which text answers, now and as of before.

`benchmarks/changed_facts.json` holds the turns of seven people with an assistant, a fifth of them
German, and the facts: a question, and the turns that told it, the last of which holds. Twenty are
told again in nearly the same words, forty in words of their own, six change twice. The rule for
proposals was fitted to the facts of odd numbers.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from asterism.consolidation import ConsolidationReport
from asterism.embedding import OnnxEmbedder
from asterism.graph import Graph
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish

FILE = Path(__file__).with_name("changed_facts.json")
INSTANT = timedelta(seconds=1)
SEED = 18


@dataclass(frozen=True)
class Fact:
    """A question, and the ids of the turns that told it, the last of which holds."""

    id: int
    kind: str
    language: str
    question: str
    told: list[str]


@dataclass(frozen=True)
class ChangedFacts:
    """The turns in order, and the facts that change in them."""

    turns: list[dict[str, Any]]
    facts: list[Fact]

    @property
    def changes(self) -> list[tuple[str, str]]:
        """Return pairs of an old and a new turn, in the order of the new ones."""
        pairs = [
            pair for fact in self.facts for pair in zip(fact.told, fact.told[1:], strict=False)
        ]
        return sorted(pairs, key=lambda pair: pair[1])

    def proposable(self) -> dict[tuple[str, str], Fact]:
        """Return the pairs of a new and any older turn of a fact, which a proposal may name."""
        return {
            (new, old): fact
            for fact in self.facts
            for place, new in enumerate(fact.told)
            for old in fact.told[:place]
        }

    def before_change(self, fact: Fact) -> datetime:
        [turn] = [turn for turn in self.turns if turn["id"] == fact.told[1]]
        return datetime.fromisoformat(turn["at"]) - INSTANT


Correct = Callable[[Graph, ChangedFacts], Awaitable[None]]


@dataclass(frozen=True)
class Answers:
    """Numbers of the facts whose valid turn comes first now, and whose old one came before."""

    valid: list[int]
    old: list[int]
    before: list[int]


class CachingEmbedder:
    """The default model, which embeds each text once for all realms of a benchmark."""

    calibrated = True

    def __init__(self) -> None:
        self._model = OnnxEmbedder()
        self._vectors: dict[str, list[float]] = {}
        self.name, self.dimensions = self._model.name, self._model.dimensions

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        vectors = self._model.embed_documents(missing) if missing else []
        self._vectors |= dict(zip(missing, vectors, strict=True))
        return [self._vectors[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self._model.embed_query(text)


def load() -> ChangedFacts:
    """Return the turns and facts of the file."""
    document = json.loads(FILE.read_text())
    return ChangedFacts(document["turns"], [Fact(**fact) for fact in document["facts"]])


async def remember(graph: Graph, turns: Sequence[dict[str, Any]]) -> None:
    receipt = await graph.memories.remember_many(turns)
    if receipt.rejected:
        raise SystemExit(f"a turn is rejected: {receipt.rejected[0].reason}")


async def correct_in_order(graph: Graph, data: ChangedFacts) -> None:
    """Remember the turns in their order, and each change as the correction that it is."""
    former = {new: old for old, new in data.changes}
    waiting: list[dict[str, Any]] = []
    for turn in data.turns:
        if turn["id"] in former:
            await remember(graph, waiting)
            waiting = []
            fields = {name: value for name, value in turn.items() if name != "text"}
            fields["at"] = datetime.fromisoformat(turn["at"])
            await graph.memories.correct(former[turn["id"]], turn["text"], **fields)
        else:
            waiting.append(turn)
    await remember(graph, waiting)


async def correct_shuffled(graph: Graph, data: ChangedFacts) -> None:
    """Remember the turns in any order, and supersede what has changed in any order."""
    shuffle = random.Random(SEED)
    await remember(graph, shuffle.sample(data.turns, len(data.turns)))
    for old, new in shuffle.sample(data.changes, len(data.changes)):
        await graph.memories.supersede(old, new)


async def accept_all(graph: Graph) -> int:
    """Accept every open proposal, and return how many there were."""
    proposals = await graph.memories.proposals(limit=1000)
    for proposal in proposals:
        await graph.memories.accept(proposal.id)
    return len(proposals)


async def ask(graph: Graph, data: ChangedFacts) -> Answers:
    """Ask every question, now and as of the moment before its fact changed."""
    valid, old, before = [], [], []
    for fact in data.facts:
        first = (await graph.recall.find(fact.question, k=1)).hits[0].id
        valid += [fact.id] if first == fact.told[-1] else []
        old += [fact.id] if first in fact.told[:-1] else []
        time = data.before_change(fact)
        [hit] = (await graph.recall.find(fact.question, k=1, at=time)).hits
        before += [fact.id] if hit.id == fact.told[0] else []
    return Answers(valid, old, before)


def proposal_lines(data: ChangedFacts, report: ConsolidationReport) -> list[Measurement]:
    """Measure how many changes are proposed, and how many proposals are right."""
    right = data.proposable()
    chosen = [(item.id, item.of) for item in report.updates]
    hits = [pair for pair in chosen if pair in right]
    found = {pair[0]: right[pair].id for pair in hits}
    halves = [sum(fact % 2 == half for fact in found.values()) for half in (1, 0)]
    comment = f"{halves[0]} of the facts it was fitted to, {halves[1]} of the others"
    share = 100 * len(hits) / max(1, len(chosen))
    return [
        Measurement("changes proposed", len(found), f"of {len(data.changes)}", comment),
        Measurement("proposals that are right", share, "%", f"{len(hits)} of {len(chosen)}"),
    ]


def answer_lines(name: str, answers: Answers) -> list[Measurement]:
    held_out = sum(fact % 2 == 0 for fact in answers.valid)
    comment = f"{held_out} of even number; the old one first: {len(answers.old)}"
    return [
        Measurement(f"{name}: the valid one first", len(answers.valid), "of 60", comment),
        Measurement(f"{name}: the old one first, as of before", len(answers.before), "of 60"),
    ]


async def measure(server: OwnServer) -> list[Measurement]:
    """Measure nothing done, proposals, and corrections in both orders."""
    data, embedder = load(), CachingEmbedder()
    lines: list[Measurement] = []
    async with server.graph(embedder=embedder) as graph:
        await remember(graph, data.turns)
        report = await graph.consolidation.consolidate()
        lines += answer_lines("nothing done", await ask(graph, data))
        lines += proposal_lines(data, report)
        await accept_all(graph)
        lines += answer_lines("every proposal accepted", await ask(graph, data))
        await graph.realms.delete(graph.realm)
    own = {"consolidation": {"accept_own": True}}
    async with server.graph(embedder=embedder, settings=own) as graph:
        await remember(graph, data.turns)
        report = await graph.consolidation.consolidate()
        right = sum((item.id, item.of) in data.proposable() for item in report.accepted)
        comment = f"{right} of {len(report.accepted)} accepted"
        share = 100 * right / max(1, len(report.accepted))
        lines.append(Measurement("accept_own: right", share, "%", comment))
        lines += answer_lines("accept_own", await ask(graph, data))
        await graph.realms.delete(graph.realm)
    for name, correct in (("in order", correct_in_order), ("shuffled", correct_shuffled)):
        async with server.graph(embedder=embedder) as graph:
            await correct(graph, data)
            await graph.consolidation.consolidate()
            lines += answer_lines(f"corrected, {name}", await ask(graph, data))
            await graph.realms.delete(graph.realm)
    return lines


def main() -> None:
    with own_server() as server:
        publish("changed_facts", asyncio.run(measure(server)))


if __name__ == "__main__":
    main()
