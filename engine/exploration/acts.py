"""What a SubEntity does in each state: its new state in, what it means to write noted, no reads."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.exploration import colouring, formulas
from engine.exploration.cluster import render_cluster
from engine.exploration.formulas import Array
from engine.exploration.model import Kind
from engine.exploration.plan import Crystal, Plan
from engine.exploration.states import STRICT_TRANSITIONS, TRANSITIONS, Reason, State
from engine.exploration.subentity import Hop, Place, SubEntity
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


class Acts:
    """The steps of the state diagram, and the plan they fill."""

    def __init__(
        self, question: Question, settings: ExplorationSettings, zero: float, watch: Watch
    ) -> None:
        self.question = question
        self.settings = settings
        self.zero = zero
        self.watch = watch
        self.plan = Plan()
        self.places: dict[str, Place] = {}
        self._narratives: dict[str, Array | None] = {}
        self._ways = STRICT_TRANSITIONS if settings.strict_seed else TRANSITIONS

    def turn(self, se: SubEntity, state: State) -> SubEntity:
        """The one place where states change: only along the ways of the state diagram."""
        if state not in self._ways[se.state]:
            raise RuntimeError(f"SubEntity {se.id} can't turn from {se.state} to {state}")
        return replace(se, state=state)

    def stop(self, se: SubEntity, reason: Reason) -> SubEntity:
        return self.turn(replace(se, reason=reason), State.REFLECTING)

    def meet(self, place: Place) -> None:
        self.places[place.id] = place
        if place.kind is Kind.NARRATIVE:
            self._narratives[place.id] = place.embedding

    def arrive(self, se: SubEntity, hop: Hop) -> SubEntity:
        """The arrival steps: heat, awareness, emotions, focus, progress, and what kind it is."""
        before, way, place = se.position, hop.way, hop.place
        self.meet(place)
        se = replace(
            se,
            path=(*se.path, hop),
            moved=self.watch.tick,
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
            return self.turn(se, State.RESONATING)
        return self.turn(se, State.ABSORBING if self._absorbable(se) else State.SEEKING)

    def absorb(self, se: SubEntity) -> SubEntity:
        """Take in the content here; what is both fitting and new becomes a narrative."""
        place = se.position
        aligned = self._like(self.question.intention_embedding, place.embedding)
        new = round(formulas.novelty(place.embedding, se.links, self.zero), DIGITS)
        energy = self._warm(se, State.ABSORBING)
        se = replace(se, absorbed=se.absorbed | {place.element})
        self.watch.absorbed(se, aligned, new, energy)
        if formulas.absorbs(aligned, new):
            return self.turn(replace(se, reason=Reason.ABSORBED), State.CRYSTALLIZING)
        return self.turn(se, State.SEEKING)

    def resonate(self, se: SubEntity) -> SubEntity:
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
            return self.turn(se, State.SEEKING)
        if self.settings.strict_seed:
            return self.turn(replace(se, reason=Reason.SATISFIED), State.MERGING)
        return self.stop(se, Reason.SATISFIED)

    def reflect(self, se: SubEntity) -> SubEntity:
        """Colour a good path with the intention; with nothing good in hand, crystallize."""
        self.watch.reflected(se)
        if se.satisfaction > 0.5 and se.path:
            boost = colouring.REFLECTING_BOOST * se.satisfaction
            se = self._colour(se, "intention", self.question.intention_embedding, boost)
        well = not formulas.should_crystallize(se.found) and not self.settings.strict_seed
        done = se.satisfaction > 0.5 or well or not se.path
        return self.turn(se, State.MERGING if done else State.CRYSTALLIZING)

    def crystallize(self, se: SubEntity, *, colour: bool) -> SubEntity:
        """Plan a narrative of what this SubEntity is after, between its spawn and its focus."""
        crystal = self._crystal(se)
        self.plan.crystals.append(crystal)
        self._narratives[crystal.key] = crystal.embedding
        found = {**se.found, crystal.key: 1.0}
        se = replace(se, found=found, crystallized=crystal.key)
        self.watch.crystal(crystal)
        if colour:
            boost = colouring.CRYSTALLIZING_BOOST
            se = self._colour(se, "narrative", crystal.embedding, boost)
        return se

    def merge(self, se: SubEntity) -> SubEntity:
        """A child that brings nothing home makes something of what it was after."""
        if se.parent and se.crystallized is None and formulas.should_crystallize(se.found):
            se = self.crystallize(se, colour=not se.coloured)
        self.watch.ended(se)
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

    def _absorbable(self, se: SubEntity) -> bool:
        place = se.position
        fresh = bool(place.content) and place.element not in se.absorbed
        within = se.depth < self.settings.max_depth
        return self.settings.absorb and within and fresh and place.kind in WITH_CONTENT

    def _colour(self, se: SubEntity, why: str, final: Array, boost: float) -> SubEntity:
        path = se.own_path if self.settings.color_scope == "own" else se.path
        strokes = colouring.strokes([hop.way.reverse for hop in path], final, boost)
        self.plan.colour(se.id, why, boost, zip(path, strokes, strict=True))
        self.watch.coloured(se, why, boost, [hop.way.id for hop in path])
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
        known = (self._narratives.get(id) for id in found)
        return [vector for vector in known if vector is not None]

    def _like(self, a: Array, b: Array | None) -> float:
        return round(formulas.likeness(a, b, self.zero), DIGITS)
