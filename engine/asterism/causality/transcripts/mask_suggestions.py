"""Suggestions of masks for combat and table talk, which are never applied on their own."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from asterism.base_model import Frozen
from asterism.causality.transcripts import language_rules, line_text
from asterism.causality.transcripts.masks import EligibilityMask
from asterism.causality.transcripts.models import InputModel, Line, Mask, Reason, Transcript
from asterism.causality.transcripts.speakers import Speakers
from asterism.errors import InvalidInput

CHUNK = 50
HARD, MEDIUM, ROLL = 4.0, 2.0, 0.25
PER_DISTINCT, MOST_DISTINCT = 0.15, 2.0
LOUD_DENSITY, LOUD_WORDS = 0.3, 3
SWITCHES, CALM_DENSITY = 0.55, 0.002
QUIET_CHUNKS = 2


class Chunk(InputModel):
    """A stretch of lines, both ends included, with `ooc` if it is flagged as table talk."""

    start_index: int
    end_index: int
    ooc: bool = False


class MaskSuggestion(Frozen):
    """Ranges that look like something else than play, and the share of lines without them."""

    masks: list[Mask]
    eligible_share: float | None


@dataclass(frozen=True)
class CombatScore:
    """Points of fighting words over a stretch of lines."""

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
    combat: CombatScore
    switches: float
    opens: bool
    closes: bool

    @property
    def is_fight(self) -> bool:
        loud = self.combat.density >= LOUD_DENSITY or self.combat.distinct >= LOUD_WORDS
        return self.opens or loud

    @property
    def is_quiet(self) -> bool:
        return self.combat.density < LOUD_DENSITY and not self.opens

    def mask(self, reason: Reason) -> Mask:
        chunk = self.chunk
        return Mask(start_index=chunk.start_index, end_index=chunk.end_index, reason=reason)


def suggest_masks(transcript: Transcript, chunks: Iterable[object] | None = None) -> MaskSuggestion:
    """Return masks for combat and table talk by chunks, of fifty lines each by default."""
    lines = transcript.lines
    valid_chunks = _even_chunks(lines) if chunks is None else [Chunk.of(chunk) for chunk in chunks]
    speakers = Speakers(transcript)
    stretches = [_stretch(chunk, lines, speakers) for chunk in valid_chunks]
    masks = [*_table_talk(stretches), *_fights(stretches)]
    masks.sort(key=lambda mask: (mask.start_index, mask.end_index, mask.reason))
    eligible = EligibilityMask(lines, masks).eligible_mask
    share = sum(eligible) / len(eligible) if eligible else None
    return MaskSuggestion(masks=masks, eligible_share=share)


def combat_score(lines: Sequence[Line]) -> CombatScore:
    """Count the points of fighting words over some lines."""
    scores = [_fighting_words(line.content) for line in lines]
    distinct = set().union(*(hard for _, hard in scores)) if scores else set()
    return CombatScore(sum(points for points, _ in scores), len(lines), len(distinct))


def switches(lines: Sequence[Line], speakers: Speakers) -> float:
    """Return the share of lines at which one player directly follows another."""
    count = 0
    for before, line in pairwise(lines):
        players = not speakers.is_dm(before.author_name) and not speakers.is_dm(line.author_name)
        count += players and before.author_name != line.author_name
    return count / len(lines) if lines else 0.0


def _fighting_words(content: str) -> tuple[float, set[str]]:
    words = [re.sub(r"[^a-z0-9']+", "", word) for word in line_text.folded(content).split()]
    lexicon = language_rules.combat_lexicon()
    present = set(words)
    rolls = "roll" in present and bool(present & lexicon.roll_cues)
    rolls = rolls and not present & lexicon.skills
    points = sum(HARD for word in words if word in lexicon.hard)
    points += sum(MEDIUM for word in words if word in lexicon.medium)
    points += sum(ROLL for word in words if rolls and word in lexicon.roll)
    return points, present & lexicon.hard


def _even_chunks(lines: Sequence[Line]) -> list[Chunk]:
    starts = range(0, len(lines), CHUNK)
    parts = [lines[start : start + CHUNK] for start in starts]
    return [Chunk.of((part[0].line_index, part[-1].line_index)) for part in parts]


def _stretch(chunk: Chunk, lines: Sequence[Line], speakers: Speakers) -> _Stretch:
    inside = [line for line in lines if chunk.start_index <= line.line_index <= chunk.end_index]
    if not inside:
        ends = (chunk.start_index, chunk.end_index)
        raise InvalidInput("chunks", ends, "there is no line in this range")
    texts = [line_text.folded(line.content) for line in inside]
    lexicon = language_rules.combat_lexicon()
    return _Stretch(
        chunk,
        combat_score(inside),
        switches(inside, speakers),
        opens=any(lexicon.opening.search(text) for text in texts),
        closes=any(lexicon.closing.search(text) for text in texts),
    )


def _table_talk(stretches: Iterable[_Stretch]) -> Iterable[Mask]:
    for stretch in stretches:
        if stretch.chunk.ooc:
            yield stretch.mask(Reason.OOC_HARD)
        if stretch.switches > SWITCHES and stretch.combat.density <= CALM_DENSITY:
            yield stretch.mask(Reason.OOC_SOFT)


def _fights(stretches: Sequence[_Stretch]) -> list[Mask]:
    fights = _fight_flags(stretches)
    for at in range(1, len(fights) - 1):
        fights[at] = fights[at] or (fights[at - 1] and fights[at + 1])
    flags = zip(stretches, fights, strict=True)
    return [stretch.mask(Reason.COMBAT) for stretch, fight in flags if fight]


def _fight_flags(stretches: Sequence[_Stretch]) -> list[bool]:
    """Open a fight at a phrase, and close it at a phrase or after two quiet stretches."""
    fights = [stretch.is_fight for stretch in stretches]
    inside, quiet = False, 0
    for at, stretch in enumerate(stretches):
        if not inside:
            inside, quiet = stretch.opens and not stretch.closes, 0
            continue
        fights[at] = True
        quiet = quiet + 1 if stretch.is_quiet else 0
        if stretch.closes:
            inside = False
        elif quiet == QUIET_CHUNKS:
            fights[at - 1] = fights[at] = inside = False
    return fights
