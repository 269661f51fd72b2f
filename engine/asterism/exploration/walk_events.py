"""Choices, hops and anomalies of a walk in its event log, and the health derived from them."""

from collections.abc import Iterator, Mapping
from typing import Any

from asterism.exploration import formulas
from asterism.exploration.event_log import EventLog, EventType
from asterism.exploration.result import Anomaly, Band, Choice, Factors, Health
from asterism.exploration.subentity import Candidates, NodeSnapshot, SubEntity

LOW_DIVERGENCE = 0.5
PLATEAU_STEPS = 5
PLATEAU_RANGE = 0.05
DEEP = 8
HIGH_CRITICALITY = 0.8
WEAK_BELOW = {name: 0.5 for name in Factors.model_fields} | {"alignment": 0.3}


def record_choice(
    log: EventLog,
    se: SubEntity,
    candidates: Candidates,
    verdict: str,
    chosen: int,
    min_link_score: float,
) -> None:
    """Record the links weighed at a node, of which the first `chosen` were taken."""
    explained = [
        _explained(candidate, rank < chosen, candidates.sample[0]["score"])
        for rank, candidate in enumerate(candidates.sample)
    ]
    log.record(
        EventType.SCORED,
        se.id,
        at=se.position.id,
        name=se.position.name,
        count=candidates.count,
        verdict=verdict,
        decisive=_decisive_factor(explained, chosen),
        threshold=min_link_score,
        candidates=explained,
    )
    if not chosen and explained:
        best = {name: explained[0][name] for name in ("score", "link", "factors")}
        log.record(EventType.ANOMALY, se.id, anomaly="LOW_SCORE_DEAD_END", **best)


def record_hop(
    log: EventLog, se: SubEntity, start: NodeSnapshot, origin: NodeSnapshot, energy: float
) -> None:
    """Record the arrival of a SubEntity in a walk from `start`, and its energy there."""
    link, node = se.path[-1].link, se.path[-1].node
    log.record(
        EventType.MOVED,
        se.id,
        link=link.id,
        type=link.type,
        start=origin.id,
        node=node.id,
        kind=node.kind,
        name=node.name,
        forward=link.forward,
        score=link.score,
        factors=dict(link.factors),
        depth=se.depth,
        hierarchy=link.effective_hierarchy,
        awareness=se.awareness,
        progress=se.progress_history[-1],
        flagged=not link.has_own_vector,
        **({"focus": se.focus.tolist()} if log.with_vectors else {}),
    )
    weight = energy * node.permanence
    log.record(EventType.INJECTED, se.id, node=node.id, energy=energy, weight=weight)
    for name, data in _hop_anomalies(se, start):
        log.record(EventType.ANOMALY, se.id, anomaly=name, **data)


def _hop_anomalies(se: SubEntity, start: NodeSnapshot) -> Iterator[tuple[str, dict[str, Any]]]:
    if se.position.element_id in {start.element_id, *(h.node.element_id for h in se.path[:-1])}:
        yield "BACKTRACK", {"node": se.position.id}
    divergence = se.path[-1].link.factors["divergence"]
    if divergence < LOW_DIVERGENCE:
        yield "LOW_SIBLING_DIVERGENCE", {"divergence": divergence}
    if se.depth > DEEP:
        yield "DEEP_EXPLORATION", {"depth": se.depth}
    entries = se.progress_history
    if len(entries) > 2 and max(entries[-2:]) <= -formulas.FATIGUE_LIMIT:
        yield "REGRESSING", {"progress": list(entries[-2:])}
    last = se.satisfaction_history[-PLATEAU_STEPS:]
    if len(last) == PLATEAU_STEPS and max(last) - min(last) < PLATEAU_RANGE:
        yield "SATISFACTION_PLATEAU", {"satisfaction": se.satisfaction}
    urgency = formulas.criticality(se.satisfaction, se.depth)
    if urgency > HIGH_CRITICALITY and not se.findings:
        yield "HIGH_CRITICALITY_NO_FINDINGS", {"criticality": urgency}


def choices(log: EventLog) -> list[Choice]:
    """Return the choices in the log."""
    return [
        Choice(subentity=entry.subentity, tick=entry.tick, **entry.data)
        for entry in log.of_type(EventType.SCORED)
    ]


def anomalies(log: EventLog) -> list[Anomaly]:
    """Return the anomalies in the log."""
    return [
        Anomaly(
            type=entry.data["anomaly"],
            subentity=entry.subentity,
            tick=entry.tick,
            data={key: value for key, value in entry.data.items() if key != "anomaly"},
        )
        for entry in log.of_type(EventType.ANOMALY)
    ]


def metrics(log: EventLog, findings: int, satisfaction: float) -> list[Health]:
    """Return the six health measures of a walk, each with its band."""
    moves = [(entry.subentity, entry.data["factors"]) for entry in log.of_type(EventType.MOVED)]
    odd = [entry.data["anomaly"] for entry in log.of_type(EventType.ANOMALY)]
    hops = max(1, len(moves))
    alignments = [factors["alignment"] for _, factors in moves]
    return [
        _measure("efficiency", findings / hops, 0.20, 0.10),
        _measure("satisfaction_per_step", satisfaction / hops, 0.10, 0.03),
        _measure("divergence", formulas.mean(_divergences(moves), 1.0), 0.70, 0.50),
        _measure("alignment", formulas.mean(alignments, 0.0), 0.60, 0.40),
        _measure("backtracks", odd.count("BACKTRACK") / hops, 0.10, 0.30, lower=True),
        _measure("anomalies", float(len(odd)), 1.0, 3.0, lower=True),
    ]


def _divergences(moves: list[tuple[str, dict[str, float]]]) -> list[float]:
    """Return the divergence of the hops that children made after the one they were spawned by."""
    spawned: set[str] = set()
    divergences = []
    for subentity, factors in moves:
        if subentity in spawned:
            divergences.append(factors["divergence"])
        elif "." in subentity:
            spawned.add(subentity)
    return divergences


def _measure(name: str, value: float, good: float, bad: float, *, lower: bool = False) -> Health:
    """Return a measure in its band. With `lower`, a lower value is better."""
    if lower:
        band = Band.OK if value < good else Band.ERROR if value >= bad else Band.WARN
    else:
        band = Band.OK if value >= good else Band.ERROR if value < bad else Band.WARN
    return Health(name=name, value=value, band=band)


def why_not(factors: Mapping[str, float], score: float, best: float) -> str:
    """Return the weakest factor of a link that was not taken, else its distance to the best."""
    weak = {name: factors[name] for name, limit in WEAK_BELOW.items() if factors[name] < limit}
    if not weak:
        return f"score gap {best - score:.4f}"
    name = min(weak, key=lambda name: (weak[name], name))
    if name == "permanence":
        return f"permanence {1 - weak[name]:.3f} above {1 - WEAK_BELOW[name]:g}"
    return f"{name} {weak[name]:.3f} below {WEAK_BELOW[name]:g}"


def _explained(candidate: Mapping[str, Any], chosen: bool, best: float) -> dict[str, Any]:
    reason = None if chosen else why_not(candidate["factors"], candidate["score"], best)
    return {**candidate, "chosen": chosen, "why_not": reason}


def _decisive_factor(candidates: list[dict[str, Any]], chosen: int) -> str | None:
    """Return the factor by which the best exceeds the first that was not taken."""
    if not chosen or len(candidates) <= chosen:
        return None
    best: dict[str, float] = candidates[0]["factors"]
    other = candidates[chosen]["factors"]
    return max(best, key=lambda name: (best[name] / max(other[name], 1e-9), name))
