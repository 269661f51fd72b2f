"""Walk of an exploration: SubEntities advance in lockstep, with one read a tick for all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from asterism.exploration import formulas
from asterism.exploration.candidates import CandidateReader
from asterism.exploration.event_log import EventLog, EventType
from asterism.exploration.models import Kind, Reason, State
from asterism.exploration.query import Query, QueryVectors
from asterism.exploration.state_machine import SLACK, StateMachine
from asterism.exploration.subentity import NO_CANDIDATES, Candidates, Hop, SubEntity
from asterism.exploration.walk_events import record_choice
from asterism.settings import ExplorationSettings


@dataclass
class Walk:
    """One walk, from its first read to the end of its last SubEntity."""

    query: Query
    vectors: QueryVectors
    settings: ExplorationSettings
    reader: CandidateReader
    log: EventLog
    subentities: dict[str, SubEntity] = field(default_factory=dict)
    cancelled: bool = False

    def __post_init__(self) -> None:
        self.machine = StateMachine(self.query, self.vectors, self.settings, self.log)

    async def run(self, may_continue: Callable[[], bool]) -> None:
        """Walk until no SubEntity seeks, or until `may_continue` returns False after a tick."""
        self._next_tick()
        start, candidates = await self.reader.read_start()
        root = self.subentities["0"] = self.machine.begin(start)
        views: Mapping[str, Candidates] = {root.id: candidates}
        while views:
            for id in sorted(views, key=lambda id: self.subentities[id].turn_order):
                self._advance(self.subentities[id], views[id])
            self._join_ended()
            await self.log.wait_for_listener()
            if not may_continue():
                self.cancelled = True
                return
            views = await self._read()

    @property
    def root(self) -> SubEntity:
        return self.subentities["0"]

    async def _read(self) -> Mapping[str, Candidates]:
        """Read for everybody who seeks, with all focuses as they are when the tick begins."""
        seeking = [se for se in self.subentities.values() if se.state is State.SEEKING]
        if not seeking:
            return {}
        self._next_tick()
        focuses = {se.id: se.focus for se in self.subentities.values() if not se.has_ended}
        views = await self.reader.read(seeking, focuses)
        return {se.id: views.get(se.id, NO_CANDIDATES) for se in seeking}

    def _next_tick(self) -> None:
        self.log.tick += 1
        live = sum(not se.has_ended for se in self.subentities.values())
        duration = self.reader.last_duration()
        self.log.record(EventType.TICK, live=live, reads=self.reader.reads, **duration)

    def _advance(self, se: SubEntity, candidates: Candidates) -> None:
        """Run one SubEntity until it needs another read, waits for its children, or has ended."""
        while not se.has_ended:
            se = replace(se, steps=se.steps + 1)
            if se.state is not State.SEEKING:
                se = self._act(se, candidates)
                if se.waits_for_children:
                    break
            elif reason := self._limit_reached(se):
                se = self.machine.stop(se, reason)
            elif se.last_hop_tick == self.log.tick:
                break
            else:
                se = self._seek(se, candidates)
        if se.has_ended:
            se = self.machine.merge(se)
        self.subentities[se.id] = se

    def _act(self, se: SubEntity, candidates: Candidates) -> SubEntity:
        match se.state:
            case State.BRANCHING:
                return self._branch(se, candidates)
            case State.ABSORBING:
                return self.machine.absorb(se)
            case State.RESONATING:
                return self.machine.resonate(se)
            case State.REFLECTING:
                return self.machine.reflect(se)
            case _:
                se = self.machine.crystallize(se, colour=True)
                return self.machine.turn(se, State.MERGING)

    def _limit_reached(self, se: SubEntity) -> Reason | None:
        """Return the limit that keeps a SubEntity from seeking, if there is one."""
        if formulas.is_fatigued(se.progress_history):
            return Reason.FATIGUED
        if se.depth >= self.settings.max_depth:
            return Reason.MAX_DEPTH
        tick = self.log.tick
        last_tick = se.last_hop_tick == tick and tick >= self.settings.max_ticks
        return Reason.BUDGET if last_tick or se.steps > self.settings.max_steps else None

    def _seek(self, se: SubEntity, candidates: Candidates) -> SubEntity:
        """Give up, branch, or take the best link."""
        verdict, chosen = self._verdict(se, candidates)
        minimum = self.settings.min_link_score
        record_choice(self.log, se, candidates, verdict, chosen, minimum)
        if verdict == "dead_end":
            return self.machine.stop(se, Reason.DEAD_END if candidates.count else Reason.NO_LINKS)
        if verdict == "branch":
            return self.machine.turn(se, State.BRANCHING)
        link, node = candidates.best[0]
        return self.machine.arrive(se, Hop(link, node, se.id))

    def _verdict(self, se: SubEntity, candidates: Candidates) -> tuple[str, int]:
        """Return dead_end, branch or hop, and the number of links that are taken for it."""
        minimum = self.settings.min_link_score - SLACK
        if formulas.is_dead_end(candidates.scores, minimum):
            return "dead_end", 0
        node = se.position
        enough = candidates.count >= self.settings.min_branch_links
        if node.kind is Kind.MOMENT and enough and node.element_id not in se.no_branch_nodes:
            return "branch", max(1, self._branch_count(candidates))
        return "hop", 1

    def _branch_count(self, candidates: Candidates) -> int:
        share = self.settings.relative_branch_score - SLACK
        return formulas.branch_count(candidates.scores, self.settings.max_children, share)

    def _branch(self, se: SubEntity, candidates: Candidates) -> SubEntity:
        """Send a child down each of the best links, or seek on alone if there is only one."""
        count = self._branch_count(candidates)
        if count <= 1:
            se = replace(se, no_branch_nodes=se.no_branch_nodes | {se.position.element_id})
            return self.machine.turn(se, State.SEEKING)
        if len(self.subentities) + count > self.settings.max_subentities:
            return self.machine.stop(se, Reason.BUDGET)
        hops = [
            Hop(link, node, f"{se.id}.{rank}")
            for rank, (link, node) in enumerate(candidates.best[:count])
        ]
        se = replace(se, children=tuple(hop.subentity for hop in hops))
        self.subentities[se.id] = se
        for hop in hops:
            self.subentities[hop.subentity] = self._child(se, hop)
        for hop in hops:
            child = self.machine.arrive(self.subentities[hop.subentity], hop)
            self._advance(child, NO_CANDIDATES)
        return se

    def _child(self, parent: SubEntity, hop: Hop) -> SubEntity:
        id = hop.subentity
        self.log.record(EventType.SPAWNED, id, parent=parent.id, link=hop.link.id, to=hop.node.id)
        return SubEntity(
            id,
            spawn=parent.position,
            focus=self.vectors.query,
            parent=parent.id,
            siblings=tuple(other for other in parent.children if other != id),
            path=parent.path,
            inherited_hops=len(parent.path),
            emotions=parent.emotions,
        )

    def _join_ended(self) -> None:
        """Give parents whose children have all ended their findings, the deepest first."""
        while ready := [se for se in self.subentities.values() if self._may_join(se)]:
            parent = min(ready, key=lambda se: (-se.depth, se.turn_order))
            family = [parent, *(self.subentities[id] for id in parent.children)]
            satisfaction = max(se.satisfaction for se in family)
            findings = formulas.join_findings(se.findings for se in family)
            self.log.record(
                EventType.JOINED, parent.id, found=dict(findings), satisfaction=satisfaction
            )
            parent = replace(parent, findings=findings, satisfaction=satisfaction)
            self._advance(self.machine.stop(parent, Reason.JOINED), NO_CANDIDATES)

    def _may_join(self, se: SubEntity) -> bool:
        return se.waits_for_children and all(self.subentities[id].has_ended for id in se.children)
