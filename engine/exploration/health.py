"""How well a walk went, and in which band that is."""

from engine.exploration import formulas
from engine.exploration.result import Band, Health
from engine.exploration.walk import Walk


def health(walk: Walk) -> list[Health]:
    """The six measures of a walk."""
    watch, hops = walk.watch, max(1, len(walk.watch.taken))
    diverging = [hop.divergence for hop in watch.taken if hop.had_siblings]
    found = sum(len(se.own_found) for se in walk.subentities.values())
    aligned = [hop.alignment for hop in watch.taken]
    return [
        _measured("efficiency", found / hops, 0.20, 0.10),
        _measured("satisfaction_per_step", walk.root.satisfaction / hops, 0.10, 0.03),
        _measured("divergence", formulas.mean(diverging, 1.0), 0.70, 0.50),
        _measured("alignment", formulas.mean(aligned, 0.0), 0.60, 0.40),
        _measured("backtracks", watch.backtracks / hops, 0.10, 0.30, less=True),
        _measured("anomalies", float(len(watch.anomalies)), 1.0, 3.0, less=True),
    ]


def _measured(name: str, value: float, good: float, bad: float, *, less: bool = False) -> Health:
    """A measure in its band; with `less`, less is better."""
    if less:
        band = Band.OK if value < good else Band.ERROR if value >= bad else Band.WARN
    else:
        band = Band.OK if value >= good else Band.ERROR if value < bad else Band.WARN
    return Health(name=name, value=value, band=band)
