"""Questions in words about recorded sessions: right answers, and time as bare vector queries.

    python -m benchmarks.causal_questions [INTENTS]

Forty-three questions about six of the labelled evenings, asked of all of them at once, are answered
right if a chain ends at one of their lines. The time is measured at so many intents of random
vectors and real words, as a multiple of one bare vector query over the same index. Both come right
after the embedding of the question and leave it out.
"""

import asyncio
import hashlib
import json
import sys
import time
from pathlib import Path
from statistics import median

import numpy as np

from asterism import schema
from asterism.embedding import pack_vector
from asterism.graph import Graph
from benchmarks.causal_links import labelled_sessions, transcript
from benchmarks.causality import SESSION_LINES, session, session_lines
from benchmarks.servers import OwnServer, own_server
from benchmarks.table import Measurement, publish
from benchmarks.timing import timed

REALM = "bench-causal-questions"
QUESTIONS = Path(__file__).parent / "data" / "causal_questions.json"
INTENTS = 5_000
ASKED, WARM = 60, 4
BARE = """CYPHER 25
MATCH (line:Intent|Consequence)
  SEARCH line IN (
    VECTOR INDEX causal_embedding FOR $vector WHERE line.realm = $realm LIMIT 10
  ) SCORE AS similarity
RETURN line.id AS id, similarity"""


class RandomEmbedder:
    """Vectors that depend on the text and mean nothing, as fast as they can be made."""

    name = "bench-random"
    dimensions = 384

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        vector = np.random.default_rng(seed).standard_normal(self.dimensions)
        result: list[float] = (vector / np.linalg.norm(vector)).tolist()
        return result


async def quality() -> list[Measurement]:
    """Ask the questions about the evenings, with the default model and settings."""
    questions = json.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"]
    async with Graph.open(realm=REALM) as graph:
        await graph.realms.delete(REALM)
        for each in labelled_sessions():
            source = transcript(each["session"])
            await graph.causality.record(source.session_id, source.lines, dm=source.dm)
        ranks = []
        for asked in questions:
            answers = await graph.causality.find(asked["question"], k=5)
            right = [
                (answer.session_id, answer.end.anchor_index)
                in {(asked["session"], line) for line in asked["lines"]}
                for answer in answers
            ]
            ranks.append(right.index(True) + 1 if True in right else len(questions))
        await graph.realms.delete(REALM)
    total = f"of {len(questions)} questions"
    return [
        Measurement(f"right within {most}", sum(rank <= most for rank in ranks), total)
        for most in (1, 3, 5)
    ]


async def speed(server: OwnServer, intents: int) -> list[Measurement]:
    """Measure a question over so many intents, in turns with a bare vector query."""
    embedder = RandomEmbedder()
    async with server.graph(REALM, embedder=embedder) as graph:
        recorded, sessions, seconds = 0, 0, 0.0
        await graph.database.driver.execute_query(
            "DROP INDEX causal_embedding"
        )  # faster as a whole
        while recorded < intents:
            source = session(f"s{sessions}", SESSION_LINES, sessions)
            began = time.perf_counter()
            report = await graph.causality.record(source.session_id, source.lines, dm=source.dm)
            await graph.causality.embed()
            seconds += time.perf_counter() - began
            recorded += report.intents
            sessions += 1
        await schema.step(graph.database, "schema/014/causal_embedding")
        await graph.database.driver.execute_query("CALL db.awaitIndexes(3600)")
        times: dict[str, list[float]] = {"bare": [], "find": []}
        texts = [line.content for line in session_lines() if len(line.content) > 30]
        for number in range(ASKED * (WARM + 1)):
            text = texts[number % ASKED * 3 % len(texts)]
            vector = pack_vector(embedder.embed_query(text))
            bare = await timed(
                graph.database.driver.execute_query(BARE, vector=vector, realm=REALM)
            )
            find = await timed(graph.causality.find(text, k=5))
            if number >= ASKED * WARM:
                times["bare"].append(bare)
                times["find"].append(find)
    bare, find = median(times["bare"]), median(times["find"])
    return [
        Measurement(
            f"{recorded:,} intents recorded, with vectors", seconds, "s", "but for the index"
        ),
        Measurement("bare vector query, p50", bare, "ms"),
        Measurement("causality.find, p50", find, "ms", f"{find / bare:.2f}x bare, limit 3"),
        Measurement("causality.find, p95", sorted(times["find"])[int(0.95 * ASKED)], "ms"),
    ]


def main(intents: int = INTENTS) -> None:
    measurements = asyncio.run(quality())
    publish("causal_questions", measurements)
    with own_server() as server:
        measurements += asyncio.run(speed(server, intents))
    publish("causal_questions", measurements)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
