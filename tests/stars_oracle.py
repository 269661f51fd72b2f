"""A second reckoning of stars and connections: plain Python, from the formulas, no database.

Kept apart from the engine on purpose: it shares no code with it, loops where the engine
aggregates, and is what random streams are compared with.
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
SLEEP = {"NASCENT": 7, "FORMING": 14, "WEAK": 30, "MODERATE": 45, "STRONG": 60}
STAR_SLEEP = {"DARK": 30, "FLICKERING": 14, "BRIGHT": 60, "DIM": 30, "NASCENT": 14}
RANK = {"DORMANT": 0, "NASCENT": 1, "FORMING": 2, "WEAK": 3, "MODERATE": 4, "STRONG": 5}
BASE = {
    "RESONANCE": 0.5,
    "TENSION": 0.5,
    "CAUSATION": 0.6,
    "GROWTH_EDGE": 0.6,
    "SHADOW_MIRROR": 0.5,
    "BLOCKS": 0.7,
}
COMPUTED = ("correlation_detected", "causation_detected")
NEAR = 1e-9  # values this near a threshold are at it
DIRECTED = ("CAUSATION", "GROWTH_EDGE", "BLOCKS")
F = 0.05
DAY = timedelta(hours=24)


def clamp(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


def ordinal(at: datetime | date) -> int:
    day = at.astimezone(UTC).date() if isinstance(at, datetime) else at
    return day.toordinal() - date(1970, 1, 1).toordinal()


def decayed(s: float, kind: str, idle: int, excavating: bool = False) -> float:
    """One day of S-13 to S-16."""
    if s <= F or idle <= 0:
        return s
    activity = 0.5 if idle < 7 else 1.0
    rate = 1 - math.pow(0.5, 1 / HALF_LIFE[kind])
    return s - s * rate * activity * (0.5 if excavating else 1.0) * (s - F) / (1 - F)


def fading(b: float, domain: str) -> float:
    """B-2."""
    half = 0.5 if b < 0.3 - NEAR else 1.0
    return max(0.0, b * (1 - math.pow(0.5, 1 / STAR_HALF_LIFE[domain])) * (b - 0.05) / 0.95 * half)


def band(s: float, e: float) -> str:
    """S-6 without the dormancy test."""
    for state, strength, evidence in (
        ("STRONG", 0.8, 8),
        ("MODERATE", 0.6, 5),
        ("WEAK", 0.4, 3),
        ("FORMING", 0.2, 2),
    ):
        if s >= strength - NEAR and e >= evidence:
            return state
    return "NASCENT"


def effective(evidence_days: list[int], day: int) -> float:
    """S-4."""
    total = 0.0
    for seen in evidence_days:
        age = day - seen
        total += 1.0 if age <= 30 else 0.5 if age <= 60 else 0.0
    return min(total, 15.0)


def irregularity(evidence_days: list[int]) -> float:
    """D-12."""
    distinct = sorted(set(evidence_days))
    gaps = [b - a for a, b in pairwise(distinct)]
    if len(gaps) < 2:
        return 0.0
    var, mean = statistics.variance(gaps), statistics.mean(gaps)
    return var / (var + mean**2)


def ranked_total(gains: list[float]) -> float:
    """S-10."""
    factors = (1.0, 0.6, 0.3)
    ordered = sorted(gains, reverse=True)
    return sum(g * (factors[i] if i < 3 else 0.1) for i, g in enumerate(ordered))


def pearson(xs: list[float], ys: list[float]) -> float | None:
    """S-18."""
    if len(xs) < 5 or max(xs) == min(xs) or max(ys) == min(ys):
        return None
    mx, my = statistics.fmean(xs), statistics.fmean(ys)
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    sxx, syy = sum((x - mx) ** 2 for x in xs), sum((y - my) ** 2 for y in ys)
    return sxy / math.sqrt(sxx * syy)


@dataclass
class Lags:
    n: int
    mean: float | None
    confidence: float
    sign: int


def granger(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> Lags:
    """S-19; events are (epoch hours, change)."""
    found, agreement = [], 0
    for ta, da in a:
        for tb, db in b:
            if 0 < tb - ta < 72:
                found.append(tb - ta)
                agreement += 1 if da * db > 0 else -1
    if len(found) < 3:
        return Lags(len(found), None, 0.0, -1)
    mean = statistics.fmean(found)
    c = max(0.0, 1 - statistics.variance(found) / mean)
    sign = 1 if agreement > 0 else -1
    return Lags(len(found), mean, min(len(found) / 8 * c, 1.0), sign)


@dataclass
class OStar:
    id: str
    domain: str
    brightness: float
    state: str
    engaged_day: int
    variance: float = 0.0
    run: int = 0
    effective_max: float = 1.0
    multiplier: float = 1.0
    contradictions: int = 0
    flagged: bool = False
    confronted: dict[str, int] = field(default_factory=dict)
    engaged: set[int] = field(default_factory=set)
    closes: dict[int, float] = field(default_factory=dict)
    gains: float = 0.0
    losses: float = 0.0
    since_event: float = 0.0
    events: list[tuple[datetime, float]] = field(default_factory=list)
    own: float = 0.0
    unclamped: float = 0.0
    own_brightness: float = 0.0


@dataclass
class OLink:
    start: str
    end: str
    kind: str
    source: str
    engaged_day: int
    evaluated: int
    s: float = 0.0
    count: int = 0
    ev_days: list[int] = field(default_factory=list)
    state: str = "NASCENT"
    engaged_state: str = "NASCENT"
    reason: str | None = None
    slept_in: str = "NASCENT"
    ledger_day: int | None = None
    gains: list[float] = field(default_factory=list)
    gained: float = 0.0
    bonus_day: int | None = None
    bonus: float = 0.0
    at_eval: int = 1
    changed: int | None = None
    corr: float | None = None
    lag: Lags | None = None
    block: bool = False
    e: float = 0.0
    confidence: float = 0.0
    slept_on: int | None = None


@dataclass
class OPrediction:
    pair: tuple[str, str]
    cause: str
    effect: str
    sign: int
    issued: datetime
    status: str = "OPEN"


class Oracle:
    """The whole part, one constellation, by hand."""

    def __init__(self, start: datetime, now: datetime) -> None:
        self.start_day = ordinal(start)
        self.since = ordinal(now)
        self.stars: dict[str, OStar] = {}
        self.links: dict[tuple[str, str], OLink] = {}
        self.waiting: dict[tuple[str, str], list[tuple[int, str, float, int]]] = {}
        self.sources: dict[tuple[str, str], list[tuple[str, str, datetime]]] = {}
        self.archive: dict[tuple[str, str], tuple[int, float]] = {}
        self.predictions: list[OPrediction] = []

    # -- what happens during a day ------------------------------------------------------------

    def add(self, id: str, domain: str, brightness: float, state: str, created: datetime) -> None:
        day = ordinal(created)
        star = OStar(id, domain, brightness, state, day, engaged={day})
        star.variance = 0.3 if state == "NASCENT" else 0.0
        self.stars[id] = star

    def links_of(self, id: str) -> list[tuple[tuple[str, str], OLink]]:
        return [(pair, link) for pair, link in self.links.items() if id in pair]

    def excavating(self, day: int) -> bool:
        return 0 <= day - self.start_day < 7

    def touch(self, id: str, day: int) -> None:
        star = self.stars[id]
        star.engaged_day = max(star.engaged_day, day)
        star.engaged.add(day)
        if star.state == "DORMANT":
            star.state = "FLICKERING"
        for pair, link in self.links_of(id):
            if link.state != "DORMANT":
                link.engaged_state = link.state
            elif link.reason == "STAR" and not self.sleeping(pair):
                self.restate(pair, link, day, wake=True)

    def sleeping(self, pair: tuple[str, str]) -> bool:
        return any(self.stars[id].state == "DORMANT" for id in pair)

    def restate(
        self, pair: tuple[str, str], link: OLink, day: int, wake: bool = False, engaged: bool = True
    ) -> None:
        link.e = effective(link.ev_days, day)
        base = {"USER": 0.8, "DEFAULT": 0.3}.get(link.source, BASE[link.kind])
        link.confidence = base * min(link.e / 8, 1) * (1 - irregularity(link.ev_days))
        if self.sleeping(pair):
            link.reason = "STAR" if wake or link.state != "DORMANT" else link.reason
            link.slept_in = link.slept_in if link.state == "DORMANT" else link.state
            link.state = "DORMANT"
        elif link.state != "DORMANT" or wake:
            link.state, link.reason = band(link.s, link.e), None
        if engaged and link.state != "DORMANT":
            link.engaged_state = link.state
        self.reblock(pair, link)

    def reblock(self, pair: tuple[str, str], link: OLink) -> None:
        awake = link.state != "DORMANT" and self.stars[link.start].state != "DORMANT"
        holds = link.kind == "BLOCKS" and awake and link.s >= 0.3 - NEAR
        link.block = holds and (link.block or RANK[link.state] >= 3)

    def engage(self, id: str, gains: list[float], losses: float, at: datetime) -> None:
        star = self.stars[id]
        self.touch(id, ordinal(at))
        before = self.standing(star)
        star.gains += sum(gains)
        star.losses += losses
        star.since_event += self.standing(star) - before
        if abs(star.since_event) >= 0.1 - NEAR:
            star.events.append((at, star.since_event))
            star.since_event = 0.0

    def standing(self, star: OStar) -> float:
        """Its brightness with what today has added and taken so far."""
        own = min(star.gains, 0.06) * star.multiplier - star.losses
        return clamp(star.brightness + own, 0.05, star.effective_max)

    def lift(self) -> None:
        """Blocks that ended or got weaker let go at once; ceilings fall at the close only."""
        for star in self.stars.values():
            star.effective_max = max(star.effective_max, self.ceiling(star.id))

    def ceiling(self, id: str) -> float:
        """S-27."""
        blocks = [
            x.s
            for pair, x in self.links_of(id)
            if x.kind == "BLOCKS" and x.end == id and x.block and not self.sleeping(pair)
        ]
        return 1.0 - 0.5 * max(blocks, default=0.0)

    def act(self, id: str, what: str, day: int) -> None:
        self.touch(id, day)
        star, before = self.stars[id], self.stars[id].state
        if what == "acknowledge" and before == "NASCENT":
            star.state, star.brightness = "FLICKERING", max(star.brightness, 0.3)
        if what == "flag_dark":
            star.flagged = True
        if what == "contradict":
            star.contradictions += 1
        if before == "DARK" and what in ("engagement", "shadow_task", "acknowledged"):
            star.confronted[what] = star.confronted.get(what, 0) + 1
            met = star.confronted
            score = 0.4 * met.get("engagement", 0) + 0.4 * met.get("shadow_task", 0)
            if score + 0.2 * min(1, met.get("acknowledged", 0)) >= 1 - 1e-9:
                star.state, star.flagged, star.contradictions = "DIM", False, 0
                star.confronted = {}
        if star.flagged or star.contradictions >= 3:
            star.state = "DARK"
        self.shade(id, before, day)

    def shade(self, id: str, before: str, day: int) -> None:
        star = self.stars[id]
        for pair, link in self.links_of(id):
            other = self.stars[pair[0] if pair[1] == id else pair[1]]
            if star.state == "DARK" and link.source != "USER":
                start = min(pair) if other.state == "DARK" else id
                self.turn(pair, link, "SHADOW_MIRROR", start, day)
                self.restate(pair, link, day)
            elif before == "DARK" and star.state == "DIM":
                if link.kind == "SHADOW_MIRROR" and link.source != "USER":
                    if other.state == "DARK":
                        self.turn(pair, link, "SHADOW_MIRROR", other.id, day)
                    else:
                        self.turn(pair, link, "RESONANCE", min(pair), day)
                    self.restate(pair, link, day)
                elif link.kind == "BLOCKS" and link.start == id:
                    link.s *= 0.5
                    self.restate(pair, link, day)
        self.lift()

    def turn(
        self,
        pair: tuple[str, str],
        link: OLink,
        kind: str,
        start: str,
        day: int,
        source: str = "DETECTED",
    ) -> None:
        if link.kind != kind:
            link.changed, link.block = day, False
        link.kind, link.source, link.start = kind, source, start
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
        wanted: str | None = None,
        verdict: tuple[str, str, str] | None = None,
    ) -> str:
        pair = (min(a, b), max(a, b))
        at, day = at or now, ordinal(now)
        seen = self.sources.setdefault(pair, [])
        if any((s, k) == (source, kind) and abs(t - at) < DAY for s, k, t in seen):
            return "duplicate"
        if now - at > timedelta(hours=48):
            return "late"
        weight = (0.5 if secondary else 1.0) * (1.5 if self.excavating(day) else 1.0)
        mention = (day, kind, weight, ordinal(at))
        outcome = "counted"
        if pair not in self.links:
            if any(self.stars[id].state in ("DORMANT", "NASCENT") for id in pair):
                return "refused"
            recent = [m for m in self.waiting.get(pair, []) if day - m[0] < 7]
            alone = kind.startswith("co_mention") and not self.excavating(day) and not recent
            seen.append((source, kind, at))
            if alone:
                self.waiting.setdefault(pair, []).append(mention)
                return "candidate"
            self.create(pair, a, day, wanted, verdict)
            outcome = "created"
            self.engaged_by(pair, kind, day)
            for earlier in recent:
                self.count(pair, earlier, creating=True)
            self.waiting.pop(pair, None)
        else:
            seen.append((source, kind, at))
            self.engaged_by(pair, kind, day)
        capped = self.count(pair, mention, creating=outcome == "created")
        self.restate(pair, self.links[pair], day, wake=True)
        return "capped" if capped and outcome == "counted" else outcome

    def engaged_by(self, pair: tuple[str, str], kind: str, day: int) -> None:
        """Counted evidence engages both stars, unless a computation found it."""
        for id in pair if kind not in COMPUTED else ():
            self.touch(id, day)

    def create(
        self,
        pair: tuple[str, str],
        a: str,
        day: int,
        wanted: str | None,
        verdict: tuple[str, str, str] | None,
    ) -> None:
        lag, corr = None, None
        if wanted:
            dark = [id for id in pair if self.stars[id].state == "DARK"]
            start = pair[0]
            if wanted in DIRECTED:
                start = a
            elif wanted == "SHADOW_MIRROR" and len(dark) == 1:
                start = dark[0]
            kind, source = wanted, "USER"
        else:
            kind, start, source, _, corr, lag = self.judge(pair, None, day)
        end = pair[0] if start == pair[1] else pair[1]
        link = OLink(start, end, kind, source, day, day, corr=corr, lag=lag)
        if pair in self.archive and day - self.archive[pair][0] < 7:
            link.s = self.archive[pair][1] * 0.5
        self.links[pair] = link

    def crowd(self, id: str) -> int:
        return sum(1 for _, link in self.links_of(id) if link.state != "DORMANT")

    def count(
        self, pair: tuple[str, str], mention: tuple[int, str, float, int], creating: bool
    ) -> bool:
        day, kind, weight, observed = mention
        link = self.links[pair]
        impact, multiplier, confidence = IMPACT[kind]
        stale = link.ledger_day is not None and day - link.ledger_day < 7
        gain = impact * multiplier * confidence * weight * (0.7 if stale else 1.0)
        if link.state in ("NASCENT", "FORMING"):
            n = max(self.crowd(id) for id in pair) - (1 if creating else 0)
            gain *= 10 / n if n >= 10 else 1.0
        if link.ledger_day != day:
            link.ledger_day, link.gains, link.gained = day, [], 0.0
        link.gains.append(gain)
        bonus = link.bonus if link.bonus_day == day else 0.0
        total = ranked_total(link.gains)
        allowed = min(total, 0.15 - bonus)
        if allowed > link.gained:
            link.s = min(1.0, link.s + (allowed - link.gained))
            link.gained = allowed
        link.count += 1
        link.ev_days.append(observed)
        link.engaged_day = max(link.engaged_day, day)
        return total > allowed

    def connect(self, a: str, b: str, kind: str | None, now: datetime) -> str:
        pair = (min(a, b), max(a, b))
        outcome = self.evidence(a, b, "user_creates", "user", now, wanted=kind)
        if outcome in ("refused", "candidate", "late"):
            return outcome
        link = self.links.get(pair)
        if link and outcome != "created":
            if kind:
                self.name(pair, a, kind, ordinal(now))
            self.restate(pair, link, ordinal(now), wake=True)
            self.lift()
        return outcome

    def name(self, pair: tuple[str, str], a: str, kind: str, day: int) -> None:
        dark = [id for id in pair if self.stars[id].state == "DARK"]
        start = pair[0]
        if kind in DIRECTED:
            start = a
        elif kind == "SHADOW_MIRROR" and len(dark) == 1:
            start = dark[0]
        self.turn(pair, self.links[pair], kind, start, day, "USER")

    def assign_type(self, a: str, b: str, kind: str, day: int) -> None:
        pair = (min(a, b), max(a, b))
        link = self.links[pair]
        link.engaged_day = max(link.engaged_day, day)
        self.name(pair, a, kind, day)
        self.restate(pair, link, day)
        self.lift()

    def disconnect(self, a: str, b: str, day: int) -> None:
        pair = (min(a, b), max(a, b))
        link = self.links[pair]
        state = link.slept_in if link.state == "DORMANT" else link.state
        if state in ("NASCENT", "FORMING"):
            self.dissolve(pair, day)
            return
        link.s = max(0.0, link.s - 0.15)
        link.engaged_day = max(link.engaged_day, day)
        if link.s <= 0.0:
            self.dissolve(pair, day)
        else:
            self.restate(pair, link, day)
            self.lift()

    def dissolve(self, pair: tuple[str, str], day: int) -> None:
        self.archive[pair] = (day, self.links.pop(pair).s)
        self.lift()

    def retire(self, a: str, b: str, day: int) -> None:
        pair = (min(a, b), max(a, b))
        link = self.links[pair]
        link.engaged_day = max(link.engaged_day, day)
        if link.state != "DORMANT":
            link.slept_in = link.state
            link.state, link.reason = "DORMANT", "RETIRED"
        self.restate(pair, link, day)
        self.lift()

    # -- what the data says -------------------------------------------------------------------

    def judge(
        self, pair: tuple[str, str], link: OLink | None, day: int
    ) -> tuple[str, str, str, str | None, float | None, Lags | None]:
        """S-17: type, start, source, detection, r, lags."""
        a, b = (self.stars[id] for id in pair)
        old = link.corr if link else None
        measured = None
        if link and link.kind == "CAUSATION" and link.source == "USER":
            measured = granger(self.recent(link.start, day), self.recent(link.end, day))
        dark = [star.id for star in (a, b) if star.state == "DARK"]
        if dark:
            return "SHADOW_MIRROR", dark[0], "DETECTED", None, old, measured
        blocker = self.blocker(a, b, day)
        if blocker:
            return "BLOCKS", blocker, "DETECTED", None, old, measured
        window = [
            d
            for d in range(day - 30, day)
            if (d in a.engaged or d in b.engaged) and d in a.closes and d in b.closes
        ]
        r = pearson([a.closes[d] for d in window], [b.closes[d] for d in window])
        if r is not None and r > 0.5 + NEAR:
            news = None if old is not None and old > 0.5 + NEAR else "correlation_detected"
            return "RESONANCE", pair[0], "DETECTED", news, r, measured
        if r is not None and r < -0.3 - NEAR:
            news = None if old is not None and old < -0.3 - NEAR else "correlation_detected"
            return "TENSION", pair[0], "DETECTED", news, r, measured
        start, lag = self.cause(pair, day)
        if lag.confidence > 0.6 + NEAR:
            kind = "GROWTH_EDGE" if lag.sign > 0 else "CAUSATION"
            known = link.lag.confidence if link and link.lag else 0.0
            news = None if known > 0.6 + NEAR else "causation_detected"
            return kind, start, "DETECTED", news, r, measured or lag
        return "RESONANCE", pair[0], "DEFAULT", None, r, measured or lag

    def recent(self, id: str, day: int) -> list[tuple[float, float]]:
        return [
            (at.timestamp() / 3600, delta)
            for at, delta in self.stars[id].events
            if day - 30 < ordinal(at) <= day
        ]

    def cause(self, pair: tuple[str, str], day: int) -> tuple[str, Lags]:
        a, b = (self.recent(id, day) for id in pair)
        there, back = granger(a, b), granger(b, a)
        if there.confidence != back.confidence:
            better = there.confidence > back.confidence
            return (pair[0], there) if better else (pair[1], back)
        first = (a[0][0] if a else 1e99) <= (b[0][0] if b else 1e99)
        return (pair[0], there) if first else (pair[1], back)

    def blocker(self, a: OStar, b: OStar, day: int) -> str | None:
        found = [x.id for x, y in ((a, b), (b, a)) if self.blocks(x, y, day)]
        if len(found) < 2:
            return found[0] if found else None
        window = range(day - 30, day)
        first = [min((d for d in window if d in s.engaged), default=day) for s in (a, b)]
        return a.id if first[0] <= first[1] else b.id

    def blocks(self, a: OStar, b: OStar, day: int) -> bool:
        """S-20 and D-35."""
        window = range(day - 30, day)
        if day - 31 not in b.closes or day - 1 not in b.closes:
            return False
        tried = [d for d in window if d in b.engaged]
        stuck = [
            d
            for d in tried
            if {d, d - 1} <= b.closes.keys() and b.closes[d] - b.closes[d - 1] <= 0.05 / 30 + NEAR
        ]
        active = sum(1 for d in stuck if d in a.engaged) / len(stuck) if stuck else 0.0
        progress = b.closes[day - 1] - b.closes[day - 31]
        return len(tried) / 30 > 0.6 + NEAR and progress < 0.05 - NEAR and active > 0.5 + NEAR

    # -- the daily close ----------------------------------------------------------------------

    def close(self, day: int, now: datetime) -> None:
        due = self.sweep(day)
        for pair in due:
            self.evaluate(pair, day, now)
        if day > self.since and (day - self.since) % 7 == 0:
            self.scan(day, now)
        self.own(day)
        self.effects(day)
        self.states(day)
        self.foresee(day)

    def own(self, day: int) -> None:
        """What a star does to itself, and how much of it its ceiling and the floor let happen."""
        for star in self.stars.values():
            impact = min(star.gains, 0.06) * star.multiplier - star.losses
            fade = 0.0 if star.engaged_day == day else fading(star.brightness, star.domain)
            star.effective_max = self.ceiling(star.id)
            star.unclamped = impact - fade
            star.own_brightness = clamp(star.brightness + star.unclamped, 0.05, star.effective_max)
            star.own = star.own_brightness - star.brightness
            star.gains = star.losses = 0.0

    def sweep(self, day: int) -> list[tuple[str, str]]:
        due = []
        for pair, link in sorted(self.links.items()):
            latest = max(link.engaged_day, *(self.stars[id].engaged_day for id in pair))
            link.s = decayed(link.s, link.kind, day - latest, self.excavating(day))
            was, link.e = link.state, effective(link.ev_days, day)
            base = {"USER": 0.8, "DEFAULT": 0.3}.get(link.source, BASE[link.kind])
            link.confidence = base * min(link.e / 8, 1) * (1 - irregularity(link.ev_days))
            if was != "DORMANT":
                if day - latest >= SLEEP[link.engaged_state]:
                    link.slept_in = was
                    link.state, link.reason = "DORMANT", "INACTIVE"
                else:
                    link.state = band(link.s, link.e)
                if day - link.evaluated >= 7 or link.count - link.at_eval >= 3:
                    due.append(pair)
            self.reblock(pair, link)
        return due

    def evaluate(self, pair: tuple[str, str], day: int, now: datetime) -> None:
        link = self.links[pair]
        kind, start, source, news, corr, lag = self.judge(pair, link, day)
        link.corr, link.lag = corr, lag if lag and lag.mean is not None else None
        locked = link.changed is not None and day - link.changed < 14
        differs = (kind, start) != (link.kind, link.start)
        if link.source != "USER" and differs and (not locked or kind == "SHADOW_MIRROR"):
            self.turn(pair, link, kind, start, day, source)
            self.restate(pair, link, day, engaged=False)
        elif link.source != "USER" and kind == link.kind:
            link.source = source
            self.restate(pair, link, day, engaged=False)
        if news:
            self.evidence(*pair, news, f"detector {day}", now)
        link.evaluated, link.at_eval = day, link.count

    def scan(self, day: int, now: datetime) -> None:
        found = []
        ids = sorted(self.stars)
        for i, a in enumerate(ids):
            for b in ids[i + 1 :]:
                if (a, b) in self.links:
                    continue
                if any(self.stars[id].state in ("DORMANT", "NASCENT") for id in (a, b)):
                    continue
                near = {x for pair, _ in self.links_of(a) for x in pair} - {a}
                far = {x for pair, _ in self.links_of(b) for x in pair} - {b}
                if near & far or (a, b) in self.waiting:
                    found.append((a, b))
        for pair in found:
            _, _, _, news, _, _ = self.judge(pair, None, day)
            if news:
                self.evidence(*pair, news, f"detector {day}", now)

    def pull(self, id: str, pair: tuple[str, str], link: OLink) -> tuple[float, float]:
        """What the other end of a link adds to and takes from a star: S-21, S-22, S-26."""
        other = self.stars[pair[0] if pair[1] == id else pair[1]]
        if link.kind == "RESONANCE":
            return other.own * 0.15 * link.s * (1.0 if other.own > 0 else 0.5), 0.0
        if link.kind == "TENSION" and other.own > 0.05 + NEAR:
            return 0.0, other.own * 0.08 * link.s
        if link.kind == "SHADOW_MIRROR" and other.state == "DARK":
            return 0.0, 0.01 * link.s * (1 - other.own_brightness)
        return 0.0, 0.0

    def effects(self, day: int) -> None:
        after = {}
        for id, star in self.stars.items():
            awake = [(p, x) for p, x in self.links_of(id) if not self.sleeping(p)]
            acting = [(p, x) for p, x in awake if RANK[x.state] >= 2]
            pulls = [self.pull(id, pair, link) for pair, link in acting]
            boosts = [
                x.s
                for _, x in acting
                if x.kind == "GROWTH_EDGE" and x.end == id and self.stars[x.start].state == "BRIGHT"
            ]
            top = star.effective_max
            spill, drain = sum(p[0] for p in pulls), sum(p[1] for p in pulls)
            change = star.unclamped + clamp(spill, -0.10, 0.10) - min(drain, 0.08)
            boost = 1.0 + 0.2 * max(boosts, default=0.0)
            after[id] = (clamp(star.brightness + change, 0.05, top), boost)
        for id, (now, multiplier) in after.items():
            star = self.stars[id]
            was = star.brightness
            star.variance = clamp(0.3 * abs(now - was) + 0.7 * star.variance, 0.0, 1.0)
            low, up = 0.5 - NEAR, 0.7 - NEAR
            if star.variance >= 0.1 - NEAR or low <= now < up:
                star.run = 0
            elif (now >= up) == (was >= up) and (now < low) == (was < low):
                star.run += 1
            else:
                star.run = 1
            star.brightness, star.multiplier = now, multiplier
            star.closes[day] = now

    def states(self, day: int) -> None:
        turned = {id: self.next_state(star, day) for id, star in self.stars.items()}
        for id, state in turned.items():
            star = self.stars[id]
            before, star.state = star.state, state
            if before == "DARK" and state != "DARK":
                star.flagged, star.contradictions, star.confronted = False, 0, {}
            if state == "DORMANT" and before != "DORMANT":
                for _, link in self.links_of(id):
                    if link.state != "DORMANT":
                        link.slept_in = link.state
                        link.state, link.reason, link.block = "DORMANT", "STAR", False
        self.lift()

    def next_state(self, star: OStar, day: int) -> str:
        b = star.brightness
        if star.state == "DORMANT" or day - star.engaged_day >= STAR_SLEEP[star.state]:
            return "DORMANT"
        if star.flagged or star.contradictions >= 3:
            return "DARK"
        if star.state == "NASCENT":
            return "NASCENT"
        if star.variance > 0.15 + NEAR:
            return "FLICKERING"
        if star.run >= 7 and b >= 0.7 - NEAR:
            return "BRIGHT"
        if star.run >= 7 and b < 0.5 - NEAR:
            return "DIM"
        if star.state == "BRIGHT":
            return "DIM" if b < 0.5 - NEAR else "BRIGHT"
        return star.state if star.state == "DIM" else "FLICKERING"

    def foresee(self, day: int) -> None:
        for id, star in self.stars.items():
            for at, delta in (event for event in star.events if ordinal(event[0]) == day):
                self.predict(id, at, delta)
        until = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=day + 1)
        hits: dict[tuple[str, str], int] = {}
        for p in self.predictions:
            if p.status == "OPEN" and self.came_true(p, until):
                p.status = "VERIFIED"
                hits[p.pair] = hits.get(p.pair, 0) + 1
            elif p.issued + timedelta(hours=72) < until:
                p.status = "VERIFIED" if p.status == "VERIFIED" else "EXPIRED"
        for pair, n in hits.items():
            link = self.links.get(pair)
            if link is None or link.kind != "CAUSATION":
                continue
            gained = link.gained if link.ledger_day == day else 0.0
            bonus = link.bonus if link.bonus_day == day else 0.0
            more = min(n * 0.05, max(0.0, 0.15 - gained - bonus))
            link.s = min(1.0, link.s + more)
            link.bonus_day, link.bonus = day, bonus + more

    def came_true(self, p: OPrediction, until: datetime) -> bool:
        limit = p.issued + timedelta(hours=72)
        return any(
            p.issued < at <= limit and at < until and (delta > 0) == (p.sign > 0)
            for at, delta in self.stars[p.effect].events
        )

    def predict(self, id: str, at: datetime, delta: float) -> None:
        for pair, link in self.links_of(id):
            acts = link.kind == "CAUSATION" and link.start == id and RANK[link.state] >= 2
            if acts and link.lag and link.lag.mean is not None and not self.sleeping(pair):
                sign = link.lag.sign * (1 if delta > 0 else -1)
                self.predictions.append(OPrediction(pair, id, link.end, sign, at))
