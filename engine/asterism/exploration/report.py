"""Report of an exploration: its result, derived from walk, event log and commit result."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from asterism.base_model import Frozen
from asterism.exploration import formulas, walk_events
from asterism.exploration.commit_result import ColouredLink, CommitResult, Narrative
from asterism.exploration.event_log import EventType
from asterism.exploration.models import Outcome, Reason, caption
from asterism.exploration.result import (
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
from asterism.exploration.state_machine import DIGITS, SLACK
from asterism.exploration.subentity import AXES, Hop, NodeSnapshot, SubEntity
from asterism.exploration.walk import Walk
from asterism.exploration.write_set import DRAFT_PREFIX, WRITTEN_TYPE, WriteSet

STATUS_ORDER = (Status.EXISTING, Status.REUSED, Status.CREATED)
EXCERPT_LENGTH = 300
Model = TypeVar("Model", bound=Frozen)
OUTCOMES = {Reason.MAX_DEPTH: Outcome.MAX_DEPTH, Reason.FATIGUED: Outcome.FATIGUED}


class Report:
    """The result of one walk and its commit."""

    def __init__(self, walk: Walk, result: CommitResult) -> None:
        self._walk = walk
        self._result = result
        self._created_ids = {decision.id for decision in result.created}
        self._final_ids = {each.draft.key: (each.id, each.alignment) for each in result.decisions}
        self._choices = walk_events.choices(walk.log)
        self._hops = len(walk.log.of_type(EventType.MOVED))
        decisive = {
            (choice.subentity, candidate.link): choice.decisive
            for choice in self._choices
            for candidate in choice.candidates
            if candidate.chosen
        }
        self._steps = {
            (hop.subentity, hop.link.id): _step(hop, start, decisive)
            for se in walk.subentities.values()
            for start, hop in _starts_and_hops(se)
        }

    def exploration(
        self, run_id: str, at: datetime, duration: float, *, dry_run: bool
    ) -> Exploration:
        """Return the whole result."""
        walk, query, root = self._walk, self._walk.query, self._walk.root
        own_findings = sum(len(se.own_findings) for se in walk.subentities.values())
        return Exploration(
            mode="literal",
            run_id=run_id,
            actor=query.actor or "",
            query=query.query,
            intention=query.intention_text,
            start=root.spawn.id,
            outcome=self._outcome(),
            satisfaction=root.satisfaction,
            dry_run=dry_run,
            committed=self._result.committed,
            at=at,
            duration=duration,
            reads=walk.reader.reads,
            ticks=walk.log.tick,
            subentities=len(walk.subentities),
            hops=self._hops,
            links_scored=walk.reader.links_scored,
            truncated=walk.reader.truncated,
            found=self._final(self._findings()),
            narratives=self._narratives(),
            nodes=self._visited(),
            created=self._created(),
            reused=self._reused(),
            changes=changes_of(walk.machine.write_set, self._result),
            emotions=_emotions(root),
            tree=self._branch(root),
            choices=self._choices,
            anomalies=walk_events.anomalies(walk.log),
            health=walk_events.metrics(walk.log, own_findings, root.satisfaction),
        )

    def run_properties(self) -> dict[str, Any]:
        """Return the properties of the run's node."""
        walk, query, root = self._walk, self._walk.query, self._walk.root
        links = {hop.link.id: hop.link for se in walk.subentities.values() for hop in se.path}
        colourings = walk.machine.write_set.colourings.values()
        return {
            "actor": query.actor,
            "query": query.query,
            "intention": query.intention_text,
            "start": root.spawn.id,
            "outcome": self._outcome().value,
            "satisfaction": root.satisfaction,
            "subentities": len(walk.subentities),
            "hops": self._hops,
            "reads": walk.reader.reads,
            "found": sum(not id.startswith(DRAFT_PREFIX) for id in root.findings),
            "visited": list(walk.machine.nodes),
            "walked": [id for id, link in links.items() if link.type == WRITTEN_TYPE],
            "coloured": sorted({colouring.link.id for colouring in colourings}),
            "caption": caption(query.query),
        }

    def _outcome(self) -> Outcome:
        """Return how the leaves ended, unless the root is satisfied or the walk was cancelled."""
        walk = self._walk
        if walk.cancelled:
            return Outcome.CANCELLED
        if walk.root.satisfaction >= walk.settings.satisfaction_threshold - SLACK:
            return Outcome.SATISFIED
        reasons = {se.reason for se in walk.subentities.values()} - {Reason.JOINED}
        if Reason.BUDGET in reasons:
            return Outcome.BUDGET
        shared = reasons.pop() if len(reasons) == 1 else None
        return OUTCOMES.get(shared, Outcome.EXHAUSTED) if shared else Outcome.EXHAUSTED

    def _findings(self) -> Mapping[str, float]:
        """Return the root's findings. In a walk that was ended early nobody has joined them yet."""
        walk = self._walk
        if walk.root.has_ended:
            return walk.root.findings
        return formulas.join_findings(se.findings for se in walk.subentities.values())

    def _final(self, findings: Mapping[str, float]) -> dict[str, float]:
        """Return findings with the ids that drafts have after the commit."""
        best: dict[str, float] = {}
        for id, value in findings.items():
            final_id, alignment = self._final_ids.get(id, (id, value))
            best[final_id] = max(best.get(final_id, 0.0), alignment)
        return best

    def _narratives(self) -> list[Finding]:
        findings = [self._finding(*item) for item in self._final(self._findings()).items()]
        return sorted(findings, key=lambda f: (STATUS_ORDER.index(f.status), -f.alignment, f.id))

    def _finding(self, id: str, alignment: float) -> Finding:
        walk = self._walk
        narrative: NodeSnapshot | Narrative
        if id in walk.machine.nodes:
            narrative = walk.machine.nodes[id]
        else:
            narrative = next(each.narrative for each in self._result.decisions if each.id == id)
        resonated = any(id in se.own_findings for se in walk.subentities.values())
        existing = Status.EXISTING if resonated else Status.REUSED
        finders = self._finders(id)
        return Finding(
            id=id,
            name=narrative.name,
            content=narrative.content[:EXCERPT_LENGTH],
            alignment=alignment,
            query_alignment=self._cosine(walk.vectors.query, narrative.embedding),
            status=Status.CREATED if id in self._created_ids else existing,
            found_by=[se.id for se, _ in finders],
            paths=[
                Path(subentity=se.id, start=walk.root.spawn.id, steps=self._path(se.path[:length]))
                for se, length in finders
            ],
        )

    def _finders(self, id: str) -> list[tuple[SubEntity, int]]:
        """Return the SubEntities that came to a narrative, each with the length of its path."""
        finders = []
        for se in sorted(self._walk.subentities.values(), key=lambda se: se.turn_order):
            own_nodes = [hop.node.id for hop in se.own_path]
            if id in se.own_findings:
                length = se.inherited_hops + own_nodes.index(id) + 1 if id in own_nodes else 0
                finders.append((se, length))
            elif se.draft_key and self._final_ids.get(se.draft_key, ("",))[0] == id:
                finders.append((se, se.depth))
        return finders

    def _path(self, path: Sequence[Hop]) -> list[Step]:
        return [self._steps[hop.subentity, hop.link.id] for hop in path]

    def _cosine(self, a: formulas.Array, b: formulas.Vector | None) -> float:
        cosine = formulas.calibrated_cosine(a, b, self._walk.vectors.baseline_cosine)
        return round(cosine, DIGITS)

    def _visited(self) -> list[Visited]:
        intention = self._walk.vectors.intention
        return [
            copied(Visited, node, alignment=self._cosine(intention, node.embedding))
            for node in self._walk.machine.nodes.values()
        ]

    def _created(self) -> list[Created]:
        return [
            copied(
                Created,
                decision.narrative,
                by=decision.draft.subentity,
                novelty=1.0 - max(0.0, decision.similarity),
                nearest=decision.nearest,
                quotes=(),
            )
            for decision in self._result.created
        ]

    def _reused(self) -> list[Reused]:
        return [
            Reused(id=decision.id, by=decision.draft.subentity, similarity=decision.similarity)
            for decision in self._result.reused
        ]

    def _branch(self, se: SubEntity) -> Branch:
        final_id = self._final_ids.get(se.draft_key or "", ("", 0.0))[0]
        return copied(
            Branch,
            se,
            spawn=se.spawn.id,
            position=se.position.id,
            name=se.position.name,
            hops=len(se.own_path),
            found=self._final(se.findings),
            own_found=dict(se.own_findings),
            crystallized=final_id if final_id in self._created_ids else None,
            emotions=_emotions(se),
            path=self._path(se.path),
            children=[self._branch(self._walk.subentities[id]) for id in se.children],
        )


def changes_of(write_set: WriteSet, result: CommitResult) -> Changes:
    """Return what a run writes, planned until it is committed."""
    nodes = [
        copied(NodeChange, delta.node, energy=delta.energy, weight=delta.weight)
        for delta in write_set.energy.values()
    ]
    links = [
        LinkChange(
            id=link.id,
            colourings=link.updates,
            weight_before=link.before.weight,
            weight_after=link.after.weight,
            turned=_turn(link),
        )
        for link in result.links
    ]
    return Changes(
        planned=not result.committed,
        energy=sum(node.energy for node in nodes),
        weight=sum(node.weight for node in nodes),
        nodes=nodes,
        links=links,
        narratives=[decision.id for decision in result.created],
        dropped=result.dropped,
    )


def _starts_and_hops(se: SubEntity) -> Iterator[tuple[str, Hop]]:
    """Return a SubEntity's own hops, each with the id of the node where it started."""
    start = se.spawn.id
    for hop in se.own_path:
        yield start, hop
        start = hop.node.id


def _step(hop: Hop, start: str, decisive: Mapping[tuple[str, str], str | None]) -> Step:
    # The first link of a child was chosen by its parent.
    own = (hop.subentity, hop.link.id) in decisive
    chooser = hop.subentity if own else hop.subentity.rpartition(".")[0]
    return copied(
        Step,
        hop.link,
        why="",
        subentity=hop.subentity,
        start=start,
        node=hop.node.id,
        kind=hop.node.kind,
        name=hop.node.name,
        link=hop.link.id,
        direction="forward" if hop.link.forward else "backward",
        trust_disgust=hop.link.emotions[AXES.index("trust_disgust")],
        factors=Factors(**hop.link.factors),
        decisive=decisive.get((chooser, hop.link.id)),
    )


def _turn(link: ColouredLink) -> float | None:
    if link.before.vector is None or link.after.vector is None:
        return None
    return formulas.cosine(link.before.vector, link.after.vector)


def copied(model: type[Model], source: object, **values: Any) -> Model:
    """Return a result with these values, and the source's attributes for its other fields."""
    copied = {name: getattr(source, name) for name in model.model_fields if name not in values}
    return model(**copied, **values)


def _emotions(se: SubEntity) -> dict[str, float]:
    return dict(zip(AXES, se.emotions, strict=True))
