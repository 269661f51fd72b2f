"""The walk: SubEntities in lockstep, one read a tick for all of them, nothing written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from engine.exploration import colouring, formulas
from engine.exploration.cluster import render_cluster
from engine.exploration.events import EventType, Teller
from engine.exploration.formulas import Array
from engine.exploration.model import Kind
from engine.exploration.plan import Crystal, Plan
from engine.exploration.sight import Sight
from engine.exploration.states import STRICT_TRANSITIONS, TRANSITIONS, Reason, State
from engine.exploration.subentity import NO_VIEW, Hop, Place, SubEntity, View, Way
from engine.exploration.watch import Watch
from engine.settings import ExplorationSettings

DIGITS = 7  # vectors are stored in 32 bits: what is beyond is noise, and should decide nothing
SLACK = 1e-9
WITH_CONTENT = (Kind.ACTOR, Kind.SPACE, Kind.THING)


@dataclass(frozen=True)
class Question:
    """What is asked, why, by whom, and from where."""

    actor: str
    query: str
    intention: str
    query_embedding: Array
    intention_embedding: Array
    start: str | None = None
    start_label: str | None = None


class Walk:
    """One exploration, from its first look to the end of its last SubEntity."""

    def __init__(
        self, question: Question, settings: ExplorationSettings, sight: Sight, teller: Teller
    ) -> None:
        self.question = question
        self.settings = settings
        self.sight = sight
        self.teller = teller
        self.plan = Plan()
        self.subentities: dict[str, SubEntity] = {}
        self.narratives: dict[str, Array | None] = {}
        self.places: dict[str, Place] = {}
        self.tick = 0
        self.cancelled = False
        self.watch = Watch(teller, settings.min_link_score)
        self._ways = STRICT_TRANSITIONS if settings.strict_seed else TRANSITIONS

    async def run(self, go_on: Callable[[], bool]) -> None:
        """Walk until nobody is live, or until told to stop."""
        self._next_tick()
        start, view = await self.sight.first(self.question)
        views: Mapping[str, View] = {self._root(start).id: view}
        while views:
            for id in sorted(views, key=lambda id: self.subentities[id].order):
                self._advance(self.subentities[id], views[id])
            self._join()
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
        self._meet(start)
        if start.kind is Kind.NARRATIVE:
            root = self._turn(root, State.RESONATING)
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
                se = self._stop(se, reason)
            elif se.moved == self.tick:
                break
            else:
                se = self._seek(se, view)
        if se.ended:
            se = self._merge(se)
        self.subentities[se.id] = se

    def _act(self, se: SubEntity, view: View) -> SubEntity:
        match se.state:
            case State.BRANCHING:
                return self._branch(se, view)
            case State.ABSORBING:
                return self._absorb(se)
            case State.RESONATING:
                return self._resonate(se)
            case State.REFLECTING:
                return self._reflect(se)
            case _:
                return self._turn(self._crystallize(se, colour=True), State.MERGING)

    def _limit(self, se: SubEntity) -> Reason | None:
        """Why a SubEntity may not seek any further."""
        if formulas.fatigued(se.history):
            return Reason.FATIGUED
        if se.depth >= self.settings.max_depth:
            return Reason.MAX_DEPTH
        waits = se.moved == self.tick and self.tick >= self.settings.max_ticks
        return Reason.BUDGET if waits or se.steps > self.settings.max_steps else None

    def _stop(self, se: SubEntity, reason: Reason) -> SubEntity:
        return self._turn(replace(se, reason=reason), State.REFLECTING)

    def _seek(self, se: SubEntity, view: View) -> SubEntity:
        """Choose among the links here: give up, branch, or hop."""
        verdict, chosen = self._verdict(se, view)
        self.watch.scored(se, view, verdict, chosen)
        if verdict == "dead_end":
            return self._stop(se, Reason.DEAD_END if view.count else Reason.NO_LINKS)
        if verdict == "branch":
            return self._turn(se, State.BRANCHING)
        way, place = view.ways[0]
        return self._arrive(se, Hop(way, place, se.id))

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

    def _arrive(self, se: SubEntity, hop: Hop) -> SubEntity:
        """The arrival steps: heat, awareness, emotions, focus, progress, and what kind it is."""
        before, way, place = se.position, hop.way, hop.place
        self._meet(place)
        se = replace(
            se,
            path=(*se.path, hop),
            moved=self.tick,
            levels=(*se.levels, se.satisfaction),
            awareness=formulas.awareness(se.awareness, way.rise),
            emotions=formulas.felt(se.emotions, way.emotions, way.weight),
        )
        energy = self._warm(se, State.SEEKING)
        se = self._refocus(se)
        current = self._like(se.focus, self.question.intention_embedding)
        entry = formulas.progress(current, se.last_progress)
        se = replace(se, history=(*se.history, entry), last_progress=current)
        self.watch.moved(se, before, energy)
        if place.kind is Kind.NARRATIVE:
            return self._turn(se, State.RESONATING)
        return self._turn(se, State.ABSORBING if self._absorbable(se) else State.SEEKING)

    def _absorbable(self, se: SubEntity) -> bool:
        place = se.position
        fresh = bool(place.content) and place.element not in se.absorbed
        within = se.depth < self.settings.max_depth
        return self.settings.absorb and within and fresh and place.kind in WITH_CONTENT

    def _branch(self, se: SubEntity, view: View) -> SubEntity:
        """Send a child down each of the best links; with less than two of them, go on alone."""
        count = self._branches(view)
        if count <= 1:
            se = replace(se, no_branch=se.no_branch | {se.position.element})
            return self._turn(se, State.SEEKING)
        if len(self.subentities) + count > self.settings.max_subentities:
            return self._stop(se, Reason.BUDGET)
        ids = tuple(f"{se.id}.{rank}" for rank in range(count))
        se = replace(se, children=ids)
        self.subentities[se.id] = se
        for id, (way, place) in zip(ids, view.ways, strict=False):
            self.subentities[id] = self._child(se, id, way, place)
        for id, (way, place) in zip(ids, view.ways, strict=False):
            self._advance(self._arrive(self.subentities[id], Hop(way, place, id)), NO_VIEW)
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

    def _absorb(self, se: SubEntity) -> SubEntity:
        """Take in the content here; what is both fitting and new becomes a narrative."""
        place = se.position
        aligned = self._like(self.question.intention_embedding, place.embedding)
        new = round(formulas.novelty(place.embedding, se.links, self.sight.zero), DIGITS)
        energy = self._warm(se, State.ABSORBING)
        se = replace(se, absorbed=se.absorbed | {place.element})
        self.teller.tell(
            EventType.ABSORBED, se.id, node=place.id, alignment=aligned, novelty=new, energy=energy
        )
        if formulas.absorbs(aligned, new):
            return self._turn(replace(se, reason=Reason.ABSORBED), State.CRYSTALLIZING)
        return self._turn(se, State.SEEKING)

    def _resonate(self, se: SubEntity) -> SubEntity:
        """Take in a narrative: only the first visit counts, and only what fits the intention."""
        place = se.position
        aligned = self._like(self.question.intention_embedding, place.embedding)
        if aligned > 0 and place.id not in se.resonated:
            found, satisfaction = formulas.resonate(se.found, place.id, aligned, se.satisfaction)
            se = replace(
                se,
                found=found,
                own_found={**se.own_found, place.id: aligned},
                satisfaction=satisfaction,
                resonated=se.resonated | {place.id},
            )
            weight = se.injection(State.RESONATING)
            self.plan.warm(place, 0.0, weight)
            self.watch.resonated(se, aligned, weight)
        se = self._refocus(se)
        if se.satisfaction < self.settings.satisfaction_threshold - SLACK:
            return self._turn(se, State.SEEKING)
        if self.settings.strict_seed:
            return self._turn(replace(se, reason=Reason.SATISFIED), State.MERGING)
        return self._stop(se, Reason.SATISFIED)

    def _reflect(self, se: SubEntity) -> SubEntity:
        """Colour a good path with the intention; with nothing good in hand, crystallize."""
        self.teller.tell(EventType.REFLECTED, se.id, reason=se.reason, satisfaction=se.satisfaction)
        if se.satisfaction > 0.5 and se.path:
            boost = colouring.REFLECTING_BOOST * se.satisfaction
            se = self._colour(se, "intention", self.question.intention_embedding, boost)
        well = not formulas.should_crystallize(se.found) and not self.settings.strict_seed
        done = se.satisfaction > 0.5 or well or not se.path
        return self._turn(se, State.MERGING if done else State.CRYSTALLIZING)

    def _crystallize(self, se: SubEntity, *, colour: bool) -> SubEntity:
        """Plan a narrative of what this SubEntity is after, between its spawn and its focus."""
        crystal = self._crystal(se)
        self.plan.crystals.append(crystal)
        self.narratives[crystal.key] = crystal.embedding
        found = {**se.found, crystal.key: 1.0}
        se = replace(se, found=found, crystallized=crystal.key)
        self.watch.crystal(crystal)
        if colour:
            boost = colouring.CRYSTALLIZING_BOOST
            se = self._colour(se, "narrative", crystal.embedding, boost)
        return se

    def _crystal(self, se: SubEntity) -> Crystal:
        ways = [hop.way for hop in se.path]
        nodes = [hop.place for hop in se.own_path]
        return Crystal(
            by=se.id,
            name=f"{self.question.intention}: {se.spawn.name}",
            content=render_cluster(se.spawn, nodes, se.position, self.question.intention),
            embedding=se.focus,
            energy=se.injection(State.CRYSTALLIZING),
            criticality=formulas.criticality(se.satisfaction, se.depth),
            emotions=se.emotions,
            spawn=se.spawn,
            focus=se.position,
            hierarchy=formulas.mean([way.hierarchy for way in ways], 0.0),
            permanence=formulas.mean([way.permanence for way in ways], 0.5),
            last_hierarchy=ways[-1].hierarchy if ways else 0.5,
        )

    def _merge(self, se: SubEntity) -> SubEntity:
        """A child that brings nothing home makes something of what it was after."""
        if se.parent and se.crystallized is None and formulas.should_crystallize(se.found):
            se = self._crystallize(se, colour=not se.coloured)
        self.watch.ended(se)
        return se

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
            self._advance(self._stop(parent, Reason.JOINED), NO_VIEW)

    def _joins(self, se: SubEntity) -> bool:
        return se.waiting and all(self.subentities[id].ended for id in se.children)

    def _colour(self, se: SubEntity, why: str, final: Array, boost: float) -> SubEntity:
        path = se.own_path if self.settings.color_scope == "own" else se.path
        strokes = colouring.strokes([hop.way.reverse for hop in path], final, boost)
        self.plan.colour(se.id, why, boost, zip(path, strokes, strict=True))
        links = [hop.way.id for hop in path]
        self.teller.tell(EventType.COLOR_PLANNED, se.id, why=why, boost=boost, links=links)
        return replace(se, coloured=True)

    def _warm(self, se: SubEntity, state: State) -> float:
        energy = se.injection(state)
        self.plan.warm(se.position, energy, energy * se.position.permanence)
        return energy

    def _refocus(self, se: SubEntity) -> SubEntity:
        found = self._vectors(se.found)
        asked, meant = self.question.query_embedding, self.question.intention_embedding
        place, share = se.position.embedding, self.settings.intent_weight
        return replace(se, focus=formulas.focus(asked, meant, place, found, se.links, share))

    def _vectors(self, found: Iterable[str]) -> list[Array]:
        known = (self.narratives.get(id) for id in found)
        return [vector for vector in known if vector is not None]

    def _meet(self, place: Place) -> None:
        self.places[place.id] = place
        if place.kind is Kind.NARRATIVE:
            self.narratives[place.id] = place.embedding

    def _like(self, a: Array, b: Array | None) -> float:
        return round(formulas.likeness(a, b, self.sight.zero), DIGITS)

    def _turn(self, se: SubEntity, state: State) -> SubEntity:
        """The one place where states change: only along the ways of the state diagram."""
        if state not in self._ways[se.state]:
            raise RuntimeError(f"SubEntity {se.id} can't turn from {se.state} to {state}")
        return replace(se, state=state)
