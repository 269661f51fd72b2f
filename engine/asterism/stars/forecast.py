"""Forecast of the days on which connections fall a band and sleep, if nothing happens.

The formulas of sweep, apply_own_day, apply_effects and apply_states (cypher/stars), over all
stars and connections at once: they fade together, and a read must not write the days in between.
Evidence, type changes, predictions and further hops are left out: they need new data.
"""

from typing import Any, NamedTuple

import numpy as np

from asterism.row_types import row_of
from asterism.settings import StarsSettings
from asterism.stars.detection import TOLERANCE, Flags, Floats, Indices
from asterism.stars.models import ConnectionState, ConnectionType, StarState

RANKS: list[str] = list(ConnectionState)
BANDS = RANKS[2:]
STATES: list[str] = list(StarState)
TYPES: list[str] = list(ConnectionType)
ASLEEP, DARK, FLICKERING, BRIGHT, DIM, NASCENT = (
    STATES.index(name) for name in ("DORMANT", "DARK", "FLICKERING", "BRIGHT", "DIM", "NASCENT")
)
NEVER = -1


@row_of("stars/forecast_stars")
class ForecastStar(NamedTuple):
    """Row of stars/forecast_stars."""

    id: str
    domain: str
    state: str
    brightness: float
    variance: float
    run_days: int
    engaged_day: int
    multiplier: float
    gains: float
    losses: float
    impact_day: int | None
    dark: bool
    constellation: str


@row_of("stars/forecast_links")
class ForecastLink(NamedTuple):
    """Row of stars/forecast_links."""

    start: str
    end: str
    type: str
    state: str
    engaged_state: str
    strength: float
    engaged_day: int
    decayed_day: int
    evidence_days: list[int]
    blocking: bool


class Forecast:
    """Stars and connections as arrays that advance day by day."""

    def __init__(
        self,
        stars: list[ForecastStar],
        links: list[ForecastLink],
        starts: dict[str, int],
        settings: StarsSettings,
    ) -> None:
        self._settings = settings
        self._load_stars(stars, settings)
        self._load_links(links, {star.id: index for index, star in enumerate(stars)})
        excavated = [starts.get(star.constellation, -settings.excavation_days) for star in stars]
        self._excavated = np.array(excavated, dtype=int)

    def _load_stars(self, stars: list[ForecastStar], settings: StarsSettings) -> None:
        def column(name: str) -> Floats:
            return np.array([getattr(star, name) for star in stars], dtype=float)

        self._brightness, self._variance = column("brightness"), column("variance")
        self._run, self._engaged = column("run_days"), column("engaged_day")
        self._multiplier, self._gains = column("multiplier"), column("gains")
        self._losses, self._dark = column("losses"), column("dark") > 0
        impact = [np.inf if star.impact_day is None else star.impact_day for star in stars]
        self._impact_day = np.array(impact, dtype=float)
        half_lives = np.array([settings.star_half_life[star.domain] for star in stars], dtype=float)
        self._star_rate = 1.0 - 0.5 ** (1.0 / half_lives)
        self._state = np.array([STATES.index(star.state) for star in stars], dtype=int)
        never = {StarState.DORMANT: 0}
        self._star_sleep = np.array([(settings.star_dormancy | never)[state] for state in STATES])

    def _load_links(self, links: list[ForecastLink], place: dict[str, int]) -> None:
        s = self._settings
        self._start = np.array([place[link.start] for link in links], dtype=int)
        self._end = np.array([place[link.end] for link in links], dtype=int)
        self._type = np.array([TYPES.index(link.type) for link in links], dtype=int)
        self._strength = np.array([link.strength for link in links], dtype=float)
        self._rank = np.array([RANKS.index(link.state) for link in links], dtype=int)
        self._anchor = np.array([RANKS.index(link.engaged_state) for link in links], dtype=int)
        self._link_engaged = np.array([link.engaged_day for link in links], dtype=float)
        self._decayed = np.array([link.decayed_day for link in links], dtype=int)
        self._blocking = np.array([link.blocking for link in links], dtype=bool)
        longest = max((len(link.evidence_days) for link in links), default=0)
        self._evidence = np.full((len(links), longest), -np.inf)
        for index, link in enumerate(links):
            self._evidence[index, : len(link.evidence_days)] = link.evidence_days
        half_lives = np.array([s.half_life[type] for type in TYPES], dtype=float)
        self._rate = (1.0 - 0.5 ** (1.0 / half_lives))[self._type]
        self._sleep = np.array([s.dormancy.get(state, 0) for state in RANKS])

    def run(self, first: int) -> tuple[Indices, Indices]:
        """Close day after day from the first open one, until every connection sleeps.

        Returns the days on which each falls asleep and falls a band, NEVER if it does not.
        """
        before = self._rank.copy()
        sleeps = np.full(len(before), NEVER)
        falls = np.full(len(before), NEVER)
        day = first
        while (self._rank > 0).any():
            self._sweep(day)
            self._own(day)
            self._effects(day)
            falls[(falls == NEVER) & (self._rank > 0) & (self._rank < before)] = day
            sleeps[(sleeps == NEVER) & (self._rank == 0)] = day
            day += 1
        return sleeps, falls

    def _sweep(self, day: int) -> None:
        s, floor, strength = self._settings, self._settings.strength_floor, self._strength
        engaged = np.maximum(self._engaged[self._start], self._engaged[self._end])
        idle = day - np.maximum(self._link_engaged, engaged)
        young = (day - self._excavated >= 0) & (day - self._excavated < s.excavation_days)
        slowed = np.where(young[self._start] | young[self._end], s.excavation_decay, 1.0)
        slowed = slowed * np.where(idle < s.recent_days, s.recent_factor, 1.0)
        fades = (strength > floor) & (idle > 0) & (self._decayed < day)
        lost = strength * self._rate * (strength - floor) / (1.0 - floor) * slowed
        self._strength = strength - np.where(fades, lost, 0.0)
        anchor = self._anchor if s.dormancy_anchor == "engaged" else self._rank
        tired = (idle >= self._sleep[anchor]) & (self._decayed < day)
        awake = (self._rank > 0) & ~tired
        self._rank = np.where(awake, self._banded(day), 0)
        blocks = self._of("BLOCKS") & awake & (self._strength >= s.block_release - TOLERANCE)
        self._blocking = blocks & (self._blocking | (self._rank >= 3))

    def _banded(self, day: int) -> Any:
        """Return ranks by strength and effective evidence (S-4, S-6)."""
        s = self._settings
        full = (self._evidence >= day - s.evidence_full_days).sum(axis=1)
        half = (self._evidence >= day - s.evidence_half_days).sum(axis=1)
        evidence = np.minimum(s.evidence_cap, 0.5 * full + 0.5 * half)
        rank = np.ones(len(self._rank), dtype=int)
        for number, state in enumerate(BANDS, start=2):
            strong = self._strength + TOLERANCE >= s.band_strength[state]
            rank[strong & (evidence >= s.band_evidence[state])] = number
        return rank

    def _of(self, type: str) -> Flags:
        return np.asarray(self._type == TYPES.index(ConnectionType(type)))

    def _own(self, day: int) -> None:
        s, b, low = self._settings, self._brightness, self._settings.brightness_floor
        awake = self._state != ASLEEP
        self._top = 1.0 - s.block_factor * self._most(self._blocking) * awake
        fading = b * self._star_rate * (b - low) / (1.0 - low)
        fading = fading * np.where(b < s.dim_decay_below - TOLERANCE, 0.5, 1.0)
        fading = np.where((self._engaged == day) | (b <= low), 0.0, fading)
        ledger = self._impact_day <= day
        gained = np.minimum(self._gains, s.daily_gain_cap) * self._multiplier
        self._unclamped = np.where(ledger, gained - self._losses, 0.0) - fading
        self._own_brightness = np.clip(b + self._unclamped, low, self._top)
        self._own_change = self._own_brightness - b
        self._impact_day = np.where(ledger, np.inf, self._impact_day)

    def _most(self, chosen: Flags) -> Floats:
        """Return the greatest strength among these connections that end at each star."""
        most = np.zeros(len(self._brightness))
        np.maximum.at(most, self._end[chosen], self._strength[chosen])
        return most

    def _pulled(self, chosen: Flags, effect: Floats) -> Floats:
        """Return the sum that each star receives along these connections from their other ends."""
        start, end = self._start[chosen], self._end[chosen]
        strength, size = self._strength[chosen], len(self._brightness)
        there = np.bincount(end, weights=effect[start] * strength, minlength=size)
        back = np.bincount(start, weights=effect[end] * strength, minlength=size)
        return np.asarray(there + back, dtype=np.float64)

    def _effects(self, day: int) -> None:
        s, b, own = self._settings, self._brightness, self._own_change
        acts = self._rank >= 2
        spilling = own * s.spillover * np.where(own > 0, 1.0, s.falling_factor)
        spill = self._pulled(acts & self._of("RESONANCE"), spilling)
        strained = np.where(own > s.tension_activation + TOLERANCE, own * s.tension_drain, 0.0)
        shade = np.minimum(1.0 - self._own_brightness, s.dark_intensity_cap) * s.shadow_drain
        shade = np.where(self._state == DARK, shade, 0.0)
        drain = self._pulled(acts & self._of("TENSION"), strained)
        drain = drain + self._pulled(acts & self._of("SHADOW_MIRROR"), shade)
        before = b + self._unclamped + np.clip(spill, -s.spill_cap, s.spill_cap)
        spared = np.maximum(0.0, before - s.hope_floor)
        drain = np.minimum(np.minimum(drain, s.drain_cap), spared)
        now = np.clip(before - drain, s.brightness_floor, self._top)
        bright = self._state[self._start] == BRIGHT
        boost = self._most(acts & self._of("GROWTH_EDGE") & bright)
        self._multiplier = 1.0 + s.growth_boost * boost
        self._settle(day, b, now)

    def _settle(self, day: int, was: Floats, now: Floats) -> None:
        """Apply variance, calm days and states, and let connections of sleeping stars sleep."""
        s, up = self._settings, self._settings.bright_from - TOLERANCE
        low = s.dim_below - TOLERANCE
        moved = s.variance_weight * np.abs(now - was)
        self._variance = np.clip(moved + (1.0 - s.variance_weight) * self._variance, 0.0, 1.0)
        stays = ((now >= up) & (was >= up)) | ((now < low) & (was < low))
        restless = (self._variance >= s.calm_variance - TOLERANCE) | ((now >= low) & (now < up))
        self._run = np.where(restless, 0, np.where(stays, self._run + 1, 1))
        settled, state = self._run >= s.calm_days, self._state
        choices = [
            ((state == ASLEEP) | (day - self._engaged >= self._star_sleep[state]), ASLEEP),
            (self._dark, DARK),
            (state == NASCENT, NASCENT),
            (self._variance > s.flickering_variance + TOLERANCE, FLICKERING),
            ((settled & (now >= up)) | ((state == BRIGHT) & (now >= low)), BRIGHT),
            ((settled & (now < low)) | (state == BRIGHT) | (state == DIM), DIM),
        ]
        conditions, states = zip(*choices, strict=True)
        self._state = np.select(conditions, states, FLICKERING)
        self._brightness = now
        asleep = (self._state[self._start] == ASLEEP) | (self._state[self._end] == ASLEEP)
        self._rank = np.where(asleep, 0, self._rank)
