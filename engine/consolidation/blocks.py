"""Memories as arrays: vectors, tags, categories and hours side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int64]

NEARLY_ONE = 2e-7  # a norm so near to 1 changes no cosine by more than the margin of the product
CHUNK = 16384
UNREAD = -1.0  # what the database says instead of a reading that is missing


@dataclass
class Vocabulary:
    """Numbers for tags and categories, the same for everything that is compared."""

    tags: dict[str, int] = field(default_factory=dict)
    categories: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Blocks:
    """Some memories; row i of every array is about the same one."""

    ids: list[str]
    numbers: Ints
    vectors: Floats32
    norms: Floats
    hours: Floats
    categories: Ints
    tag_codes: Ints
    tag_starts: Ints

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    @cached_property
    def unit(self) -> Floats32:
        """The vectors at length 1, nearly: exact cosines come from the vectors themselves."""
        if np.all(np.abs(self.norms - 1.0) < NEARLY_ONE):
            return self.vectors
        return (self.vectors / self.norms[:, None]).astype(np.float32)

    @cached_property
    def tag_counts(self) -> Ints:
        return np.diff(self.tag_starts)

    @cached_property
    def tag_rows(self) -> Ints:
        """The row of each tag code."""
        return np.repeat(np.arange(len(self)), self.tag_counts)

    def take(self, rows: Ints) -> "Blocks":
        """Some of them, in that order."""
        counts = self.tag_counts[rows]
        starts = _starts(counts)
        offsets = np.arange(int(starts[-1])) - np.repeat(starts[:-1], counts)
        codes = self.tag_codes[np.repeat(self.tag_starts[rows], counts) + offsets]
        return Blocks(
            [self.ids[row] for row in rows.tolist()],
            self.numbers[rows],
            self.vectors[rows],
            self.norms[rows],
            self.hours[rows],
            self.categories[rows],
            codes,
            starts,
        )

    def at(self, hours: Floats) -> "Blocks":
        """The same, last used at these readings."""
        return replace(self, hours=hours)

    def with_tags(self, tags: Mapping[int, Sequence[str]], vocabulary: Vocabulary) -> "Blocks":
        """The same with other tags at some rows."""
        codes = np.split(self.tag_codes, self.tag_starts[1:-1])
        numbers = vocabulary.tags
        for row, names in tags.items():
            new = [numbers.setdefault(tag, len(numbers)) for tag in sorted(set(names))]
            codes[row] = np.array(new, np.int64)
        counts = np.array([len(some) for some in codes], np.int64)
        return replace(self, tag_codes=np.concatenate(codes), tag_starts=_starts(counts))

    def joined(self, more: "Blocks", vectors: Floats32 | None = None) -> "Blocks":
        """These and more; `vectors`, if given, are those of both."""
        both = np.concatenate([self.vectors, more.vectors]) if vectors is None else vectors
        starts = np.concatenate([self.tag_starts, more.tag_starts[1:] + self.tag_starts[-1]])
        return Blocks(
            self.ids + more.ids,
            np.concatenate([self.numbers, more.numbers]),
            both,
            np.concatenate([self.norms, more.norms]),
            np.concatenate([self.hours, more.hours]),
            np.concatenate([self.categories, more.categories]),
            np.concatenate([self.tag_codes, more.tag_codes]),
            starts,
        )


@dataclass(frozen=True)
class Facts:
    """What a row of the database says of a memory, but for its vector."""

    id: str
    tags: Sequence[str]
    category: str
    number: int = -1
    hours: float = 0.0


def blocks(facts: Sequence[Facts], vectors: Floats32, vocabulary: Vocabulary) -> Blocks:
    """Arrays of memories; new tags and categories get their numbers."""
    tags, categories = vocabulary.tags, vocabulary.categories
    sets = [set(fact.tags) for fact in facts]
    codes = [tags.setdefault(tag, len(tags)) for found in sets for tag in found]
    kinds = [categories.setdefault(fact.category, len(categories)) for fact in facts]
    return Blocks(
        [fact.id for fact in facts],
        np.array([fact.number for fact in facts], dtype=np.int64),
        vectors,
        norms_of(vectors),
        np.maximum(0.0, np.array([fact.hours for fact in facts], dtype=np.float64)),
        np.array(kinds, dtype=np.int64),
        np.array(codes, dtype=np.int64),
        _starts(np.array([len(found) for found in sets], dtype=np.int64)),
    )


def nothing(dimensions: int) -> Blocks:
    return blocks([], np.zeros((0, dimensions), np.float32), Vocabulary())


def from_rows(
    rows: Iterable[dict[str, Any]], dimensions: int, vocabulary: Vocabulary
) -> tuple[Blocks, int]:
    """Memories from the database, and how many carry no reading of their hours."""
    facts, vectors, unread = [], [], 0
    for row in rows:
        unread += row["hours"] == UNREAD
        vectors.append(stored_vector(row["embedding"], dimensions))
        facts.append(
            Facts(row["id"], row["tags"], row["category"], row["number"], float(row["hours"]))
        )
    table = np.array(vectors, np.float32) if vectors else np.zeros((0, dimensions), np.float32)
    return blocks(facts, table, vocabulary), unread


def stored_vector(embedding: Any, dimensions: int) -> Any:
    """A vector as it is stored; one that is missing or of another length resembles nothing."""
    usable = embedding is not None and len(embedding) == dimensions
    return embedding if usable else np.zeros(dimensions)


def norms_of(vectors: Floats32) -> Floats:
    """Lengths in double precision; 1 for a zero vector, so that its cosines are 0."""
    norms = np.empty(len(vectors))
    for first in range(0, len(vectors), CHUNK):
        exact = vectors[first : first + CHUNK].astype(np.float64)
        norms[first : first + CHUNK] = np.sqrt((exact * exact).sum(axis=1))
    return np.where(norms > 0, norms, 1.0)


def _starts(counts: Ints) -> Ints:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
