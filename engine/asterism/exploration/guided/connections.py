"""Connections: what joins the best finding to another, and starts of any part to each other."""

from dataclasses import dataclass
from typing import Any, TypedDict, cast

from asterism.database import Database
from asterism.exploration.guided.places import Place, as_noun, spelled
from asterism.exploration.guided.question import Question
from asterism.exploration.guided.starts import Starts
from asterism.row_types import row_of
from asterism.settings import ExplorationSettings


@row_of("exploration/connections")
class ConnectionRow(TypedDict):
    """Row of exploration/connections."""

    a: str
    b: str
    names: list[str]
    words: list[str]
    edge: float | None
    links: list[dict[str, Any]]


@dataclass(frozen=True)
class Join:
    """Two places with what joins them, and whether a narrative may quote them together."""

    a: Place
    b: Place
    joined_by: tuple[str, ...]
    is_quotable: bool


async def read(
    database: Database, settings: ExplorationSettings, question: Question, starts: Starts
) -> list[Join]:
    """Return the connections worth showing, in the order of the findings."""
    texts = {place.node.element_id: place for place in starts.findings[: settings.starts]}
    others = {place.node.element_id: place for place in starts.others}
    if len(texts) + len(others) < 2:
        return []
    rows = await database.rows(
        "exploration/connections",
        settings=settings.model_dump(mode="json"),
        findings=list(texts),
        others=[id for id in others if id not in texts],
        asked_words=list(question.words),
        asked_stems=list(question.stems),
    )
    best = max((place.query_value for place in texts.values()), default=0.0)
    least = max(settings.join_alignment, best / 2)
    joins = []
    for each in rows:
        row, places = cast(ConnectionRow, each), texts | others
        a, b = places[row["a"]], places[row["b"]]
        fits = row["a"] in texts and row["b"] in texts
        fits = fits and min(a.query_value, b.query_value) >= least
        shared = _shared(row, a, b) if fits else ()
        linked = tuple(as_noun(link["type"], link["text"]) for link in row["links"])
        if shared or linked:
            joins.append(Join(a, b, (*shared, *linked), bool(shared)))
    ranks = {id: rank for rank, id in enumerate([*texts, *others])}
    return sorted(joins, key=lambda join: (_rank(ranks, join.a), _rank(ranks, join.b)))


def _rank(ranks: dict[str, int], place: Place) -> int:
    return ranks[place.node.element_id]


def _shared(row: ConnectionRow, a: Place, b: Place) -> tuple[str, ...]:
    """Return names, words of names, and the edge that two texts share, as the texts spell them."""
    text = f"{a.node.content} {b.node.content}"
    stems_of_names = {part for name in row["names"] for part in name.split()}
    words = [word for word in row["words"] if not _within(word, stems_of_names)]
    spelled_ones = [spelled(key, text) for key in (*row["names"], *words)]
    if not spelled_ones and row["edge"] is not None:
        spelled_ones = [f"much alike, {row['edge']:.2f}"]
    return tuple(dict.fromkeys(spelled_ones))


def _within(stem: str, words: set[str]) -> bool:
    return any(word.startswith(stem) for word in words)
