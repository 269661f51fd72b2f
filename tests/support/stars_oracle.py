"""Oracle of stars and connections: the formulas once more, in plain Python without a database.

It shares no code with the package on purpose, and loops where the package aggregates. Random
streams are compared with it.
"""

import math
import statistics
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

IMPACT = {
    "co_mention_response": (0.05, 0.5, 0.3),
    "co_mention_session": (0.08, 0.8, 0.4),
    "correlation_detected": (0.10, 1.0, 0.5),
    "user_confirms": (0.20, 2.0, 0.9),
    "user_creates": (0.25, 2.5, 1.0),
    "tars_confirmed": (0.15, 1.5, 0.7),
    "causation_detected": (0.12, 1.2, 0.6),
}
HALF_LIFE = {
    "RESONANCE": 30,
    "TENSION": 21,
    "CAUSATION": 14,
    "GROWTH_EDGE": 45,
    "SHADOW_MIRROR": 60,
    "BLOCKS": 21,
}
STAR_HALF_LIFE = {"health": 7, "relationships": 14, "wealth": 21, "purpose": 30, "soul": 90}
IDLE_DAYS = {"NASCENT": 7, "FORMING": 14, "WEAK": 30, "MODERATE": 45, "STRONG": 60}
STAR_IDLE_DAYS = {"DARK": 30, "FLICKERING": 14, "BRIGHT": 60, "DIM": 30, "NASCENT": 14}
RANK = {"DORMANT": 0, "NASCENT": 1, "FORMING": 2, "WEAK": 3, "MODERATE": 4, "STRONG": 5}
BASE_CONFIDENCE = {
    "RESONANCE": 0.5,
    "TENSION": 0.5,
    "CAUSATION": 0.6,
    "GROWTH_EDGE": 0.6,
    "SHADOW_MIRROR": 0.5,
    "BLOCKS": 0.7,
}
COMPUTED = ("correlation_detected", "causation_detected")
TOLERANCE = 1e-9  # values this near a threshold are at it
DIRECTED = ("CAUSATION", "GROWTH_EDGE", "BLOCKS")
LOWEST = 0.05
DAY = timedelta(hours=24)


def clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def ordinal(at: datetime | date) -> int:
    day = at.astimezone(UTC).date() if isinstance(at, datetime) else at
    return day.toordinal() - date(1970, 1, 1).toordinal()


def decayed(strength: float, kind: str, idle: int, excavating: bool = False) -> float:
    """Return the strength after one day of S-13 to S-16."""
    if strength <= LOWEST or idle <= 0:
        return strength
    activity = 0.5 if idle < 7 else 1.0
    rate = 1 - math.pow(0.5, 1 / HALF_LIFE[kind])
    slowed = rate * activity * (0.5 if excavating else 1.0)
    return strength - strength * slowed * (strength - LOWEST) / (1 - LOWEST)


def fading(brightness: float, domain: str) -> float:
    """Return the brightness that a star loses on an idle day (B-2)."""
    half = 0.5 if brightness < 0.3 - TOLERANCE else 1.0
    rate = 1 - math.pow(0.5, 1 / STAR_HALF_LIFE[domain])
    return max(0.0, brightness * rate * (brightness - 0.05) / 0.95 * half)


def band(strength: float, evidence: float) -> str:
    """Return the state of a connection that is awake (S-6)."""
    for state, min_strength, min_evidence in (
        ("STRONG", 0.8, 8),
        ("MODERATE", 0.6, 5),
        ("WEAK", 0.4, 3),
        ("FORMING", 0.2, 2),
    ):
        if strength >= min_strength - TOLERANCE and evidence >= min_evidence:
            return state
    return "NASCENT"


def effective(evidence_days: list[int], day: int) -> float:
    """Return the effective evidence of a day (S-4)."""
    total = 0.0
    for evidence_day in evidence_days:
        age = day - evidence_day
        total += 1.0 if age <= 30 else 0.5 if age <= 60 else 0.0
    return min(total, 15.0)


def irregularity(evidence_days: list[int]) -> float:
    """Return how irregular the days of evidence are (D-12)."""
    distinct = sorted(set(evidence_days))
    gaps = [b - a for a, b in pairwise(distinct)]
    if len(gaps) < 2:
        return 0.0
    var, mean = statistics.variance(gaps), statistics.mean(gaps)
    return var / (var + mean**2)


def ranked_total(gains: list[float]) -> float:
    """Return the total of the gains of a day, largest first (S-10)."""
    factors = (1.0, 0.6, 0.3)
    ordered = sorted(gains, reverse=True)
    return sum(g * (factors[i] if i < 3 else 0.1) for i, g in enumerate(ordered))


def pearson(xs: list[float], ys: list[float]) -> float | None:
    """Return the correlation of two series (S-18)."""
    if len(xs) < 5 or max(xs) == min(xs) or max(ys) == min(ys):
        return None
    mx, my = statistics.fmean(xs), statistics.fmean(ys)
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    sxx, syy = sum((x - mx) ** 2 for x in xs), sum((y - my) ** 2 for y in ys)
    return sxy / math.sqrt(sxx * syy)


@dataclass
class Lags:
    count: int
    mean: float | None
    confidence: float
    sign: int


def measured_lags(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> Lags:
    """Return the lags of B's events behind A's (S-19), where events are (epoch hours, change)."""
    gaps, agreement = [], 0
    for ta, da in a:
        for tb, db in b:
            if 0 < tb - ta < 72:
                gaps.append(tb - ta)
                agreement += 1 if da * db > 0 else -1
    if len(gaps) < 3:
        return Lags(len(gaps), None, 0.0, -1)
    mean = statistics.fmean(gaps)
    steadiness = max(0.0, 1 - statistics.variance(gaps) / mean)
    sign = 1 if agreement > 0 else -1
    return Lags(len(gaps), mean, min(len(gaps) / 8 * steadiness, 1.0), sign)


@dataclass
class OracleStar:
    id: str
    domain: str
    brightness: float
    state: str
    engaged_day: int
    variance: float = 0.0
    calm_days: int = 0
    effective_max: float = 1.0
    multiplier: float = 1.0
    contradictions: int = 0
    is_anti_pattern: bool = False
    confrontations: dict[str, int] = field(default_factory=dict)
    engaged_days: set[int] = field(default_factory=set)
    closes: dict[int, float] = field(default_factory=dict)
    gains: float = 0.0
    losses: float = 0.0
    change_since_event: float = 0.0
    events: list[tuple[datetime, float]] = field(default_factory=list)
    own_change: float = 0.0
    unclamped_change: float = 0.0
    own_brightness: float = 0.0


@dataclass
class OracleConnection:
    start: str
    end: str
    kind: str
    type_source: str
    engaged_day: int
    reviewed_day: int
    strength: float = 0.0
    evidence_count: int = 0
    evidence_days: list[int] = field(default_factory=list)
    state: str = "NASCENT"
    engaged_state: str = "NASCENT"
    dormant_reason: str | None = None
    state_before_sleep: str = "NASCENT"
    ledger_day: int | None = None
    gains_today: list[float] = field(default_factory=list)
    gained_today: float = 0.0
    bonus_day: int | None = None
    bonus_today: float = 0.0
    evidence_at_review: int = 1
    type_changed_day: int | None = None
    correlation: float | None = None
    lags: Lags | None = None
    block_active: bool = False
    effective_evidence: float = 0.0
    confidence: float = 0.0


@dataclass
class OraclePrediction:
    pair: tuple[str, str]
    cause: str
    effect: str
    sign: int
    issued: datetime
    status: str = "OPEN"


class Oracle:
    """The whole part for one constellation."""

    def __init__(self, start: datetime, now: datetime) -> None:
        self.start_day = ordinal(start)
        self.since = ordinal(now)
        self.stars: dict[str, OracleStar] = {}
        self.links: dict[tuple[str, str], OracleConnection] = {}
        self.co_mentions: dict[tuple[str, str], list[tuple[int, str, float, int]]] = {}
        self.sources: dict[tuple[str, str], list[tuple[str, str, datetime]]] = {}
        self.archive: dict[tuple[str, str], tuple[int, float]] = {}
        self.predictions: list[OraclePrediction] = []

    # -- what happens during a day ------------------------------------------------------------

    def add(self, id: str, domain: str, brightness: float, state: str, created: datetime) -> None:
        day = ordinal(created)
        star = OracleStar(id, domain, brightness, state, day, engaged_days={day})
        star.variance = 0.3 if state == "NASCENT" else 0.0
        self.stars[id] = star

    def links_of(self, id: str) -> list[tuple[tuple[str, str], OracleConnection]]:
        return [(pair, link) for pair, link in self.links.items() if id in pair]

    def excavating(self, day: int) -> bool:
        return 0 <= day - self.start_day < 7

    def mark_engaged(self, id: str, day: int) -> None:
        star = self.stars[id]
        star.engaged_day = max(star.engaged_day, day)
        star.engaged_days.add(day)
        if star.state == "DORMANT":
            star.state = "FLICKERING"
        for pair, link in self.links_of(id):
            if link.state != "DORMANT":
                link.engaged_state = link.state
            elif link.dormant_reason == "STAR" and not self.sleeping(pair):
                self.recompute(pair, link, day, wake=True)

    def sleeping(self, pair: tuple[str, str]) -> bool:
        return any(self.stars[id].state == "DORMANT" for id in pair)

    def recompute(
        self,
        pair: tuple[str, str],
        link: OracleConnection,
        day: int,
        wake: bool = False,
        engaged: bool = True,
    ) -> None:
        link.effective_evidence = effective(link.evidence_days, day)
        base = {"USER": 0.8, "DEFAULT": 0.3}.get(link.type_source, BASE_CONFIDENCE[link.kind])
        link.confidence = (
            base * min(link.effective_evidence / 8, 1) * (1 - irregularity(link.evidence_days))
        )
        if self.sleeping(pair):
            link.dormant_reason = "STAR" if wake or link.state != "DORMANT" else link.dormant_reason
            link.state_before_sleep = (
                link.state_before_sleep if link.state == "DORMANT" else link.state
            )
            link.state = "DORMANT"
        elif link.state != "DORMANT" or wake:
            link.state, link.dormant_reason = band(link.strength, link.effective_evidence), None
        if engaged and link.state != "DORMANT":
            link.engaged_state = link.state
        self.update_block(pair, link)

    def update_block(self, pair: tuple[str, str], link: OracleConnection) -> None:
        awake = link.state != "DORMANT" and self.stars[link.start].state != "DORMANT"
        holds = link.kind == "BLOCKS" and awake and link.strength >= 0.3 - TOLERANCE
        link.block_active = holds and (link.block_active or RANK[link.state] >= 3)

    def engage(self, id: str, gains: list[float], losses: float, at: datetime) -> None:
        star = self.stars[id]
        self.mark_engaged(id, ordinal(at))
        before = self.brightness_now(star)
        star.gains += sum(gains)
        star.losses += losses
        star.change_since_event += self.brightness_now(star) - before
        if abs(star.change_since_event) >= 0.1 - TOLERANCE:
            star.events.append((at, star.change_since_event))
            star.change_since_event = 0.0

    def brightness_now(self, star: OracleStar) -> float:
        """Return the brightness with the gains and losses of today."""
        own = min(star.gains, 0.06) * star.multiplier - star.losses
        return clamp(star.brightness + own, 0.05, star.effective_max)

    def lift_blocks(self) -> None:
        """Raise ceilings at once where blocks ended, since they fall at the close only."""
        for star in self.stars.values():
            star.effective_max = max(star.effective_max, self.ceiling(star.id))

    def ceiling(self, id: str) -> float:
        """Return the ceiling that the strongest block leaves (S-27)."""
        blocks = [
            link.strength
            for pair, link in self.links_of(id)
            if link.kind == "BLOCKS"
            and link.end == id
            and link.block_active
            and not self.sleeping(pair)
        ]
        return 1.0 - 0.5 * max(blocks, default=0.0)

    def user_action(self, id: str, what: str, day: int) -> None:
        self.mark_engaged(id, day)
        star, before = self.stars[id], self.stars[id].state
        if what == "acknowledge" and before == "NASCENT":
            star.state, star.brightness = "FLICKERING", max(star.brightness, 0.3)
        if what == "flag_dark":
            star.is_anti_pattern = True
        if what == "contradict":
            star.contradictions += 1
        if before == "DARK" and what in ("engagement", "shadow_task", "acknowledged"):
            star.confrontations[what] = star.confrontations.get(what, 0) + 1
            counts = star.confrontations
            score = 0.4 * counts.get("engagement", 0) + 0.4 * counts.get("shadow_task", 0)
            if score + 0.2 * min(1, counts.get("acknowledged", 0)) >= 1 - 1e-9:
                star.state, star.is_anti_pattern, star.contradictions = "DIM", False, 0
                star.confrontations = {}
        if star.is_anti_pattern or star.contradictions >= 3:
            star.state = "DARK"
        self.apply_dark_rules(id, before, day)

    def apply_dark_rules(self, id: str, before: str, day: int) -> None:
        star = self.stars[id]
        for pair, link in self.links_of(id):
            other = self.stars[pair[0] if pair[1] == id else pair[1]]
            if star.state == "DARK" and link.type_source != "USER":
                start = min(pair) if other.state == "DARK" else id
                self.change_type(pair, link, "SHADOW_MIRROR", start, day)
                self.recompute(pair, link, day)
            elif before == "DARK" and star.state == "DIM":
                if link.kind == "SHADOW_MIRROR" and link.type_source != "USER":
                    if other.state == "DARK":
                        self.change_type(pair, link, "SHADOW_MIRROR", other.id, day)
                    else:
                        self.change_type(pair, link, "RESONANCE", min(pair), day)
                    self.recompute(pair, link, day)
                elif link.kind == "BLOCKS" and link.start == id:
                    link.strength *= 0.5
                    self.recompute(pair, link, day)
        self.lift_blocks()

    def change_type(
        self,
        pair: tuple[str, str],
        link: OracleConnection,
        kind: str,
        start: str,
        day: int,
        source: str = "DETECTED",
    ) -> None:
        if link.kind != kind:
            link.type_changed_day, link.block_active = day, False
        link.kind, link.type_source, link.start = kind, source, start
        link.end = pair[0] if pair[1] == start else pair[1]

    def evidence(
        self,
        a: str,
        b: str,
        kind: str,
        source: str,
        now: datetime,
        at: datetime | None = None,
        secondary: bool = False,
        chosen: str | None = None,
        decision: tuple[str, str, str] | None = None,
    ) -> str:
        pair = (min(a, b), max(a, b))
        at, day = at or now, ordinal(now)
        sources = self.sources.setdefault(pair, [])
        if any(earlier[:2] == (source, kind) and abs(earlier[2] - at) < DAY for earlier in sources):
            return "duplicate"
        if now - at > timedelta(hours=48):
            return "late"
        weight = (0.5 if secondary else 1.0) * (1.5 if self.excavating(day) else 1.0)
        mention = (day, kind, weight, ordinal(at))
        outcome = "counted"
        if pair not in self.links:
            if any(self.stars[id].state in ("DORMANT", "NASCENT") for id in pair):
                return "refused"
            recent = [m for m in self.co_mentions.get(pair, []) if day - m[0] < 7]
            alone = kind.startswith("co_mention") and not self.excavating(day) and not recent
            sources.append((source, kind, at))
            if alone:
                self.co_mentions.setdefault(pair, []).append(mention)
                return "candidate"
            self.create(pair, a, day, chosen, decision)
            outcome = "created"
            self.engage_by_evidence(pair, kind, day)
            for earlier in recent:
                self.apply_gain(pair, earlier, creating=True)
            self.co_mentions.pop(pair, None)
        else:
            sources.append((source, kind, at))
            self.engage_by_evidence(pair, kind, day)
        capped = self.apply_gain(pair, mention, creating=outcome == "created")
        self.recompute(pair, self.links[pair], day, wake=True)
        return "capped" if capped and outcome == "counted" else outcome

    def engage_by_evidence(self, pair: tuple[str, str], kind: str, day: int) -> None:
        """Engage both stars, unless the evidence is computed."""
        for id in pair if kind not in COMPUTED else ():
            self.mark_engaged(id, day)

    def create(
        self,
        pair: tuple[str, str],
        a: str,
        day: int,
        chosen: str | None,
        decision: tuple[str, str, str] | None,
    ) -> None:
        lags, correlation = None, None
        if chosen:
            dark = [id for id in pair if self.stars[id].state == "DARK"]
            start = pair[0]
            if chosen in DIRECTED:
                start = a
            elif chosen == "SHADOW_MIRROR" and len(dark) == 1:
                start = dark[0]
            kind, source = chosen, "USER"
        else:
            kind, start, source, _, correlation, lags = self.decide_type(pair, None, day)
        end = pair[0] if start == pair[1] else pair[1]
        link = OracleConnection(
            start, end, kind, source, day, day, correlation=correlation, lags=lags
        )
        if pair in self.archive and day - self.archive[pair][0] < 7:
            link.strength = self.archive[pair][1] * 0.5
        self.links[pair] = link

    def awake_connections(self, id: str) -> int:
        return sum(1 for _, link in self.links_of(id) if link.state != "DORMANT")

    def apply_gain(
        self, pair: tuple[str, str], mention: tuple[int, str, float, int], creating: bool
    ) -> bool:
        day, kind, weight, observed = mention
        link = self.links[pair]
        impact, multiplier, confidence = IMPACT[kind]
        stale = link.ledger_day is not None and day - link.ledger_day < 7
        gain = impact * multiplier * confidence * weight * (0.7 if stale else 1.0)
        if link.state in ("NASCENT", "FORMING"):
            crowd = max(self.awake_connections(id) for id in pair) - (1 if creating else 0)
            gain *= 10 / crowd if crowd >= 10 else 1.0
        if link.ledger_day != day:
            link.ledger_day, link.gains_today, link.gained_today = day, [], 0.0
        link.gains_today.append(gain)
        bonus = link.bonus_today if link.bonus_day == day else 0.0
        total = ranked_total(link.gains_today)
        allowed = min(total, 0.15 - bonus)
        if allowed > link.gained_today:
            link.strength = min(1.0, link.strength + (allowed - link.gained_today))
            link.gained_today = allowed
        link.evidence_count += 1
        link.evidence_days.append(observed)
        link.engaged_day = max(link.engaged_day, day)
        return total > allowed

    def connect(self, a: str, b: str, kind: str | None, now: datetime) -> str:
        pair = (min(a, b), max(a, b))
        outcome = self.evidence(a, b, "user_creates", "user", now, chosen=kind)
        if outcome in ("refused", "candidate", "late"):
            return outcome
        link = self.links.get(pair)
        if link and outcome != "created":
            if kind:
                self.assign(pair, a, kind, ordinal(now))
            self.recompute(pair, link, ordinal(now), wake=True)
            self.lift_blocks()
        return outcome

    def assign(self, pair: tuple[str, str], a: str, kind: str, day: int) -> None:
        dark = [id for id in pair if self.stars[id].state == "DARK"]
        start = pair[0]
        if kind in DIRECTED:
            start = a
        elif kind == "SHADOW_MIRROR" and len(dark) == 1:
            start = dark[0]
        self.change_type(pair, self.links[pair], kind, start, day, "USER")

    def assign_type(self, a: str, b: str, kind: str, day: int) -> None:
        pair = (min(a, b), max(a, b))
        link = self.links[pair]
        link.engaged_day = max(link.engaged_day, day)
        self.assign(pair, a, kind, day)
        self.recompute(pair, link, day)
        self.lift_blocks()

    def disconnect(self, a: str, b: str, day: int) -> None:
        pair = (min(a, b), max(a, b))
        link = self.links[pair]
        state = link.state_before_sleep if link.state == "DORMANT" else link.state
        if state in ("NASCENT", "FORMING"):
            self.dissolve(pair, day)
            return
        link.strength = max(0.0, link.strength - 0.15)
        link.engaged_day = max(link.engaged_day, day)
        if link.strength <= 0.0:
            self.dissolve(pair, day)
        else:
            self.recompute(pair, link, day)
            self.lift_blocks()

    def dissolve(self, pair: tuple[str, str], day: int) -> None:
        self.archive[pair] = (day, self.links.pop(pair).strength)
        self.lift_blocks()

    def retire(self, a: str, b: str, day: int) -> None:
        pair = (min(a, b), max(a, b))
        link = self.links[pair]
        link.engaged_day = max(link.engaged_day, day)
        if link.state != "DORMANT":
            link.state_before_sleep = link.state
            link.state, link.dormant_reason = "DORMANT", "RETIRED"
        self.recompute(pair, link, day)
        self.lift_blocks()

    # -- what the data says -------------------------------------------------------------------

    def decide_type(
        self, pair: tuple[str, str], link: OracleConnection | None, day: int
    ) -> tuple[str, str, str, str | None, float | None, Lags | None]:
        """Return type, start, source, detection, correlation and lags (S-17)."""
        a, b = (self.stars[id] for id in pair)
        old = link.correlation if link else None
        measured = None
        if link and link.kind == "CAUSATION" and link.type_source == "USER":
            measured = measured_lags(self.recent(link.start, day), self.recent(link.end, day))
        dark = [star.id for star in (a, b) if star.state == "DARK"]
        if dark:
            return "SHADOW_MIRROR", dark[0], "DETECTED", None, old, measured
        blocker = self.blocker(a, b, day)
        if blocker:
            return "BLOCKS", blocker, "DETECTED", None, old, measured
        window = [
            d
            for d in range(day - 30, day)
            if (d in a.engaged_days or d in b.engaged_days) and d in a.closes and d in b.closes
        ]
        correlation = pearson([a.closes[d] for d in window], [b.closes[d] for d in window])
        if correlation is not None and correlation > 0.5 + TOLERANCE:
            detected = None if old is not None and old > 0.5 + TOLERANCE else "correlation_detected"
            return "RESONANCE", pair[0], "DETECTED", detected, correlation, measured
        if correlation is not None and correlation < -0.3 - TOLERANCE:
            detected = (
                None if old is not None and old < -0.3 - TOLERANCE else "correlation_detected"
            )
            return "TENSION", pair[0], "DETECTED", detected, correlation, measured
        start, lags = self.cause(pair, day)
        if lags.confidence > 0.6 + TOLERANCE:
            kind = "GROWTH_EDGE" if lags.sign > 0 else "CAUSATION"
            before = link.lags.confidence if link and link.lags else 0.0
            detected = None if before > 0.6 + TOLERANCE else "causation_detected"
            return kind, start, "DETECTED", detected, correlation, measured or lags
        return "RESONANCE", pair[0], "DEFAULT", None, correlation, measured or lags

    def recent(self, id: str, day: int) -> list[tuple[float, float]]:
        return [
            (at.timestamp() / 3600, delta)
            for at, delta in self.stars[id].events
            if day - 30 < ordinal(at) <= day
        ]

    def cause(self, pair: tuple[str, str], day: int) -> tuple[str, Lags]:
        a, b = (self.recent(id, day) for id in pair)
        there, back = measured_lags(a, b), measured_lags(b, a)
        if there.confidence != back.confidence:
            better = there.confidence > back.confidence
            return (pair[0], there) if better else (pair[1], back)
        first = (a[0][0] if a else 1e99) <= (b[0][0] if b else 1e99)
        return (pair[0], there) if first else (pair[1], back)

    def blocker(self, a: OracleStar, b: OracleStar, day: int) -> str | None:
        blockers = [
            blocker.id
            for blocker, blocked in ((a, b), (b, a))
            if self.is_blocking(blocker, blocked, day)
        ]
        if len(blockers) < 2:
            return blockers[0] if blockers else None
        window = range(day - 30, day)
        first = [min((d for d in window if d in each.engaged_days), default=day) for each in (a, b)]
        return a.id if first[0] <= first[1] else b.id

    def is_blocking(self, a: OracleStar, b: OracleStar, day: int) -> bool:
        """Return True if A blocks B (S-20, D-35)."""
        window = range(day - 30, day)
        if day - 31 not in b.closes or day - 1 not in b.closes:
            return False
        tried = [d for d in window if d in b.engaged_days]
        stuck = [
            d
            for d in tried
            if {d, d - 1} <= b.closes.keys()
            and b.closes[d] - b.closes[d - 1] <= 0.05 / 30 + TOLERANCE
        ]
        active = sum(1 for d in stuck if d in a.engaged_days) / len(stuck) if stuck else 0.0
        progress = b.closes[day - 1] - b.closes[day - 31]
        return (
            len(tried) / 30 > 0.6 + TOLERANCE
            and progress < 0.05 - TOLERANCE
            and active > 0.5 + TOLERANCE
        )

    # -- the daily close ----------------------------------------------------------------------

    def close(self, day: int, now: datetime) -> None:
        due = self.sweep(day)
        for pair in due:
            self.evaluate(pair, day, now)
        if day > self.since and (day - self.since) % 7 == 0:
            self.connect_patterns(day, now)
        self.apply_own_day(day)
        self.apply_effects(day)
        self.apply_states(day)
        self.apply_predictions(day)

    def apply_own_day(self, day: int) -> None:
        """Compute each star's own change, clamped by its ceiling and the floor."""
        for star in self.stars.values():
            impact = min(star.gains, 0.06) * star.multiplier - star.losses
            fade = 0.0 if star.engaged_day == day else fading(star.brightness, star.domain)
            star.effective_max = self.ceiling(star.id)
            star.unclamped_change = impact - fade
            star.own_brightness = clamp(
                star.brightness + star.unclamped_change, 0.05, star.effective_max
            )
            star.own_change = star.own_brightness - star.brightness
            star.gains = star.losses = 0.0

    def sweep(self, day: int) -> list[tuple[str, str]]:
        due = []
        for pair, link in sorted(self.links.items()):
            latest = max(link.engaged_day, *(self.stars[id].engaged_day for id in pair))
            link.strength = decayed(link.strength, link.kind, day - latest, self.excavating(day))
            was, link.effective_evidence = link.state, effective(link.evidence_days, day)
            base = {"USER": 0.8, "DEFAULT": 0.3}.get(link.type_source, BASE_CONFIDENCE[link.kind])
            link.confidence = (
                base * min(link.effective_evidence / 8, 1) * (1 - irregularity(link.evidence_days))
            )
            if was != "DORMANT":
                if day - latest >= IDLE_DAYS[link.engaged_state]:
                    link.state_before_sleep = was
                    link.state, link.dormant_reason = "DORMANT", "INACTIVE"
                else:
                    link.state = band(link.strength, link.effective_evidence)
                if (
                    day - link.reviewed_day >= 7
                    or link.evidence_count - link.evidence_at_review >= 3
                ):
                    due.append(pair)
            self.update_block(pair, link)
        return due

    def evaluate(self, pair: tuple[str, str], day: int, now: datetime) -> None:
        link = self.links[pair]
        kind, start, source, detected, correlation, lags = self.decide_type(pair, link, day)
        link.correlation = correlation
        link.lags = lags if lags and lags.mean is not None else None
        locked = link.type_changed_day is not None and day - link.type_changed_day < 14
        differs = (kind, start) != (link.kind, link.start)
        if link.type_source != "USER" and differs and (not locked or kind == "SHADOW_MIRROR"):
            self.change_type(pair, link, kind, start, day, source)
            self.recompute(pair, link, day, engaged=False)
        elif link.type_source != "USER" and kind == link.kind:
            link.type_source = source
            self.recompute(pair, link, day, engaged=False)
        if detected:
            self.evidence(*pair, detected, f"detector {day}", now)
        link.reviewed_day, link.evidence_at_review = day, link.evidence_count

    def connect_patterns(self, day: int, now: datetime) -> None:
        pairs = []
        ids = sorted(self.stars)
        for i, a in enumerate(ids):
            for b in ids[i + 1 :]:
                if (a, b) in self.links:
                    continue
                if any(self.stars[id].state in ("DORMANT", "NASCENT") for id in (a, b)):
                    continue
                neighbours = {x for pair, _ in self.links_of(a) for x in pair} - {a}
                far = {x for pair, _ in self.links_of(b) for x in pair} - {b}
                if neighbours & far or (a, b) in self.co_mentions:
                    pairs.append((a, b))
        for pair in pairs:
            _, _, _, detected, _, _ = self.decide_type(pair, None, day)
            if detected:
                self.evidence(*pair, detected, f"detector {day}", now)

    def effect_on(
        self, id: str, pair: tuple[str, str], link: OracleConnection
    ) -> tuple[float, float]:
        """Return the spill and the drain of a connection for a star (S-21, S-22, S-26)."""
        other = self.stars[pair[0] if pair[1] == id else pair[1]]
        if link.kind == "RESONANCE":
            return other.own_change * 0.15 * link.strength * (
                1.0 if other.own_change > 0 else 0.5
            ), 0.0
        if link.kind == "TENSION" and other.own_change > 0.05 + TOLERANCE:
            return 0.0, other.own_change * 0.08 * link.strength
        if link.kind == "SHADOW_MIRROR" and other.state == "DARK":
            return 0.0, 0.01 * link.strength * (1 - other.own_brightness)
        return 0.0, 0.0

    def apply_effects(self, day: int) -> None:
        after = {}
        for id, star in self.stars.items():
            awake = [(pair, link) for pair, link in self.links_of(id) if not self.sleeping(pair)]
            acting = [(pair, link) for pair, link in awake if RANK[link.state] >= 2]
            pulls = [self.effect_on(id, pair, link) for pair, link in acting]
            boosts = [
                link.strength
                for _, link in acting
                if link.kind == "GROWTH_EDGE"
                and link.end == id
                and self.stars[link.start].state == "BRIGHT"
            ]
            top = star.effective_max
            spill, drain = sum(p[0] for p in pulls), sum(p[1] for p in pulls)
            change = star.unclamped_change + clamp(spill, -0.10, 0.10) - min(drain, 0.08)
            boost = 1.0 + 0.2 * max(boosts, default=0.0)
            after[id] = (clamp(star.brightness + change, 0.05, top), boost)
        for id, (now, multiplier) in after.items():
            star = self.stars[id]
            was = star.brightness
            star.variance = clamp(0.3 * abs(now - was) + 0.7 * star.variance, 0.0, 1.0)
            low, up = 0.5 - TOLERANCE, 0.7 - TOLERANCE
            if star.variance >= 0.1 - TOLERANCE or low <= now < up:
                star.calm_days = 0
            elif (now >= up) == (was >= up) and (now < low) == (was < low):
                star.calm_days += 1
            else:
                star.calm_days = 1
            star.brightness, star.multiplier = now, multiplier
            star.closes[day] = now

    def apply_states(self, day: int) -> None:
        turned = {id: self.next_state(star, day) for id, star in self.stars.items()}
        for id, state in turned.items():
            star = self.stars[id]
            before, star.state = star.state, state
            if before == "DARK" and state != "DARK":
                star.is_anti_pattern, star.contradictions, star.confrontations = False, 0, {}
            if state == "DORMANT" and before != "DORMANT":
                for _, link in self.links_of(id):
                    if link.state != "DORMANT":
                        link.state_before_sleep = link.state
                        link.state, link.dormant_reason, link.block_active = (
                            "DORMANT",
                            "STAR",
                            False,
                        )
        self.lift_blocks()

    def next_state(self, star: OracleStar, day: int) -> str:
        b = star.brightness
        if star.state == "DORMANT" or day - star.engaged_day >= STAR_IDLE_DAYS[star.state]:
            return "DORMANT"
        if star.is_anti_pattern or star.contradictions >= 3:
            return "DARK"
        if star.state == "NASCENT":
            return "NASCENT"
        if star.variance > 0.15 + TOLERANCE:
            return "FLICKERING"
        if star.calm_days >= 7 and b >= 0.7 - TOLERANCE:
            return "BRIGHT"
        if star.calm_days >= 7 and b < 0.5 - TOLERANCE:
            return "DIM"
        if star.state == "BRIGHT":
            return "DIM" if b < 0.5 - TOLERANCE else "BRIGHT"
        return star.state if star.state == "DIM" else "FLICKERING"

    def apply_predictions(self, day: int) -> None:
        for id, star in self.stars.items():
            for at, delta in (event for event in star.events if ordinal(event[0]) == day):
                self.issue_prediction(id, at, delta)
        until = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=day + 1)
        hits: dict[tuple[str, str], int] = {}
        for p in self.predictions:
            if p.status == "OPEN" and self.came_true(p, until):
                p.status = "VERIFIED"
                hits[p.pair] = hits.get(p.pair, 0) + 1
            elif p.issued + timedelta(hours=72) < until:
                p.status = "VERIFIED" if p.status == "VERIFIED" else "EXPIRED"
        for pair, count in hits.items():
            link = self.links.get(pair)
            if link is None or link.kind != "CAUSATION":
                continue
            gained = link.gained_today if link.ledger_day == day else 0.0
            bonus = link.bonus_today if link.bonus_day == day else 0.0
            more = min(count * 0.05, max(0.0, 0.15 - gained - bonus))
            link.strength = min(1.0, link.strength + more)
            link.bonus_day, link.bonus_today = day, bonus + more

    def came_true(self, p: OraclePrediction, until: datetime) -> bool:
        limit = p.issued + timedelta(hours=72)
        return any(
            p.issued < at <= limit and at < until and (delta > 0) == (p.sign > 0)
            for at, delta in self.stars[p.effect].events
        )

    def issue_prediction(self, id: str, at: datetime, delta: float) -> None:
        for pair, link in self.links_of(id):
            acts = link.kind == "CAUSATION" and link.start == id and RANK[link.state] >= 2
            if acts and link.lags and link.lags.mean is not None and not self.sleeping(pair):
                sign = link.lags.sign * (1 if delta > 0 else -1)
                self.predictions.append(OraclePrediction(pair, id, link.end, sign, at))
