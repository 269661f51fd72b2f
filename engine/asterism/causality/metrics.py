"""Measures of sessions, computed from the kernel's decisions or from counts of the graph."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from asterism.causality.allocation import Decision
from asterism.causality.models import (
    CausalLink,
    ClaimReason,
    Metrics,
    Quantiles,
    Share,
    Unclaimed,
)
from asterism.causality.rows import IntentCount, MetricsRow
from asterism.causality.transcripts.models import IntentType, Strength

QUANTILES = {"p10": 0.1, "p50": 0.5, "p90": 0.9}
DECIMALS = 6


def measure(links: Sequence[CausalLink], decisions: Sequence[Decision]) -> Metrics:
    """Return the measures of an extraction, None for a share or quantile of nothing."""
    claimed = [link for link in links if link.claimed]
    fanout = Counter(link.consequence_anchor_index for link in claimed)
    bidders = Counter(decision.top.line for decision in decisions if decision.top)
    groups = Counter(
        (link.intent_strength, link.intent_type, link.claimed, decision.reason, link.actor)
        for link, decision in zip(links, decisions, strict=True)
    )
    return Metrics(
        **_counts(
            [
                IntentCount(strength, type, is_claimed, reason, count, actor)
                for (strength, type, is_claimed, reason, actor), count in groups.items()
            ]
        ),
        distances=_histogram(link.distance for link in claimed),
        line_gaps=_histogram(link.line_gap for link in claimed),
        scores=quantiles(_scores(claimed)),
        scores_by_distance=_by_distance(claimed),
        consequences=len(fanout),
        fanout=_histogram(fanout.values()),
        contested=sum(count > 1 for count in bidders.values()),
        most_bidders=max(bidders.values(), default=None),
        unclaimed_strong=[
            _unclaimed(link, decision)
            for link, decision in zip(links, decisions, strict=True)
            if not link.claimed and link.intent_strength is Strength.STRONG
        ],
    )


def stored_measures(row: MetricsRow, unclaimed_strong: list[Unclaimed]) -> Metrics:
    """Return the measures that the graph counted, with the intents that are stored as counts."""
    counts = [IntentCount(**count) for count in row.intents]
    counts += [
        IntentCount(strength, type, False, reason, count, actor[0] if actor else None)
        for dropped in row.dropped
        for strength, type, reason, count, *actor in json.loads(dropped)
    ]
    return Metrics(
        **_counts(counts),
        distances=dict(row.distances),
        line_gaps=dict(row.line_gaps),
        scores=_rounded(row.scores),
        scores_by_distance={distance: _rounded(spread) for distance, spread in row.by_distance},
        consequences=sum(count for _, count in row.fanouts),
        fanout=dict(row.fanouts),
        contested=row.contested or 0,
        most_bidders=row.most_bidders,
        unclaimed_strong=unclaimed_strong,
    )


def quantiles(values: Sequence[float]) -> Quantiles:
    """Return the spread of numbers, linear between neighbours as percentileCont has it."""
    ordered = sorted(values)
    spread = {name: _quantile(ordered, part) for name, part in QUANTILES.items()}
    ends = {"minimum": min(ordered, default=None), "maximum": max(ordered, default=None)}
    return _rounded({**ends, **spread})


def _counts(counts: Sequence[IntentCount]) -> dict[str, Any]:
    """Return the counts, shares and reasons of intents."""
    total = _share(counts)
    actors = sorted({count.actor for count in counts if count.actor is not None})
    reasons: Counter[str] = Counter()
    for count in counts:
        if not count.claimed:
            reasons[count.reason] += count.intents
    return {
        "intents": total.intents,
        "claimed": total.claimed,
        "unclaimed": total.intents - total.claimed,
        "coverage": total.share,
        "by_strength": {s: _share([c for c in counts if c.strength == s]) for s in Strength},
        "by_type": {t: _share([c for c in counts if c.type == t]) for t in IntentType},
        "by_actor": {actor: _share([c for c in counts if c.actor == actor]) for actor in actors},
        "unclaimed_reasons": {reason: reasons[reason] for reason in ClaimReason if reasons[reason]},
    }


def _share(counts: Sequence[IntentCount]) -> Share:
    intents = sum(count.intents for count in counts)
    claimed = sum(count.intents for count in counts if count.claimed)
    return Share(intents=intents, claimed=claimed, share=claimed / intents if intents else None)


def _histogram(values: Iterable[int | None]) -> dict[int, int]:
    """Return the number of times that each value occurs, by value."""
    return dict(sorted(Counter(value for value in values if value is not None).items()))


def _by_distance(claimed: Sequence[CausalLink]) -> dict[int, Quantiles]:
    """Return the spread of the scores at each distance that occurs."""
    distances = _histogram(link.distance for link in claimed)
    return {
        distance: quantiles(_scores(link for link in claimed if link.distance == distance))
        for distance in distances
    }


def _rounded(spread: Mapping[str, float | None]) -> Quantiles:
    """Return quantiles to as many decimals as a score has."""
    return Quantiles(**{name: value and round(value, DECIMALS) for name, value in spread.items()})


def _quantile(ordered: Sequence[float], part: float) -> float | None:
    """Weigh the two neighbours in the server's order of operations, to equal its last digit."""
    if not ordered:
        return None
    at = part * (len(ordered) - 1)
    low, high = math.floor(at), math.ceil(at)
    if low == high:
        return ordered[low]
    return ordered[low] * (high - at) + ordered[high] * (at - low)


def _scores(links: Iterable[CausalLink]) -> list[float]:
    return [link.score for link in links if link.score is not None]


def _unclaimed(link: CausalLink, decision: Decision) -> Unclaimed:
    return Unclaimed(
        session_id=link.session_id,
        id=link.id,
        anchor_index=link.intent_anchor_index,
        actor=link.actor,
        type=link.intent_type,
        text=link.intent_text,
        reason=decision.reason,
    )
