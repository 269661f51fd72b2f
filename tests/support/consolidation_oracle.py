"""Consolidation in plain loops, from the formulas alone, and an embedder with chosen vectors."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

PAST = 1e-9


class Double:
    """An embedder that knows its texts by heart, stripped and lower-cased."""

    def __init__(
        self, vectors: Mapping[str, Sequence[float]], dimensions: int, name: str = "double"
    ) -> None:
        self.name, self.dimensions = name, dimensions
        self.vectors = {text.strip().lower(): list(vector) for text, vector in vectors.items()}
        self.embedded: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.embedded += texts
        return [self.vectors[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.vectors[text.strip().lower()]


def at(cosine: float, axis: int = 1, dimensions: int = 8) -> list[float]:
    """A unit vector whose cosine to the first axis is given."""
    vector = [0.0] * dimensions
    vector[0], vector[axis] = cosine, math.sqrt(1 - cosine * cosine)
    return vector


@dataclass(frozen=True)
class Text:
    """A text with its vector, and what it is remembered with."""

    text: str
    vector: Sequence[float]
    tags: Sequence[str] = ()
    category: str = ""
    id: str = ""

    @property
    def words(self) -> str:
        """Return the text without the stops that tell texts of the same words apart."""
        return self.text.rstrip(".;")

    @property
    def item(self) -> dict[str, Any]:
        item_fields = {"text": self.text, "tags": list(self.tags), "category": self.category}
        return item_fields | ({"id": self.id} if self.id else {})


def double(texts: Sequence[Text], name: str = "double") -> Double:
    return Double({text.text: text.vector for text in texts}, len(texts[0].vector), name)


def corpus(count: int, dimensions: int, seed: int, *, clusters: int = 6) -> list[Text]:
    """Texts in clusters, with repeats, near-ties, scaled copies and messages among them.

    They are told apart by their stops, so that most say the same and some do not.
    """
    pick = random.Random(seed)
    centres = [[pick.gauss(0, 1) for _ in range(dimensions)] for _ in range(clusters)]
    spread = 0.75
    texts: list[Text] = []
    for number in range(count):
        centre = pick.choice(centres)
        vector = [x + pick.gauss(0, spread) for x in centre]
        if texts and pick.random() < 0.06:
            scale = pick.choice([1.0, 1.0, 2.0, 0.25])
            vector = [x * scale for x in pick.choice(texts).vector]
        if texts and pick.random() < 0.06:
            vector = [x + pick.gauss(0, 0.2) for x in pick.choice(texts).vector]
        tags = [f"t{pick.randrange(5)}" for _ in range(pick.randrange(4))]
        category = pick.choice(["", "fact", "plan", "message"])
        vector = np.array(vector, np.float32).tolist()
        stops = "".join(".;"[int(digit)] for digit in f"{number:b}")
        content = f"Text {seed} {number % 5 == 0}{stops}"
        texts.append(Text(content, vector, tags, category, f"m{seed}-{number:04}"))
    return texts


@dataclass
class Place:
    """A text that has found its place, and the hours of its last use."""

    text: Text
    hours: float


@dataclass
class Oracle:
    """Takes batches one after the other, as the rules say."""

    guard: float = 0.30
    threshold: float = 0.40
    cap: int = 5
    mean: float = 0.0
    active: list[Place] = field(default_factory=list)
    edges: dict[tuple[str, str], float] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    flagged: set[tuple[str, str]] = field(default_factory=set)
    updates: set[tuple[str, str]] = field(default_factory=set)

    def batch(self, texts: Sequence[Text], hours: float) -> None:
        accepted: list[Place] = []
        for text in texts:
            alike = [
                (-round(self.cosine(text, other.text), 12), other.text.id, other.text.words)
                for other in [*self.active, *accepted]
            ]
            close = [row for row in sorted(alike) if -row[0] >= 0.90 - PAST]
            same = [row for row in close if row[2] == text.words]
            message = text.category == "message"
            if same and -same[0][0] >= 0.95 - PAST and not message:
                self.rejected[text.id] = same[0][1]
                continue
            self.flagged |= {(text.id, id) for _, id, _ in close if not message}
            self.updates |= {(text.id, id) for _, id, words in close if words != text.words}
            accepted.append(Place(text, hours))
        everybody = [*self.active, *accepted]
        for place in accepted:
            self._propose(place, everybody)
        self.active = everybody

    def _propose(self, place: Place, everybody: Sequence[Place]) -> None:
        proposals = []
        for other in everybody:
            if other is place:
                continue
            score = self.score(place, other)
            if score > 0 and score >= self.threshold - PAST:
                cosine = self.cosine(place.text, other.text)
                proposals.append((-round(score, 12), -round(cosine, 12), other.text.id, score))
        for *_, id, score in sorted(proposals)[: self.cap]:
            pair = (min(id, place.text.id), max(id, place.text.id))
            self.edges.setdefault(pair, score)

    def score(self, a: Place, b: Place) -> float:
        cosine = min(1.0, max(0.0, self.cosine(a.text, b.text)))
        if cosine < self.guard - PAST:
            return 0.0
        ours, theirs = set(a.text.tags), set(b.text.tags)
        shared = len(ours & theirs) / len(ours | theirs) if ours and theirs else 0.0
        category = 1.0 if a.text.category == b.text.category else 0.30
        close = math.exp(-((a.hours - b.hours) ** 2) / 128.0)
        return 0.55 * cosine + 0.20 * shared + 0.15 * category + 0.10 * close

    def cosine(self, a: Text, b: Text) -> float:
        dot = math.fsum(x * y for x, y in zip(a.vector, b.vector, strict=True))
        lengths = math.sqrt(math.fsum(x * x for x in a.vector))
        lengths *= math.sqrt(math.fsum(y * y for y in b.vector))
        raw = dot / lengths if lengths else 0.0
        return max(0.0, (raw - self.mean) / (1 - self.mean)) if self.mean else raw
