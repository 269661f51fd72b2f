"""Rule for changed facts: which later texts say otherwise what an earlier one said. Pure.

The points were fitted to half of the facts of benchmarks/changed_facts.json and rounded.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from asterism.text.change_profile import ChangeProfile, Word

NEARNESS = 1.5  # a standard deviation of the cosine above that of unrelated texts
SHARED_NAME = 2.0  # times the rarity of the name, from 0 to 1
SHARED_FRAME = 6.5  # times the rarity of the frame
MARKER = 3.5  # strong: "moved", "no longer"; half of a strong marker is a weak one: "now", "new"
WEAK_MARKER = 1.25
OTHER_VALUE = 0.5  # another number or date
OTHER_NAME = 2.0
FIRST_PERSON = 2.0  # the earlier text speaks of its speaker: "I", "my", "our"
OTHER_PERSON = -1.0  # only one of them speaks of a relative or colleague
QUESTION = -2.0
SAME_SESSION = -2.5
ENOUGH = 11.5  # points of a proposal
SCALE = 2.0  # points that take the confidence from 0.5 to 0.73
NEAR_OVERLAP = 0.8  # share of common words of two texts that are near each other
SHOWN = 8  # words of a difference
VALUES = ("number", "date")


@dataclass(frozen=True)
class Statement:
    """A text with what decides about it: who said it, in which session, its order in time."""

    id: str
    text: str
    speaker: str | None
    about: str | None
    session: str | None
    order: tuple[int, int, str]
    profile: ChangeProfile

    def comparable(self, other: "Statement") -> bool:
        """Return True if both have the same speaker, or none, and are about the same."""
        return self.speaker == other.speaker and self.about == other.about


@dataclass(frozen=True)
class Rarities:
    """Rarities of subject frames and words in a realm, from 0 to 1."""

    frames: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Difference:
    """Kind of a difference, and the words of both texts that make it."""

    differs: str
    before: str
    after: str


def score(earlier: Statement, later: Statement, nearness: float, rarities: Rarities) -> float:
    """Return the points of a pair, whose nearness is in standard deviations."""
    old, new = earlier.profile, later.profile
    return (
        NEARNESS * nearness
        + SHARED_FRAME * _rarest(old.frames & new.frames, rarities.frames)
        + SHARED_NAME * _rarest(_shared_names(old, new), rarities.words)
        + _marker_points(new)
        + OTHER_VALUE * any(_other_values(old, new, kind) for kind in VALUES)
        + OTHER_NAME * (bool(_own(old, new, "name")) and bool(_own(new, old, "name")))
        + FIRST_PERSON * old.first_person
        + OTHER_PERSON * (old.relatives != new.relatives)
        + QUESTION * ("?" in earlier.text or "?" in later.text)
        + SAME_SESSION * (earlier.session is not None and earlier.session == later.session)
    )


def same_words(earlier: Statement, later: Statement) -> bool:
    """Return True if both have the same words in the same order."""
    old, new = earlier.profile.words, later.profile.words
    return [word.stem for word in old] == [word.stem for word in new]


def confidence(points: float) -> float:
    """Return the points as a number from 0 to 1: 0.5 where a proposal begins."""
    return 1.0 / (1.0 + math.exp((ENOUGH - points) / SCALE))


def rewords(earlier: Statement, later: Statement) -> bool:
    """Return True if most words are common and a number, date, name or negation differs."""
    old, new = earlier.profile, later.profile
    ours, theirs = old.of_kind("word"), new.of_kind("word")
    least = min(len(ours), len(theirs))
    if not least or len(ours & theirs) < NEAR_OVERLAP * least:
        return False
    return difference(earlier, later).differs != "word"


def says_change(earlier: Statement, later: Statement) -> bool:
    """Return True for a marker of change in the later text, or another value of the same kind."""
    old, new = earlier.profile, later.profile
    return new.marker > 0 or any(_other_values(old, new, kind) for kind in VALUES)


def difference(earlier: Statement, later: Statement) -> Difference:
    """Return what differs first: number, date, negation, name, else other words."""
    old, new = earlier.profile, later.profile
    for kind in VALUES:
        if _other_values(old, new, kind):
            return _between(kind, old, new, VALUES)
    if bool(old.of_kind("negation")) != bool(new.of_kind("negation")):
        return _between("negation", old, new, ("negation", "name", "word"))
    if _own(old, new, "name") and _own(new, old, "name"):
        return _between("name", old, new, ("name",))
    return _between("word", old, new, ("number", "date", "name", "word"))


def _between(
    differs: str, old: ChangeProfile, new: ChangeProfile, kinds: tuple[str, ...]
) -> Difference:
    return Difference(differs, _shown(old, new, kinds), _shown(new, old, kinds))


def _shown(ours: ChangeProfile, theirs: ChangeProfile, kinds: tuple[str, ...]) -> str:
    """Return the words that only one of two texts has, as they are written."""
    return " ".join(word.written for word in list(_only_in(ours, theirs, kinds))[:SHOWN])


def _only_in(ours: ChangeProfile, theirs: ChangeProfile, kinds: tuple[str, ...]) -> Iterator[Word]:
    shared = frozenset(word.stem for word in theirs.words)
    first = {word.stem: word for word in reversed(ours.words) if word.kind in kinds}
    for word in ours.words:
        if word.stem not in shared and first.get(word.stem) is word:
            yield word


def _shared_names(old: ChangeProfile, new: ChangeProfile) -> frozenset[str]:
    return old.content & new.content & (old.of_kind("name") | new.of_kind("name"))


def _rarest(keys: frozenset[str], rarities: Mapping[str, float]) -> float:
    return max((rarities.get(key, 1.0) for key in keys), default=0.0)


def _marker_points(new: ChangeProfile) -> float:
    return MARKER if new.marker == 1.0 else WEAK_MARKER if new.marker else 0.0


def _other_values(old: ChangeProfile, new: ChangeProfile, kind: str) -> bool:
    before, after = old.of_kind(kind), new.of_kind(kind)
    return bool(before and after and before != after)


def _own(ours: ChangeProfile, theirs: ChangeProfile, kind: str) -> frozenset[str]:
    return ours.of_kind(kind) - theirs.content
