"""Watches a walk: tells its events, notes its choices, and finds what is odd about it."""

from dataclasses import dataclass
from typing import Any

from engine.exploration import formulas
from engine.exploration.events import EventType, Teller
from engine.exploration.plan import Crystal
from engine.exploration.result import Anomaly, Candidate, Choice, Factors
from engine.exploration.subentity import Place, SubEntity, View

LOW_DIVERGENCE = 0.5
PLATEAU_STEPS = 5
PLATEAU_RANGE = 0.05
DEEP = 8
HIGH_CRITICALITY = 0.8
WEAK = {"alignment": 0.3, "polarity": 0.5, "permanence": 0.5, "novelty": 0.5, "divergence": 0.5}


@dataclass(frozen=True)
class Taken:
    """A hop, and whether it had siblings to diverge from."""

    subentity: str
    alignment: float
    divergence: float
    had_siblings: bool


class Watch:
    """Everything about a walk that decides nothing."""

    def __init__(self, teller: Teller, threshold: float) -> None:
        self._teller = teller
        self._threshold = threshold
        self.choices: list[Choice] = []
        self.anomalies: list[Anomaly] = []
        self.taken: list[Taken] = []
        self.backtracks = 0
        self.start = ""

    @property
    def tick(self) -> int:
        """Which tick it is."""
        return self._teller.tick

    def scored(self, se: SubEntity, view: View, verdict: str, chosen: int) -> None:
        """A SubEntity weighed its links."""
        candidates = [
            _candidate(shown, at < chosen, view.shown[0]["score"])
            for at, shown in enumerate(view.shown)
        ]
        choice = Choice(
            subentity=se.id,
            tick=self._teller.tick,
            at=se.position.id,
            name=se.position.name,
            count=view.count,
            verdict=verdict,
            decisive=_decisive(candidates) if chosen else None,
            threshold=self._threshold,
            candidates=candidates,
        )
        self.choices.append(choice)
        told = choice.model_dump(mode="json", exclude={"subentity", "tick"})
        self._teller.tell(EventType.SCORED, se.id, **told)
        if not chosen and candidates:
            best = candidates[0]
            factors = best.factors.model_dump()
            self._odd(se, "LOW_SCORE_DEAD_END", score=best.score, link=best.link, factors=factors)

    def moved(self, se: SubEntity, before: Place, energy: float) -> None:
        """A SubEntity arrived at a node."""
        hop = se.path[-1]
        way, place = hop.way, hop.place
        self._teller.tell(
            EventType.MOVED,
            se.id,
            link=way.id,
            type=way.type,
            start=before.id,
            node=place.id,
            kind=place.kind,
            name=place.name,
            forward=way.forward,
            score=way.score,
            factors=dict(way.factors),
            depth=se.depth,
            hierarchy=way.rise,
            awareness=se.awareness,
            progress=se.history[-1],
            flagged=not way.own_vector,
            **({"focus": se.focus.tolist()} if self._teller.traces else {}),
        )
        weight = energy * place.permanence
        self._teller.tell(EventType.INJECTED, se.id, node=place.id, energy=energy, weight=weight)
        divergence = way.factors["divergence"]
        siblings = bool(se.siblings) and len(se.own_path) > 1
        self.taken.append(Taken(se.id, way.factors["alignment"], divergence, siblings))
        self._look_at(se, divergence)

    def _look_at(self, se: SubEntity, divergence: float) -> None:
        visited = {self.start, *(hop.place.element for hop in se.path[:-1])}
        if se.position.element in visited:
            self.backtracks += 1
            self._odd(se, "BACKTRACK", node=se.position.id)
        if divergence < LOW_DIVERGENCE:
            self._odd(se, "LOW_SIBLING_DIVERGENCE", divergence=divergence)
        if se.depth > DEEP:
            self._odd(se, "DEEP_EXPLORATION", depth=se.depth)
        if len(se.history) > 2 and max(se.history[-2:]) <= -formulas.FATIGUE_BELOW:
            self._odd(se, "REGRESSING", progress=list(se.history[-2:]))
        last = se.levels[-PLATEAU_STEPS:]
        if len(last) == PLATEAU_STEPS and max(last) - min(last) < PLATEAU_RANGE:
            self._odd(se, "SATISFACTION_PLATEAU", satisfaction=se.satisfaction)
        urgent = formulas.criticality(se.satisfaction, se.depth)
        if urgent > HIGH_CRITICALITY and not se.found:
            self._odd(se, "HIGH_CRITICALITY_NO_FINDINGS", criticality=urgent)

    def resonated(self, se: SubEntity, alignment: float, weight: float) -> None:
        """A SubEntity found a narrative."""
        self._teller.tell(
            EventType.RESONATED,
            se.id,
            node=se.position.id,
            alignment=alignment,
            satisfaction=se.satisfaction,
            weight=weight,
        )

    def absorbed(self, se: SubEntity, alignment: float, novelty: float, energy: float) -> None:
        """A SubEntity took in the content of a node."""
        self._teller.tell(
            EventType.ABSORBED,
            se.id,
            node=se.position.id,
            alignment=alignment,
            novelty=novelty,
            energy=energy,
        )

    def reflected(self, se: SubEntity) -> None:
        """A SubEntity looked back."""
        told = {"reason": se.reason, "satisfaction": se.satisfaction}
        self._teller.tell(EventType.REFLECTED, se.id, **told)

    def coloured(self, se: SubEntity, why: str, boost: float, links: list[str]) -> None:
        """A SubEntity means to colour links."""
        self._teller.tell(EventType.COLOR_PLANNED, se.id, why=why, boost=boost, links=links)

    def crystal(self, crystal: Crystal) -> None:
        """A SubEntity means to create a narrative."""
        vector: dict[str, Any] = {}
        if self._teller.traces:
            vector = {"embedding": crystal.embedding.tolist()}
        self._teller.tell(
            EventType.CRYSTAL_PLANNED,
            crystal.by,
            id=crystal.key,
            name=crystal.name,
            spawn=crystal.spawn.id,
            focus=crystal.focus.id,
            energy=crystal.energy,
            hierarchy=crystal.hierarchy,
            permanence=crystal.permanence,
            **vector,
        )

    def ended(self, se: SubEntity) -> None:
        """A SubEntity is done."""
        self._teller.tell(
            EventType.ENDED,
            se.id,
            reason=se.reason,
            at=se.position.id,
            depth=se.depth,
            satisfaction=se.satisfaction,
            found=dict(se.found),
        )

    def _odd(self, se: SubEntity, type: str, **data: Any) -> None:
        found = Anomaly(type=type, subentity=se.id, tick=self._teller.tick, data=data)
        self.anomalies.append(found)
        self._teller.tell(EventType.ANOMALY, se.id, anomaly=type, **data)


def why_not(factors: dict[str, float], score: float, best: float) -> str:
    """The weakest factor of a link that was not taken; else how far its score is behind."""
    weak = {name: factors[name] for name, limit in WEAK.items() if factors[name] < limit}
    if not weak:
        return f"score gap {best - score:.4f}"
    name = min(weak, key=lambda name: (weak[name], name))
    if name == "permanence":
        return f"permanence {1 - weak[name]:.3f} above {1 - WEAK[name]:g}"
    return f"{name} {weak[name]:.3f} below {WEAK[name]:g}"


def _candidate(shown: Any, chosen: bool, best: float) -> Candidate:
    reason = None if chosen else why_not(shown["factors"], shown["score"], best)
    return Candidate(
        link=shown["id"],
        type=shown["type"],
        node=shown["node"],
        name=shown["name"],
        score=shown["score"],
        factors=Factors(**shown["factors"]),
        chosen=chosen,
        why_not=reason,
    )


def _decisive(candidates: list[Candidate]) -> str | None:
    """The factor that set the best apart from the first that was not taken."""
    others = [candidate for candidate in candidates if not candidate.chosen]
    if not others:
        return None
    best, next_best = (c.factors.model_dump() for c in (candidates[0], others[0]))
    return max(best, key=lambda name: (best[name] / max(next_best[name], 1e-9), name))
