"""Report of a guided exploration: its result, derived from walk, connections and commit."""

from datetime import datetime
from typing import Literal

from asterism.exploration.commit_result import CommitResult
from asterism.exploration.event_log import EventType
from asterism.exploration.guided.connections import Join
from asterism.exploration.guided.narrative import Answer
from asterism.exploration.guided.places import Move, Place
from asterism.exploration.guided.rounds import Front, GuidedWalk
from asterism.exploration.models import Outcome, Reason
from asterism.exploration.query import Query
from asterism.exploration.report import changes_of
from asterism.exploration.result import (
    Branch,
    Candidate,
    Choice,
    Connection,
    Created,
    Exploration,
    Factors,
    Finding,
    Path,
    Reused,
    Start,
    Status,
    Step,
    Visited,
)
from asterism.exploration.subentity import AXES
from asterism.exploration.walk_events import why_not

Origin = Literal["recall", "walk", "start"]
NO_EMOTIONS = dict.fromkeys(AXES, 0.0)


class GuidedReport:
    """The result of one guided walk and its commit."""

    def __init__(
        self, query: Query, walk: GuidedWalk, joins: list[Join], answer: Answer | None
    ) -> None:
        self._query = query
        self._walk = walk
        self._joins = joins
        self._answer = answer
        self._fronts = {front.node.element_id: front for front in walk.fronts}
        self._moves = {
            move.place.node.element_id: (front, number)
            for front in walk.fronts
            for number, move in enumerate(front.moves, 1)
        }

    def exploration(
        self,
        run_id: str,
        at: datetime,
        duration: float,
        result: CommitResult,
        *,
        reused: bool,
        reads: int,
        dry_run: bool,
    ) -> Exploration:
        """Return the whole result."""
        query, walk, findings = self._query, self._walk, self.findings()
        actor = walk.starts.actor
        changes = changes_of(walk.write_set, result)
        created = [] if reused else self._created()
        return Exploration(
            mode="guided",
            run_id=run_id,
            actor=query.actor or "",
            query=query.query,
            intention=query.intention_text,
            start=query.start or (findings[0].id if findings else query.actor or ""),
            outcome=self._outcome(bool(findings)),
            satisfaction=max((each.query_alignment for each in findings), default=0.0),
            dry_run=dry_run,
            committed=result.committed,
            at=at,
            duration=duration,
            reads=reads,
            ticks=walk.log.tick,
            subentities=len(walk.fronts),
            hops=len(walk.log.of_type(EventType.MOVED)),
            links_scored=walk.scored,
            truncated=False,
            found={finding.id: finding.query_alignment for finding in findings},
            narratives=findings,
            starts=tuple(_start(front) for front in walk.fronts),
            connections=tuple(_connection(join) for join in self._joins),
            nodes=self._visited(),
            created=created,
            reused=self._reused() if reused else [],
            changes=changes.model_copy(update={"narratives": [each.id for each in created]}),
            emotions=NO_EMOTIONS,
            tree=self._tree(actor.id if actor else "", findings),
            choices=self._choices(),
            anomalies=[],
            health=[],
        )

    def findings(self) -> list[Finding]:
        """Return recall's hits in their order, then what was walked to, best first."""
        walk, settings = self._walk, self._walk.settings
        hits = [self._finding(place, "recall") for place in walk.starts.findings]
        hit_ids = {finding.id for finding in hits}
        starts = [front.start for front in walk.fronts if front.start.is_goal]
        ends = [move.place for front in walk.fronts for move in front.moves if move.place.is_goal]
        places = {
            place.node.id: place for place in (*ends, *starts) if place.node.id not in hit_ids
        }
        others = sorted(places.values(), key=lambda place: (-place.score, place.node.id))
        more = [self._finding(place) for place in others]
        first = len(hits) - min(settings.walk_places, max(0, len(hits) - 8))
        contest = sorted(
            [*hits[first:], *(each for each in more if hits)],
            key=lambda finding: -(finding.score or 0.0),
        )
        leading_ids = {each.id for each in contest[: len(hits) - first]}
        return [
            *hits[:first],
            *(each for each in contest if each.id in leading_ids),
            *(each for each in [*hits[first:], *more] if each.id not in leading_ids),
        ]

    def _outcome(self, is_found: bool) -> Outcome:
        if self._walk.cancelled:
            return Outcome.CANCELLED
        return Outcome.FOUND if is_found else Outcome.NOTHING

    def _finding(self, place: Place, origin: Origin | None = None) -> Finding:
        node = place.node
        front, length = self._moves.get(node.element_id, (None, 0))
        return Finding(
            id=node.id,
            name=node.name,
            content=node.content,
            alignment=place.intention_value,
            query_alignment=place.query_value,
            status=Status.EXISTING,
            found_by=[front.id] if front else [],
            paths=[self._path(front, length)] if front else [],
            why=place.why,
            score=place.score,
            at=place.at,
            origin=origin or ("walk" if front else "start"),
        )

    def _path(self, front: Front, length: int) -> Path:
        steps = [_step(front, move) for move in front.moves[:length]]
        return Path(subentity=front.id, start=front.start.node.id, steps=steps)

    def _visited(self) -> list[Visited]:
        starts, walk = self._walk.starts, self._walk
        places = [
            *starts.findings,
            *(front.start for front in walk.fronts),
            *(move.place for front in walk.fronts for move in front.moves),
        ]
        unique = {place.node.element_id: place for place in reversed(places)}
        return [
            Visited(
                id=place.node.id,
                label=place.node.label,
                kind=place.node.kind,
                name=place.node.name,
                content=place.node.content,
                weight=place.node.weight,
                energy=place.node.energy,
                alignment=place.query_value,
            )
            for place in reversed(unique.values())
        ]

    def _created(self) -> list[Created]:
        if self._answer is None:
            return []
        answer = self._answer
        return [
            Created(
                id=answer.id,
                name=answer.question,
                content=answer.content,
                by="0",
                novelty=1.0,
                nearest=None,
                quotes=tuple(quote.id for quote in answer.quotes),
            )
        ]

    def _reused(self) -> list[Reused]:
        return [Reused(id=self._answer.id, by="0", similarity=1.0)] if self._answer else []

    def _tree(self, root: str, findings: list[Finding]) -> Branch:
        found = {finding.id: finding.query_alignment for finding in findings}
        children = [_branch(front, found) for front in self._walk.fronts]
        return Branch(
            id="0",
            parent=None,
            spawn=root,
            position=root,
            name=self._query.query,
            depth=0,
            hops=0,
            satisfaction=max(found.values(), default=0.0),
            reason=Reason.JOINED,
            found=found,
            own_found={},
            crystallized=self._answer.id if self._answer else None,
            awareness=(0.0, 0.0),
            emotions=NO_EMOTIONS,
            path=[],
            children=children,
        )

    def _choices(self) -> list[Choice]:
        return [
            Choice(
                subentity=each.front,
                tick=each.tick,
                at=each.at.id,
                name=each.at.name,
                count=each.count,
                verdict="hop" if each.chosen else "dead_end",
                decisive=None,
                threshold=self._walk.settings.least_alignment,
                candidates=[
                    Candidate(
                        link=row["way"].get("link") or row["way"]["over"],
                        type=row["way"]["type"],
                        node=row["node"]["id"],
                        name=row["node"]["name"],
                        score=row["score"],
                        factors=Factors(**row["factors"]),
                        chosen=row["node"]["id"] == each.chosen,
                        why_not=None
                        if row["node"]["id"] == each.chosen
                        else why_not(row["factors"], row["score"], each.candidates[0]["score"]),
                    )
                    for row in each.candidates
                ],
            )
            for each in self._walk.weighed
        ]


def _branch(front: Front, found: dict[str, float]) -> Branch:
    own = [front.start, *(move.place for move in front.moves)]
    own_found = {place.node.id: found[place.node.id] for place in own if place.node.id in found}
    return Branch(
        id=front.id,
        parent="0",
        spawn=front.start.node.id,
        position=front.node.id,
        name=front.node.name,
        depth=len(front.moves) + 1,
        hops=len(front.moves),
        satisfaction=max(own_found.values(), default=0.0),
        reason=front.reason,
        found=own_found,
        own_found=own_found,
        crystallized=None,
        awareness=(0.0, 0.0),
        emotions=NO_EMOTIONS,
        path=[_step(front, move) for move in front.moves],
        children=[],
    )


def _step(front: Front, move: Move) -> Step:
    return Step(
        subentity=front.id,
        start=move.start.id,
        node=move.place.node.id,
        kind=move.place.node.kind,
        name=move.place.node.name,
        link=move.link,
        type=move.type,
        direction="forward" if move.forward else "backward",
        trust_disgust=0.0,
        score=move.score,
        factors=Factors(**move.factors),
        decisive=None,
        why=move.place.why,
    )


def _start(front: Front) -> Start:
    node = front.start.node
    return Start(
        id=node.id,
        label=node.label,
        kind=node.kind,
        name=node.name,
        content=node.content,
        why=front.start.why,
        value=front.value,
    )


def _connection(join: Join) -> Connection:
    return Connection(
        a=join.a.node.id,
        b=join.b.node.id,
        joined_by=list(join.joined_by),
        text_a=join.a.node.content or join.a.node.name,
        text_b=join.b.node.content or join.b.node.name,
    )
