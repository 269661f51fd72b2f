"""Turns a walk, and what became of its plan, into a result."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from engine.exploration import formulas
from engine.exploration.acts import DIGITS
from engine.exploration.gate import Narrative, Verdict
from engine.exploration.health import health
from engine.exploration.model import short
from engine.exploration.plan import NEW, WRITTEN_TYPE
from engine.exploration.result import (
    Branch,
    Changes,
    Created,
    Exploration,
    Factors,
    Finding,
    LinkChange,
    NodeChange,
    Path,
    Reused,
    Status,
    Step,
    Visited,
)
from engine.exploration.settled import Settled
from engine.exploration.states import Outcome, Reason
from engine.exploration.subentity import AXES, Hop, Place, SubEntity
from engine.exploration.walk import Walk

ORDER = {Status.EXISTING: 0, Status.REUSED: 1, Status.CREATED: 2}
ENDINGS = {
    Reason.MAX_DEPTH: Outcome.MAX_DEPTH,
    Reason.FATIGUED: Outcome.FATIGUED,
}


class Report:
    """One exploration, told from its walk."""

    def __init__(self, walk: Walk, settled: Settled) -> None:
        self._walk = walk
        self._settled = settled
        self._created_ids = {verdict.id for verdict in settled.created}
        self._decisive = {
            (choice.subentity, candidate.link): choice.decisive
            for choice in walk.watch.choices
            for candidate in choice.candidates
            if candidate.chosen
        }

    def result(self, run_id: str, at: datetime, duration: float, *, dry_run: bool) -> Exploration:
        """The whole result."""
        walk, settled = self._walk, self._settled
        root = walk.root
        return Exploration(
            run_id=run_id,
            actor=walk.question.actor,
            query=walk.question.query,
            intention=walk.question.intention,
            start=root.spawn.id,
            outcome=self.outcome(),
            satisfaction=root.satisfaction,
            dry_run=dry_run,
            committed=settled.committed,
            at=at,
            duration=duration,
            reads=walk.sight.reads,
            ticks=walk.tick,
            subentities=len(walk.subentities),
            hops=len(walk.watch.taken),
            links_scored=walk.sight.links_scored,
            truncated=walk.sight.truncated,
            found=self._renamed(self._found()),
            narratives=self._findings(),
            nodes=self._visited(),
            created=[_created(verdict) for verdict in settled.created],
            reused=[_reused(verdict) for verdict in settled.reused],
            changes=self._changes(),
            emotions=_emotions(root),
            tree=self._branch(root),
            choices=walk.watch.choices,
            anomalies=walk.watch.anomalies,
            health=health(self._walk),
        )

    def facts(self) -> dict[str, Any]:
        """What the run's node tells in the graph."""
        walk = self._walk
        root = walk.root
        ways = {hop.way.id: hop for se in walk.subentities.values() for hop in se.path}
        return {
            "actor": walk.question.actor,
            "query": walk.question.query,
            "intention": walk.question.intention,
            "start": root.spawn.id,
            "outcome": self.outcome().value,
            "satisfaction": root.satisfaction,
            "subentities": len(walk.subentities),
            "hops": len(walk.watch.taken),
            "reads": walk.sight.reads,
            "found": len([id for id in root.found if not id.startswith(NEW)]),
            "visited": list(walk.acts.places),
            "walked": [id for id, hop in ways.items() if hop.way.type == WRITTEN_TYPE],
            "coloured": sorted(
                {way.id for colouring in walk.acts.plan.colourings for way, _ in colouring.strokes}
            ),
            "caption": short(walk.question.query),
        }

    def outcome(self) -> Outcome:
        """How it ended: by what the leaves ended with, unless the root is satisfied."""
        walk = self._walk
        if walk.cancelled:
            return Outcome.CANCELLED
        if walk.root.satisfaction >= walk.settings.satisfaction_threshold - 1e-9:
            return Outcome.SATISFIED
        reasons = {se.reason for se in walk.subentities.values()} - {Reason.JOINED}
        if Reason.BUDGET in reasons:
            return Outcome.BUDGET
        shared = reasons.pop() if len(reasons) == 1 else None
        return ENDINGS.get(shared, Outcome.EXHAUSTED) if shared else Outcome.EXHAUSTED

    def _found(self) -> Mapping[str, float]:
        """Return what was found; in a walk that was ended early nobody has joined it yet."""
        walk = self._walk
        if walk.root.ended:
            return walk.root.found
        return formulas.joined(se.found for se in walk.subentities.values())

    def _renamed(self, found: Mapping[str, float]) -> dict[str, float]:
        """Findings by their final ids: planned narratives have become new or existing ones."""
        best: dict[str, float] = {}
        for id, value in found.items():
            final, worth = self._settled.ids.get(id, (id, value))
            best[final] = max(best.get(final, 0.0), worth)
        return best

    def _findings(self) -> list[Finding]:
        findings = [self._finding(*item) for item in self._renamed(self._found()).items()]
        return sorted(findings, key=lambda f: (ORDER[f.status], -f.alignment, f.id))

    def _finding(self, id: str, value: float) -> Finding:
        walk, settled = self._walk, self._settled
        told: Place | Narrative | None = walk.acts.places.get(id) or next(
            (verdict.narrative for verdict in settled.verdicts if verdict.id == id), None
        )
        assert told is not None
        created = id in self._created_ids
        walked = any(id in se.own_found for se in walk.subentities.values())
        status = Status.CREATED if created else Status.EXISTING if walked else Status.REUSED
        finders = self._finders(id)
        query, zero = walk.question.query_embedding, walk.sight.zero
        return Finding(
            id=id,
            name=told.name,
            content=told.content[:300],
            alignment=value,
            query_alignment=round(formulas.likeness(query, told.embedding, zero), DIGITS),
            status=status,
            found_by=[se.id for se, _ in finders],
            paths=[self._path(se, length) for se, length in finders],
        )

    def _finders(self, id: str) -> list[tuple[SubEntity, int]]:
        """Who came upon a narrative, and how far along its path."""
        finders = []
        for se in sorted(self._walk.subentities.values(), key=lambda se: se.order):
            places = [hop.place.id for hop in se.path]
            if id in se.own_found:
                first = places.index(id, se.inherited) + 1 if id in places[se.inherited :] else 0
                finders.append((se, first))
            elif se.crystallized and self._settled.ids.get(se.crystallized, ("",))[0] == id:
                finders.append((se, se.depth))
        return finders

    def _path(self, se: SubEntity, length: int) -> Path:
        return Path(
            subentity=se.id,
            start=self._walk.root.spawn.id,
            steps=self._steps(se.path[:length]),
        )

    def _steps(self, path: Sequence[Hop]) -> list[Step]:
        starts = [self._walk.root.spawn.id, *(hop.place.id for hop in path)]
        return [self._step(hop, start) for hop, start in zip(path, starts, strict=False)]

    def _step(self, hop: Hop, start: str) -> Step:
        chooser = hop.by if (hop.by, hop.way.id) in self._decisive else hop.by.rpartition(".")[0]
        return Step(
            subentity=hop.by,
            start=start,
            node=hop.place.id,
            kind=hop.place.kind,
            name=hop.place.name,
            link=hop.way.id,
            type=hop.way.type,
            direction="forward" if hop.way.forward else "backward",
            trust_disgust=hop.way.emotions[AXES.index("trust_disgust")],
            score=hop.way.score,
            factors=Factors(**hop.way.factors),
            decisive=self._decisive.get((chooser, hop.way.id)),
        )

    def _visited(self) -> list[Visited]:
        intention, zero = self._walk.question.intention_embedding, self._walk.sight.zero
        return [
            Visited(
                id=place.id,
                label=place.label,
                kind=place.kind,
                name=place.name,
                content=place.content,
                weight=place.weight,
                energy=place.energy,
                alignment=round(formulas.likeness(intention, place.embedding, zero), DIGITS),
            )
            for place in self._walk.acts.places.values()
        ]

    def _changes(self) -> Changes:
        settled = self._settled
        nodes = [
            NodeChange(
                id=heat.place.id,
                kind=heat.place.kind,
                name=heat.place.name,
                energy=heat.energy,
                weight=heat.weight,
            )
            for heat in self._walk.acts.plan.heat.values()
        ]
        links = [
            LinkChange(
                id=link.id,
                colourings=link.colourings,
                weight_before=link.before.weight,
                weight_after=link.after.weight,
                turned=link.turned,
            )
            for link in settled.links
        ]
        return Changes(
            planned=not settled.committed,
            energy=sum(node.energy for node in nodes),
            weight=sum(node.weight for node in nodes),
            nodes=nodes,
            links=links,
            narratives=[verdict.id for verdict in settled.created],
            dropped=settled.dropped,
        )

    def _branch(self, se: SubEntity) -> Branch:
        settled = self._settled
        final = settled.ids.get(se.crystallized or "", ("", 0.0))[0]
        return Branch(
            id=se.id,
            parent=se.parent,
            spawn=se.spawn.id,
            position=se.position.id,
            name=se.position.name,
            depth=se.depth,
            hops=len(se.own_path),
            satisfaction=se.satisfaction,
            reason=se.reason,
            found=self._renamed(se.found),
            own_found=dict(se.own_found),
            crystallized=final if final in self._created_ids else None,
            awareness=se.awareness,
            emotions=_emotions(se),
            path=self._steps(se.path),
            children=[self._branch(self._walk.subentities[id]) for id in se.children],
        )


def _created(verdict: Verdict) -> Created:
    return Created(
        id=verdict.id,
        name=verdict.crystal.name,
        content=verdict.crystal.content,
        by=verdict.crystal.by,
        novelty=1.0 - max(0.0, verdict.similarity),
        nearest=verdict.nearest.id if verdict.nearest else None,
    )


def _reused(verdict: Verdict) -> Reused:
    return Reused(id=verdict.id, by=verdict.crystal.by, similarity=verdict.similarity)


def _emotions(se: SubEntity) -> dict[str, float]:
    return dict(zip(AXES, se.emotions, strict=True))
