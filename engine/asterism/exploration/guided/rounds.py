"""Guided walk: fronts go on from their starts in rounds, with one read a round for all."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypedDict, cast

from asterism.database import Database, Row
from asterism.embedding import pack_vector
from asterism.exploration import formulas
from asterism.exploration.event_log import EventLog, EventType
from asterism.exploration.guided.places import Move, Place, in_words, snapshot
from asterism.exploration.guided.question import Question
from asterism.exploration.guided.starts import Starts
from asterism.exploration.models import Reason, State
from asterism.exploration.query import QueryVectors
from asterism.exploration.subentity import NodeSnapshot
from asterism.exploration.write_set import WriteSet
from asterism.row_types import row_of
from asterism.settings import ExplorationSettings

ENDINGS = {Reason.NO_LINKS: "nothing leads on from here"}


@row_of("exploration/walk_round")
class RoundRow(TypedDict):
    """Row of exploration/walk_round."""

    key: str
    count: int
    best: list[Row]


@dataclass
class Front:
    """One SubEntity of a guided walk: its start, its moves, and why it ended."""

    id: str
    start: Place
    value: float
    moves: list[Move] = field(default_factory=list)
    reason: Reason | None = None

    @property
    def place(self) -> Place:
        return self.moves[-1].place if self.moves else self.start

    @property
    def node(self) -> NodeSnapshot:
        return self.place.node


@dataclass(frozen=True)
class Weighed:
    """The places that a front could go to from a node, as they were weighed."""

    front: str
    tick: int
    at: NodeSnapshot
    count: int
    candidates: tuple[Row, ...]
    chosen: str | None


@dataclass
class GuidedWalk:
    """Rounds of all fronts, and what they plan to write."""

    database: Database
    settings: ExplorationSettings
    question: Question
    vectors: QueryVectors
    starts: Starts
    now: dict[str, int]
    at: datetime
    cosine_scale: float
    log: EventLog

    def __post_init__(self) -> None:
        self.fronts = [
            Front(f"0.{rank}", place, value)
            for rank, (place, value) in enumerate(self.starts.fronts)
        ]
        self.write_set = WriteSet()
        self.weighed: list[Weighed] = []
        self.reads = 0
        self.scored = 0
        self.cancelled = False

    async def run(self, may_continue: Callable[[], bool]) -> None:
        """Go on until no front finds a way, or `may_continue` returns False after a round."""
        for front in self.fronts:
            self._record_start(front)
        for _ in range(self.settings.rounds):
            walking = [front for front in self.fronts if front.reason is None]
            if not walking:
                break
            self.log.tick += 1
            self.log.record(EventType.TICK, live=len(walking), reads=self.reads)
            await self._round(walking)
            await self.log.wait_for_listener()
            if not may_continue():
                self.cancelled = True
                break
        for front in self.fronts:
            front.reason = front.reason or Reason.MAX_DEPTH
            ended = {
                "reason": front.reason,
                "why": ENDINGS.get(front.reason, ""),
                "at": front.node.id,
            }
            self.log.record(EventType.ENDED, front.id, **ended)

    async def _round(self, walking: list[Front]) -> None:
        rows = await self.database.rows(
            "exploration/walk_round",
            settings=self.settings.model_dump(mode="json"),
            walk=self._parameters(walking),
        )
        self.reads += 1
        answers = {row["key"]: cast(RoundRow, row) for row in rows}
        reached: set[str] = set()
        for front in walking:
            row = answers.get(front.id)
            self.scored += row["count"] if row else 0
            candidates = tuple(row["best"]) if row else ()
            open_ones = (each for each in candidates if each["node"]["element_id"] not in reached)
            chosen = next(open_ones, None)
            self._record_choice(front, row["count"] if row else 0, candidates, chosen)
            if chosen is None:
                front.reason = Reason.NO_LINKS
                continue
            reached.add(chosen["node"]["element_id"])
            self._move(front, chosen)

    def _parameters(self, walking: list[Front]) -> Row:
        """Return the walk as exploration/walk_round takes it."""
        visited = {front.start.node.element_id for front in self.fronts}
        visited |= {move.place.node.element_id for front in self.fronts for move in front.moves}
        if self.starts.actor is not None:
            visited.add(self.starts.actor.element_id)
        return {
            "fronts": [
                {
                    "key": front.id,
                    "node": front.node.element_id,
                    "value": front.value,
                    "path": [
                        front.start.node.element_id,
                        *(move.place.node.element_id for move in front.moves),
                    ],
                    "others": [
                        other.node.element_id for other in self.fronts if other is not front
                    ],
                }
                for front in walking
            ],
            "visited": sorted(visited),
            "vectors": self.starts.vectors,
            "query": pack_vector(self.vectors.query),
            "intention": pack_vector(self.vectors.intention),
            "scales": {name: scale.pair for name, scale in self.starts.scales.items()},
            "asked_words": list(self.question.words),
            "asked_stems": list(self.question.stems),
            "now": self.now,
            "valid_at": self.at,
        }

    def _move(self, front: Front, row: Row) -> None:
        way, node = row["way"], snapshot(row["node"])
        over = tuple(each["over"] for each in row["shared"]) or (way["over"],)
        texts = f"{front.node.content} {node.content}"
        place = Place(
            node,
            row["query_value"],
            row["intention_value"],
            in_words(way["type"], over, text=texts),
            self.cosine_scale * row["query_cosine"] + row["lift"],
            row["node"]["line"],
            row["node"]["at"],
        )
        move = Move(
            place,
            front.node,
            way["type"],
            over,
            way["forward"],
            way.get("link") or way["over"],
            row["lift"],
            row["score"],
            dict(row["factors"]),
        )
        front.moves.append(move)
        self._add_energy(node, len(front.moves) + 1)
        self.log.record(
            EventType.MOVED,
            front.id,
            link=move.link,
            type=move.type,
            start=move.start.id,
            node=node.id,
            kind=node.kind,
            name=node.name,
            why=place.why,
            score=move.score,
            factors=move.factors,
            depth=len(front.moves) + 1,
        )

    def _record_start(self, front: Front) -> None:
        place, node = front.start, front.node
        data = {"parent": "0", "to": node.id, "kind": node.kind, "name": node.name}
        why = place.why.partition(";")[0]
        self.log.record(EventType.SPAWNED, front.id, why=why, value=front.value, **data)
        self._add_energy(node, 1)

    def _record_choice(
        self, front: Front, count: int, candidates: tuple[Row, ...], chosen: Row | None
    ) -> None:
        id = chosen["node"]["id"] if chosen else None
        self.weighed.append(Weighed(front.id, self.log.tick, front.node, count, candidates, id))
        self.log.record(EventType.SCORED, front.id, at=front.node.id, count=count, chosen=id)

    def _add_energy(self, node: NodeSnapshot, depth: int) -> None:
        energy = formulas.injection(0.0, depth, State.SEEKING)
        self.write_set.add_energy(node, energy, energy * node.permanence)
