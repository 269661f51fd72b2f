"""States of a SubEntity: allowed transitions, and its work in each but seeking and branching."""

from collections.abc import Iterable
from dataclasses import replace

from asterism.exploration import formulas, write_set
from asterism.exploration.event_log import EventLog, EventType
from asterism.exploration.formulas import Array
from asterism.exploration.models import Kind, Reason, State
from asterism.exploration.query import Query, QueryVectors
from asterism.exploration.render import render_cluster
from asterism.exploration.subentity import Hop, NodeSnapshot, SubEntity
from asterism.exploration.walk_events import record_hop
from asterism.exploration.write_set import NarrativeDraft, WriteSet
from asterism.settings import ExplorationSettings

DIGITS = 7  # vectors are stored in 32 bits: digits beyond are noise and must decide nothing
SLACK = 1e-9
KINDS_WITH_CONTENT = (Kind.ACTOR, Kind.SPACE, Kind.THING)
TRANSITIONS: dict[State, frozenset[State]] = {
    State.SEEKING: frozenset(
        {State.SEEKING, State.REFLECTING, State.BRANCHING, State.RESONATING, State.ABSORBING}
    ),
    State.BRANCHING: frozenset({State.SEEKING, State.REFLECTING}),
    State.ABSORBING: frozenset({State.CRYSTALLIZING, State.SEEKING, State.REFLECTING}),
    State.RESONATING: frozenset({State.SEEKING, State.REFLECTING}),
    State.REFLECTING: frozenset({State.MERGING, State.CRYSTALLIZING}),
    State.CRYSTALLIZING: frozenset({State.MERGING}),
    State.MERGING: frozenset(),
}
STRICT_TRANSITIONS = TRANSITIONS | {
    State.RESONATING: TRANSITIONS[State.RESONATING] | {State.MERGING}
}


class StateMachine:
    """Handlers of the states of one exploration's SubEntities. They read nothing."""

    def __init__(
        self, query: Query, vectors: QueryVectors, settings: ExplorationSettings, log: EventLog
    ) -> None:
        self._query = query
        self._vectors = vectors
        self._settings = settings
        self._log = log
        self._transitions = STRICT_TRANSITIONS if settings.strict_seed else TRANSITIONS
        self._narrative_vectors: dict[str, Array | None] = {}
        self.write_set = WriteSet()
        self.nodes: dict[str, NodeSnapshot] = {}

    def begin(self, start: NodeSnapshot) -> SubEntity:
        """Return the root SubEntity, which resonates first if it starts at a narrative."""
        self._start = start
        self._register_node(start)
        root = SubEntity("0", spawn=start, focus=self._vectors.query)
        return self.turn(root, State.RESONATING) if start.kind is Kind.NARRATIVE else root

    def turn(self, se: SubEntity, state: State) -> SubEntity:
        """Change the state along a transition. No other function changes a state."""
        if state not in self._transitions[se.state]:
            raise RuntimeError(f"SubEntity {se.id} can't turn from {se.state} to {state}")
        return replace(se, state=state)

    def stop(self, se: SubEntity, reason: Reason) -> SubEntity:
        """Turn to REFLECTING for this reason."""
        return self.turn(replace(se, reason=reason), State.REFLECTING)

    def arrive(self, se: SubEntity, hop: Hop) -> SubEntity:
        """Take a hop: add energy, update the SubEntity, and turn by the kind of the node."""
        origin, link, node = se.position, hop.link, hop.node
        self._register_node(node)
        se = replace(
            se,
            path=(*se.path, hop),
            last_hop_tick=self._log.tick,
            satisfaction_history=(*se.satisfaction_history, se.satisfaction),
            awareness=formulas.awareness(se.awareness, link.effective_hierarchy),
            emotions=formulas.blend_emotions(se.emotions, link.emotions, link.weight),
        )
        energy = self._add_energy(se, State.SEEKING)
        se = self._refocus(se)
        progress = self._cosine(se.focus, self._vectors.intention)
        entry = formulas.progress_entry(progress, se.last_progress)
        history = (*se.progress_history, entry)
        se = replace(se, progress_history=history, last_progress=progress)
        record_hop(self._log, se, self._start, origin, energy)
        if node.kind is Kind.NARRATIVE:
            return self.turn(se, State.RESONATING)
        return self.turn(se, State.ABSORBING if self._absorbable(se) else State.SEEKING)

    def absorb(self, se: SubEntity) -> SubEntity:
        """Compare content with intention and path, and crystallize if it fits and is new."""
        node = se.position
        alignment = self._cosine(self._vectors.intention, node.embedding)
        baseline = self._vectors.baseline_cosine
        novelty = round(formulas.novelty(node.embedding, se.path_vectors, baseline), DIGITS)
        energy = self._add_energy(se, State.ABSORBING)
        se = replace(se, absorbed_nodes=se.absorbed_nodes | {node.element_id})
        self._record(EventType.ABSORBED, se, alignment=alignment, novelty=novelty, energy=energy)
        if formulas.should_absorb(alignment, novelty):
            return self.turn(replace(se, reason=Reason.ABSORBED), State.CRYSTALLIZING)
        return self.turn(se, State.SEEKING)

    def resonate(self, se: SubEntity) -> SubEntity:
        """Count a narrative that fits the intention at its first visit."""
        node = se.position
        alignment = self._cosine(self._vectors.intention, node.embedding)
        if alignment > 0 and node.id not in se.resonated_ids:
            findings, satisfaction = formulas.resonate(
                se.findings, node.id, alignment, se.satisfaction
            )
            se = replace(
                se,
                findings=findings,
                own_findings={**se.own_findings, node.id: alignment},
                satisfaction=satisfaction,
                resonated_ids=se.resonated_ids | {node.id},
            )
            weight = se.injection(State.RESONATING)
            self.write_set.add_energy(node, 0.0, weight)
            changes = {"satisfaction": satisfaction, "weight": weight}
            self._record(EventType.RESONATED, se, alignment=alignment, **changes)
        se = self._refocus(se)
        if se.satisfaction < self._settings.satisfaction_threshold - SLACK:
            return self.turn(se, State.SEEKING)
        if self._settings.strict_seed:
            return self.turn(replace(se, reason=Reason.SATISFIED), State.MERGING)
        return self.stop(se, Reason.SATISFIED)

    def reflect(self, se: SubEntity) -> SubEntity:
        """Colour a satisfying path with the intention, or crystallize without a good finding."""
        self._log.record(EventType.REFLECTED, se.id, reason=se.reason, satisfaction=se.satisfaction)
        if se.satisfaction > 0.5 and se.path:
            boost = write_set.REFLECTING_BOOST * se.satisfaction
            se = self._colour(se, "intention", self._vectors.intention, boost)
        good = not formulas.should_crystallize(se.findings) and not self._settings.strict_seed
        merges = se.satisfaction > 0.5 or good or not se.path
        return self.turn(se, State.MERGING if merges else State.CRYSTALLIZING)

    def crystallize(self, se: SubEntity, *, colour: bool) -> SubEntity:
        """Draft a narrative of the focus of this SubEntity, between its spawn and its position."""
        draft = self._draft(se)
        self.write_set.drafts.append(draft)
        self._narrative_vectors[draft.key] = draft.embedding
        self._record_draft(draft)
        se = replace(se, findings={**se.findings, draft.key: 1.0}, draft_key=draft.key)
        if colour:
            boost = write_set.CRYSTALLIZING_BOOST
            se = self._colour(se, "narrative", draft.embedding, boost)
        return se

    def merge(self, se: SubEntity) -> SubEntity:
        """End a SubEntity. A child without a good finding crystallizes first."""
        if se.parent and se.draft_key is None and formulas.should_crystallize(se.findings):
            se = self.crystallize(se, colour=not se.has_coloured)
        self._log.record(
            EventType.ENDED,
            se.id,
            reason=se.reason,
            at=se.position.id,
            depth=se.depth,
            satisfaction=se.satisfaction,
            found=dict(se.findings),
        )
        return se

    def _register_node(self, node: NodeSnapshot) -> None:
        self.nodes[node.id] = node
        if node.kind is Kind.NARRATIVE:
            self._narrative_vectors[node.id] = node.embedding

    def _draft(self, se: SubEntity) -> NarrativeDraft:
        links = [hop.link for hop in se.path]
        nodes = [hop.node for hop in se.own_path]
        intention = self._query.intention_text
        return NarrativeDraft(
            subentity=se.id,
            name=f"{intention}: {se.spawn.name}",
            content=render_cluster(se.spawn, nodes, se.position, intention),
            embedding=se.focus,
            energy=se.injection(State.CRYSTALLIZING),
            criticality=formulas.criticality(se.satisfaction, se.depth),
            emotions=se.emotions,
            spawn=se.spawn,
            focus=se.position,
            hierarchy=formulas.mean([link.hierarchy for link in links], 0.0),
            permanence=formulas.mean([link.permanence for link in links], 0.5),
            last_hierarchy=links[-1].hierarchy if links else 0.5,
        )

    def _record_draft(self, draft: NarrativeDraft) -> None:
        vector = {"embedding": draft.embedding.tolist()} if self._log.with_vectors else {}
        self._log.record(
            EventType.CRYSTAL_PLANNED,
            draft.subentity,
            id=draft.key,
            name=draft.name,
            spawn=draft.spawn.id,
            focus=draft.focus.id,
            energy=draft.energy,
            hierarchy=draft.hierarchy,
            permanence=draft.permanence,
            **vector,
        )

    def _record(self, type: EventType, se: SubEntity, **data: float) -> None:
        self._log.record(type, se.id, node=se.position.id, **data)

    def _absorbable(self, se: SubEntity) -> bool:
        node = se.position
        unread = bool(node.content) and node.element_id not in se.absorbed_nodes
        below_limit = se.depth < self._settings.max_depth
        return self._settings.absorb and below_limit and unread and node.kind in KINDS_WITH_CONTENT

    def _colour(self, se: SubEntity, why: str, final: Array, boost: float) -> SubEntity:
        path = se.own_path if self._settings.color_scope == "own" else se.path
        reverse = [hop.link.reverse_polarity for hop in path]
        updates = write_set.colour_backward(reverse, final, boost)
        self.write_set.colour(zip(path, updates, strict=True))
        links = [hop.link.id for hop in path]
        self._log.record(EventType.COLOR_PLANNED, se.id, why=why, boost=boost, links=links)
        return replace(se, has_coloured=True)

    def _add_energy(self, se: SubEntity, state: State) -> float:
        energy = se.injection(state)
        self.write_set.add_energy(se.position, energy, energy * se.position.permanence)
        return energy

    def _refocus(self, se: SubEntity) -> SubEntity:
        focus = formulas.focus(
            self._vectors.query,
            self._vectors.intention,
            se.position.embedding,
            self._finding_vectors(se.findings),
            se.path_vectors,
            self._settings.intent_weight,
        )
        return replace(se, focus=focus)

    def _finding_vectors(self, narratives: Iterable[str]) -> list[Array]:
        vectors = (self._narrative_vectors.get(id) for id in narratives)
        return [vector for vector in vectors if vector is not None]

    def _cosine(self, a: Array, b: Array | None) -> float:
        return round(formulas.calibrated_cosine(a, b, self._vectors.baseline_cosine), DIGITS)
