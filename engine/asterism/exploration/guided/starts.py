"""Reads where a guided walk starts: recall's hits, and the best of every other part."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, cast

from asterism.database import Database, Row
from asterism.embedding import Calibration, pack_vector
from asterism.errors import Conflict, NotFound
from asterism.exploration.guided import scale
from asterism.exploration.guided.places import Place, snapshot
from asterism.exploration.guided.question import Question
from asterism.exploration.guided.scale import Scale
from asterism.exploration.models import label_of
from asterism.exploration.query import Query, QueryVectors
from asterism.exploration.subentity import NodeSnapshot
from asterism.recall.results import RankedMemory, SearchResult, hit
from asterism.row_types import row_of
from asterism.settings import ExplorationSettings
from asterism.text.tokens import stems, words

Embed = Callable[[Sequence[str]], Awaitable[list[Any]]]
FIRST_TIME = "0001-01-01T00:00Z"
NARRATIVE_VALUE = 0.1  # one deviation above what chance brings


@row_of("exploration/starts")
class StartsRow(TypedDict):
    """Row of exploration/starts."""

    actor: Row | None
    actor_joined: bool
    hits: list[Row]
    chosen: list[Row]
    others: list[Row]
    cosines: list[list[float]]
    unembedded: list[Row]


@dataclass(frozen=True)
class Starts:
    """Findings of recall, and where to walk from, each with the value of a front."""

    findings: tuple[Place, ...]
    fronts: tuple[tuple[Place, float], ...]
    others: tuple[Place, ...]
    actor: NodeSnapshot | None
    scales: dict[str, Scale]
    vectors: dict[str, Any] = field(default_factory=dict)  # of nodes that have none, packed


@dataclass(frozen=True)
class StartReader:
    """Reads the starts of one exploration, in one statement after recall's two."""

    database: Database
    settings: ExplorationSettings
    calibration: Calibration
    embed: Embed

    async def read(
        self, query: Query, vectors: QueryVectors, question: Question, answer: SearchResult
    ) -> Starts:
        """Return the starts, or refuse an actor or a start that is not there."""
        row = cast(
            StartsRow,
            await self.database.one(
                "exploration/starts",
                vector=pack_vector(vectors.query),
                intention=pack_vector(vectors.intention),
                ids=[each["memory"]["id"] for each in answer.hits],
                actor=query.actor or "",
                start=query.start,
                start_label=query.start_label,
                words=question.search,
                symbols=list(question.symbols),
                earliest=FIRST_TIME,
            ),
        )
        if query.actor and row["actor"] is None:
            raise NotFound("actor", query.actor, "add it with exploration.add('actor', ...)")
        scales = {
            name: scale.measured([pair[at] for pair in row["cosines"]], self.calibration)
            for at, name in enumerate(("query", "intention"))
        } | {"texts": scale.of_model(self.calibration)}
        findings = _findings(row["hits"], answer, scales)
        others = _others(row["others"], scales, set(question.terms))
        actor = None if row["actor"] is None else snapshot(row["actor"])
        fronts = [
            *zip(findings[: self.settings.starts], _lead(answer.hits), strict=False),
            *((place, place.score) for place in others),
        ]
        if actor is not None and row["actor_joined"]:
            fronts.append((Place(actor, 0.0, 0.0, "is who asks"), 1.0))
        if query.start:
            fronts = [(_chosen(row["chosen"], query.start, scales), 1.0)]
        return Starts(
            findings, tuple(fronts), others, actor, scales, await self._vectors(row["unembedded"])
        )

    async def _vectors(self, nodes: list[Row]) -> dict[str, Any]:
        """Return vectors of nodes that have none stored, by their element ids."""
        texts = [node for node in nodes if (node["text"] or "").strip()]
        if not texts:
            return {}
        made = await self.embed([node["text"] for node in texts])
        pairs = zip(texts, made, strict=True)
        return {node["element_id"]: pack_vector(vector) for node, vector in pairs}


def _findings(rows: list[Row], answer: SearchResult, scales: dict[str, Scale]) -> tuple[Place, ...]:
    """Return recall's hits in its order, each with its reason there."""
    by_place = {row["place"]: row for row in rows}
    return tuple(
        Place(
            snapshot(row),
            scales["query"].value(row["query_cosine"]),
            scales["intention"].value(row["intention_cosine"]),
            hit(ranked, answer.judge).why,
            ranked["score"],
            row["line"],
            row["at"],
        )
        for place, ranked in enumerate(answer.hits)
        if (row := by_place.get(place)) is not None
    )


def _others(
    rows: list[Row], scales: dict[str, Scale], question_stems: set[str]
) -> tuple[Place, ...]:
    """Return nodes of other parts that share words with the question, or mean what it means."""
    places = []
    for row in rows:
        node = snapshot(row)
        query_value = scales["query"].value(row["query_cosine"])
        own = words(f"{node.name} {node.content} {node.id}")
        shared = [word for word in dict.fromkeys(own) if set(stems(word)) & question_stems]
        if row["part"] == "Narrative" and query_value < NARRATIVE_VALUE:
            continue
        value = len({stem for word in shared for stem in stems(word)}) / max(1, len(question_stems))
        reason = f"has the words {', '.join(shared[:5])}" if shared else "means something similar"
        reason = "is a price of it" if row["part"] == "MarketLevel" else reason
        value = max(value, query_value)
        intention_value = scales["intention"].value(row["intention_cosine"])
        places.append(Place(node, query_value, intention_value, reason, value))
    return tuple(places)


def _lead(hits: list[RankedMemory]) -> list[float]:
    """Return how far each hit is ahead of the eighth, as a share of the lead of the first."""
    values = [
        hit["score"] - hit["parts"]["mention"] - hit["parts"]["subject"] - hit["parts"]["term"]
        for hit in hits
    ]
    if not values:
        return []
    best, eighth = max(values), sorted(values, reverse=True)[min(7, len(values) - 1)]
    if best <= eighth:
        return [1.0] * len(values)
    return [max(0.0, min(1.0, (value - eighth) / (best - eighth))) for value in values]


def _chosen(rows: list[Row], start: str, scales: dict[str, Scale]) -> Place:
    """Return the node to start at, or refuse an id that no node or several nodes have."""
    if not rows:
        raise NotFound("start", start, "it takes the id of a node of this realm")
    if len(rows) > 1:
        labels = ", ".join(sorted(label_of(row["labels"]) for row in rows))
        raise Conflict(f"start={start!r} is a {labels} at once: say which by start_label=")
    [row] = rows
    return Place(
        snapshot(row),
        scales["query"].value(row["query_cosine"]),
        scales["intention"].value(row["intention_cosine"]),
        "you chose it",
        is_line=row["line"],
        at=row["at"],
    )
