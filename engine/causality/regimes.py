"""A guess at which stretches to leave out. Never applied on its own: look at the share first."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.causality import rules, words
from engine.causality.masks import EligibilityMask
from engine.causality.speakers import Speakers
from engine.causality.transcript import Given, Line, Mask, Reason, Transcript
from engine.errors import InvalidInput
from engine.frozen import Frozen

CHUNK = 50
HARD, MEDIUM, ROLL = 4.0, 2.0, 0.25
PER_DISTINCT, MOST_DISTINCT = 0.15, 2.0
SEED_DENSITY, SEED_WORDS = 0.3, 3
SWITCHES, CALM_DENSITY = 0.55, 0.002
QUIET_CHUNKS = 2


class Chunk(Given):
    """A stretch of lines, both ends included; `ooc` where somebody flagged it as table talk."""

    start_index: int
    end_index: int
    ooc: bool = False


class Guess(Frozen):
    """Ranges that look like something else than play, and what would be left."""

    masks: list[Mask]
    eligible_share: float | None


@dataclass(frozen=True)
class Combat:
    """How much a stretch sounds like a fight."""

    points: float
    lines: int
    distinct: int

    @property
    def density(self) -> float:
        """Points a line, more for a varied vocabulary."""
        varied = min(1.0 + PER_DISTINCT * self.distinct, MOST_DISTINCT)
        return self.points / max(self.lines, 1) * varied


@dataclass(frozen=True)
class _Stretch:
    chunk: Chunk
    combat: Combat
    switches: float
    opens: bool
    closes: bool

    @property
    def seeds(self) -> bool:
        loud = self.combat.density >= SEED_DENSITY or self.combat.distinct >= SEED_WORDS
        return self.opens or loud

    @property
    def quiet(self) -> bool:
        return self.combat.density < SEED_DENSITY and not self.opens


def guess(transcript: Transcript, chunks: Iterable[object] | None = None) -> Guess:
    """Masks for combat and table talk, chunk by chunk; fifty lines each unless chunks are given."""
    listed = _even(transcript.lines) if chunks is None else [Chunk.of(chunk) for chunk in chunks]
    speakers = Speakers(transcript)
    stretches = [_stretch(chunk, transcript.lines, speakers) for chunk in listed]
    masks = _table_talk(stretches) + _fights(stretches)
    masks.sort(key=lambda mask: (mask.start_index, mask.end_index, mask.reason))
    eligible = EligibilityMask(transcript.lines, masks).eligible_mask
    return Guess(masks=masks, eligible_share=sum(eligible) / len(eligible) if eligible else None)


def combat(lines: Sequence[Line]) -> Combat:
    """Points of fighting words over some lines."""
    scored = [_fighting(line.content) for line in lines]
    distinct = set().union(*(hard for _, hard in scored)) if scored else set()
    return Combat(sum(points for points, _ in scored), len(lines), len(distinct))


def switches(lines: Sequence[Line], speakers: Speakers) -> float:
    """How often one player directly follows another, a line."""
    count = 0
    for before, line in pairwise(lines):
        theirs = not speakers.is_dm(before.author_name) and not speakers.is_dm(line.author_name)
        count += theirs and before.author_name != line.author_name
    return count / len(lines) if lines else 0.0


def _fighting(content: str) -> tuple[float, set[str]]:
    said = [re.sub(r"[^a-z0-9']+", "", word) for word in words.folded(content).split()]
    lexicon = rules.regimes()
    present = set(said)
    rolls = "roll" in present and bool(present & lexicon.roll_cues)
    rolls = rolls and not present & lexicon.skills
    points = sum(HARD for word in said if word in lexicon.hard)
    points += sum(MEDIUM for word in said if word in lexicon.medium)
    points += sum(ROLL for word in said if rolls and word in lexicon.roll)
    return points, present & lexicon.hard


def _even(lines: Sequence[Line]) -> list[Chunk]:
    starts = range(0, len(lines), CHUNK)
    parts = [lines[start : start + CHUNK] for start in starts]
    return [Chunk(start_index=part[0].line_index, end_index=part[-1].line_index) for part in parts]


def _stretch(chunk: Chunk, lines: Sequence[Line], speakers: Speakers) -> _Stretch:
    inside = [line for line in lines if chunk.start_index <= line.line_index <= chunk.end_index]
    if not inside:
        shown = (chunk.start_index, chunk.end_index)
        raise InvalidInput("chunks", shown, "there is no line in this range")
    said = [words.folded(line.content) for line in inside]
    lexicon = rules.regimes()
    return _Stretch(
        chunk,
        combat(inside),
        switches(inside, speakers),
        opens=any(lexicon.opening.search(text) for text in said),
        closes=any(lexicon.closing.search(text) for text in said),
    )


def _table_talk(stretches: Iterable[_Stretch]) -> list[Mask]:
    found = []
    for stretch in stretches:
        if stretch.chunk.ooc:
            found.append(_mask(stretch, Reason.OOC_HARD))
        if stretch.switches > SWITCHES and stretch.combat.density <= CALM_DENSITY:
            found.append(_mask(stretch, Reason.OOC_SOFT))
    return found


def _fights(stretches: Sequence[_Stretch]) -> list[Mask]:
    fights = _opened(stretches)
    for at in range(1, len(fights) - 1):
        fights[at] = fights[at] or (fights[at - 1] and fights[at + 1])
    paired = zip(stretches, fights, strict=True)
    return [_mask(stretch, Reason.COMBAT) for stretch, fight in paired if fight]


def _mask(stretch: _Stretch, reason: Reason) -> Mask:
    chunk = stretch.chunk
    return Mask(start_index=chunk.start_index, end_index=chunk.end_index, reason=reason)


def _opened(stretches: Sequence[_Stretch]) -> list[bool]:
    """A phrase opens a fight; a phrase, or two quiet stretches in a row, closes it."""
    fights = [stretch.seeds for stretch in stretches]
    inside, quiet = False, 0
    for at, stretch in enumerate(stretches):
        if not inside:
            inside, quiet = stretch.opens and not stretch.closes, 0
            continue
        fights[at] = True
        quiet = quiet + 1 if stretch.quiet else 0
        if stretch.closes:
            inside = False
        elif quiet == QUIET_CHUNKS:
            fights[at - 1] = fights[at] = inside = False
    return fights
