"""The measures of K-60, from what the kernel decided."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.causality.allocation import Decision
from engine.causality.model import (
    CausalLink,
    ClaimReason,
    Metrics,
    Quantiles,
    Share,
    Unclaimed,
)
from engine.causality.transcript import IntentType, Strength

QUANTILES = {"p10": 0.1, "p50": 0.5, "p90": 0.9}
DECIMALS = 6


def measure(links: Sequence[CausalLink], decisions: Sequence[Decision]) -> Metrics:
    """Coverage, shares, histograms, contention; None where there is nothing to divide by."""
    claimed = [link for link in links if link.claimed]
    fanout = Counter(link.consequence_anchor_index for link in claimed)
    bidders = Counter(decision.top.line for decision in decisions if decision.top)
    reasons = Counter(decision.reason for decision in decisions if not decision.chosen)
    return Metrics(
        **shares((link.intent_strength, link.intent_type, link.claimed, 1) for link in links),
        distances=histogram(link.distance for link in claimed),
        line_gaps=histogram(link.line_gap for link in claimed),
        scores=quantiles(_scores(claimed)),
        scores_by_distance=by_distance(claimed),
        consequences=len(fanout),
        fanout=histogram(fanout.values()),
        contested=sum(count > 1 for count in bidders.values()),
        most_bidders=max(bidders.values(), default=None),
        unclaimed_reasons=ordered_reasons(reasons),
        unclaimed_strong=[
            _unclaimed(link, decision)
            for link, decision in zip(links, decisions, strict=True)
            if not link.claimed and link.intent_strength is Strength.STRONG
        ],
    )


def counted(
    row: dict[str, Any],
    dropped: Sequence[tuple[str, str, str, int]],
    strong: Sequence[dict[str, Any]],
) -> Metrics:
    """The same measures from what the graph counted, and what was only noted on its sessions."""
    groups = [(g["strength"], g["type"], g["claimed"], g["count"]) for g in row["intents"]]
    groups += [(strength, type, False, count) for strength, type, _, count in dropped]
    reasons: Counter[ClaimReason] = Counter()
    for group in row["intents"]:
        if not group["claimed"]:
            reasons[ClaimReason(group["reason"])] += group["count"]
    for _, _, reason, count in dropped:
        reasons[ClaimReason(reason)] += count
    return Metrics(
        **shares(groups),
        distances=dict(row["distances"]),
        line_gaps=dict(row["line_gaps"]),
        scores=rounded(row["scores"]),
        scores_by_distance={distance: rounded(spread) for distance, spread in row["by_distance"]},
        consequences=sum(count for _, count in row["fanouts"]),
        fanout=dict(row["fanouts"]),
        contested=row["contested"] or 0,
        most_bidders=row["most_bidders"],
        unclaimed_reasons=ordered_reasons(reasons),
        unclaimed_strong=[Unclaimed(**intent) for intent in strong],
    )


def shares(rows: Iterable[tuple[str, str, bool, int]]) -> dict[str, Any]:
    """The counts and shares among rows of strength, type, claimed and how many."""
    counted = list(rows)
    total = _share(counted)
    return {
        "intents": total.intents,
        "claimed": total.claimed,
        "unclaimed": total.intents - total.claimed,
        "coverage": total.share,
        "by_strength": {s: _share([row for row in counted if row[0] == s]) for s in Strength},
        "by_type": {t: _share([row for row in counted if row[1] == t]) for t in IntentType},
    }


def histogram(values: Iterable[int | None]) -> dict[int, int]:
    """How often each value occurs, by value."""
    counted = Counter(value for value in values if value is not None)
    return dict(sorted(counted.items()))


def ordered_reasons(counts: dict[ClaimReason, int]) -> dict[ClaimReason, int]:
    """Only the reasons that occur, in the order of their definition."""
    return {reason: counts[reason] for reason in ClaimReason if counts.get(reason)}


def by_distance(claimed: Sequence[CausalLink]) -> dict[int, Quantiles]:
    """Return the spread of the scores at each distance that occurs."""
    distances = histogram(link.distance for link in claimed)
    return {
        distance: quantiles(_scores(link for link in claimed if link.distance == distance))
        for distance in distances
    }


def quantiles(values: Sequence[float]) -> Quantiles:
    """Return the spread of numbers, linear between neighbours as percentileCont has it."""
    found = sorted(values)
    spread = {name: _quantile(found, part) for name, part in QUANTILES.items()}
    ends = {"minimum": min(found, default=None), "maximum": max(found, default=None)}
    return rounded({**ends, **spread})


def rounded(spread: Mapping[str, float | None]) -> Quantiles:
    """Return quantiles to as many decimals as a score has."""
    return Quantiles(**{name: value and round(value, DECIMALS) for name, value in spread.items()})


def _quantile(found: Sequence[float], part: float) -> float | None:
    """Weigh the two neighbours in the server's order of operations, to equal its last digit."""
    if not found:
        return None
    at = part * (len(found) - 1)
    low, high = math.floor(at), math.ceil(at)
    if low == high:
        return found[low]
    return found[low] * (high - at) + found[high] * (at - low)


def _scores(links: Iterable[CausalLink]) -> list[float]:
    return [link.score for link in links if link.score is not None]


def _share(rows: Sequence[tuple[str, str, bool, int]]) -> Share:
    intents = sum(count for *_, count in rows)
    claimed = sum(count for _, _, taken, count in rows if taken)
    return Share(intents=intents, claimed=claimed, share=claimed / intents if intents else None)


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
