"""The walk: SubEntities in lockstep, one read a tick for all of them, nothing written."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.exploration import formulas
from engine.exploration.acts import SLACK, Acts, Question
from engine.exploration.events import EventType, Teller
from engine.exploration.model import Kind
from engine.exploration.sight import Sight
from engine.exploration.states import Reason, State
from engine.exploration.subentity import NO_VIEW, Hop, Place, SubEntity, View, Way
from engine.exploration.watch import Watch
from engine.settings import ExplorationSettings


class Walk:
    """One exploration, from its first look to the end of its last SubEntity."""

    def __init__(
        self, question: Question, settings: ExplorationSettings, sight: Sight, teller: Teller
    ) -> None:
        self.question = question
        self.settings = settings
        self.sight = sight
        self.teller = teller
        self.subentities: dict[str, SubEntity] = {}
        self.tick = 0
        self.cancelled = False
        self.watch = Watch(teller, settings.min_link_score)
        self.acts = Acts(question, settings, sight.zero, self.watch)

    async def run(self, go_on: Callable[[], bool]) -> None:
        """Walk until nobody is live, or until told to stop."""
        self._next_tick()
        start, view = await self.sight.first(self.question)
        views: Mapping[str, View] = {self._root(start).id: view}
        while views:
            for id in sorted(views, key=lambda id: self.subentities[id].order):
                self._advance(self.subentities[id], views[id])
            self._join()
            await self.teller.heard()
            if not go_on():
                self.cancelled = True
                return
            views = await self._look()

    @property
    def root(self) -> SubEntity:
        return self.subentities["0"]

    async def _look(self) -> Mapping[str, View]:
        """What everybody who seeks sees, from how things stood when the tick began."""
        seeking = [se for se in self.subentities.values() if se.state is State.SEEKING]
        if not seeking:
            return {}
        self._next_tick()
        active = {se.id: se.focus for se in self.subentities.values() if not se.ended}
        views = await self.sight.all(seeking, active)
        return {se.id: views.get(se.id, NO_VIEW) for se in seeking}

    def _next_tick(self) -> None:
        self.tick += 1
        self.teller.tick = self.tick
        live = sum(not se.ended for se in self.subentities.values())
        self.teller.tell(EventType.TICK, live=live, reads=self.sight.reads, **self.sight.timing())

    def _root(self, start: Place) -> SubEntity:
        root = SubEntity("0", spawn=start, focus=self.question.query_embedding)
        self.watch.start = start.element
        self.acts.meet(start)
        if start.kind is Kind.NARRATIVE:
            root = self.acts.turn(root, State.RESONATING)
        self.subentities[root.id] = root
        return root

    def _advance(self, se: SubEntity, view: View) -> None:
        """Run one SubEntity until it needs another look, waits for its children, or has ended."""
        while not se.ended:
            se = replace(se, steps=se.steps + 1)
            if se.state is not State.SEEKING:
                se = self._act(se, view)
                if se.waiting:
                    break
            elif reason := self._limit(se):
                se = self.acts.stop(se, reason)
            elif se.moved == self.tick:
                break
            else:
                se = self._seek(se, view)
        if se.ended:
            se = self.acts.merge(se)
        self.subentities[se.id] = se

    def _act(self, se: SubEntity, view: View) -> SubEntity:
        match se.state:
            case State.BRANCHING:
                return self._branch(se, view)
            case State.ABSORBING:
                return self.acts.absorb(se)
            case State.RESONATING:
                return self.acts.resonate(se)
            case State.REFLECTING:
                return self.acts.reflect(se)
            case _:
                return self.acts.turn(self.acts.crystallize(se, colour=True), State.MERGING)

    def _limit(self, se: SubEntity) -> Reason | None:
        """Why a SubEntity may not seek any further."""
        if formulas.fatigued(se.history):
            return Reason.FATIGUED
        if se.depth >= self.settings.max_depth:
            return Reason.MAX_DEPTH
        waits = se.moved == self.tick and self.tick >= self.settings.max_ticks
        return Reason.BUDGET if waits or se.steps > self.settings.max_steps else None

    def _seek(self, se: SubEntity, view: View) -> SubEntity:
        """Choose among the links here: give up, branch, or hop."""
        verdict, chosen = self._verdict(se, view)
        self.watch.scored(se, view, verdict, chosen)
        if verdict == "dead_end":
            return self.acts.stop(se, Reason.DEAD_END if view.count else Reason.NO_LINKS)
        if verdict == "branch":
            return self.acts.turn(se, State.BRANCHING)
        way, place = view.ways[0]
        return self.acts.arrive(se, Hop(way, place, se.id))

    def _verdict(self, se: SubEntity, view: View) -> tuple[str, int]:
        """What to do here, and how many of the links are taken for it."""
        least = self.settings.min_link_score - SLACK
        if formulas.dead_end([way.score for way, _ in view.ways], least):
            return "dead_end", 0
        here = se.position
        wide = view.count >= self.settings.min_branch_links
        if here.kind is Kind.MOMENT and wide and here.element not in se.no_branch:
            return "branch", max(1, self._branches(view))
        return "hop", 1

    def _branches(self, view: View) -> int:
        scores = [way.score for way, _ in view.ways]
        share = self.settings.relative_branch_score - SLACK
        return formulas.branches(scores, self.settings.max_children, share)

    def _branch(self, se: SubEntity, view: View) -> SubEntity:
        """Send a child down each of the best links; with less than two of them, go on alone."""
        count = self._branches(view)
        if count <= 1:
            se = replace(se, no_branch=se.no_branch | {se.position.element})
            return self.acts.turn(se, State.SEEKING)
        if len(self.subentities) + count > self.settings.max_subentities:
            return self.acts.stop(se, Reason.BUDGET)
        ids = tuple(f"{se.id}.{rank}" for rank in range(count))
        se = replace(se, children=ids)
        self.subentities[se.id] = se
        for id, (way, place) in zip(ids, view.ways, strict=False):
            self.subentities[id] = self._child(se, id, way, place)
        for id, (way, place) in zip(ids, view.ways, strict=False):
            self._advance(self.acts.arrive(self.subentities[id], Hop(way, place, id)), NO_VIEW)
        return se

    def _child(self, parent: SubEntity, id: str, way: Way, place: Place) -> SubEntity:
        self.teller.tell(EventType.SPAWNED, id, parent=parent.id, link=way.id, to=place.id)
        return SubEntity(
            id,
            spawn=parent.position,
            focus=self.question.query_embedding,
            parent=parent.id,
            siblings=tuple(other for other in parent.children if other != id),
            path=parent.path,
            inherited=len(parent.path),
            emotions=parent.emotions,
        )

    def _join(self) -> None:
        """Parents whose children have all ended take up what those found, the deepest first."""
        while ready := [se for se in self.subentities.values() if self._joins(se)]:
            parent = min(ready, key=lambda se: (-se.depth, se.order))
            children = [self.subentities[id] for id in parent.children]
            satisfaction = max(se.satisfaction for se in (parent, *children))
            found = formulas.joined(se.found for se in (parent, *children))
            self.teller.tell(
                EventType.JOINED, parent.id, found=dict(found), satisfaction=satisfaction
            )
            parent = replace(parent, found=found, satisfaction=satisfaction)
            self._advance(self.acts.stop(parent, Reason.JOINED), NO_VIEW)

    def _joins(self, se: SubEntity) -> bool:
        return se.waiting and all(self.subentities[id].ended for id in se.children)
