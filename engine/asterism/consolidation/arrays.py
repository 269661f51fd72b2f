"""Arrays of memories: vectors, tags, categories and hours side by side."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from asterism.row_types import row_of

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int64]

NEARLY_ONE = 2e-7  # a norm so near to 1 changes no cosine by more than the margin of the product
CHUNK = 16384
NO_HOURS = -1.0  # of statements, for a memory without a reading of its hours


@dataclass
class Vocabulary:
    """Numbers for tags and categories, the same for everything that is compared."""

    tags: dict[str, int] = field(default_factory=dict)
    categories: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class MemoryFacts:
    """Fields of a memory, but for its vector."""

    id: str
    tags: Sequence[str]
    category: str
    number: int = -1
    hours: float = 0.0
    mean: float = math.nan
    deviation: float = math.nan


@dataclass(frozen=True)
class MemoryArrays:
    """Some memories as arrays of equal length, one row each.

    `means` and `deviations` are of a text's cosines with the others, NaN where nobody measured.
    """

    ids: list[str]
    numbers: Ints
    vectors: Floats32
    norms: Floats
    hours: Floats
    categories: Ints
    tag_codes: Ints
    tag_starts: Ints
    means: Floats
    deviations: Floats

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    @cached_property
    def unit(self) -> Floats32:
        """Return the vectors at about length 1: exact cosines come from the vectors themselves."""
        if np.all(np.abs(self.norms - 1.0) < NEARLY_ONE):
            return self.vectors
        return (self.vectors / self.norms[:, None]).astype(np.float32)

    @cached_property
    def tag_counts(self) -> Ints:
        return np.diff(self.tag_starts)

    @cached_property
    def tag_rows(self) -> Ints:
        """Return the row of each tag code."""
        return np.repeat(np.arange(len(self)), self.tag_counts)

    def select(self, rows: Ints) -> "MemoryArrays":
        """Return some of the memories, in the order of `rows`."""
        counts = self.tag_counts[rows]
        starts = _starts(counts)
        offsets = np.arange(int(starts[-1])) - np.repeat(starts[:-1], counts)
        codes = self.tag_codes[np.repeat(self.tag_starts[rows], counts) + offsets]
        return MemoryArrays(
            [self.ids[row] for row in rows.tolist()],
            self.numbers[rows],
            self.vectors[rows],
            self.norms[rows],
            self.hours[rows],
            self.categories[rows],
            codes,
            starts,
            self.means[rows],
            self.deviations[rows],
        )

    def with_hours(self, hours: Floats) -> "MemoryArrays":
        """Return the same memories, last used at these hours."""
        return replace(self, hours=hours)

    def with_scales(self, means: Floats, deviations: Floats) -> "MemoryArrays":
        """Return the same memories with other means and deviations of their cosines."""
        return replace(self, means=means, deviations=deviations)

    def with_numbers(self, first: int, hours: float) -> "MemoryArrays":
        """Return the same memories as consolidated from number `first` on, at these hours."""
        numbers = np.arange(first, first + len(self), dtype=np.int64)
        return replace(self, numbers=numbers, hours=np.full(len(self), hours))

    def with_tags(
        self, tags: Mapping[int, Sequence[str]], vocabulary: Vocabulary
    ) -> "MemoryArrays":
        """Return the same memories with other tags in some rows."""
        codes = np.split(self.tag_codes, self.tag_starts[1:-1])
        numbers = vocabulary.tags
        for row, names in tags.items():
            new = [numbers.setdefault(tag, len(numbers)) for tag in sorted(set(names))]
            codes[row] = np.array(new, np.int64)
        counts = np.array([len(row_codes) for row_codes in codes], np.int64)
        return replace(self, tag_codes=np.concatenate(codes), tag_starts=_starts(counts))

    def extended(self, more: "MemoryArrays", vectors: Floats32) -> "MemoryArrays":
        """Return these memories and more, with the table of all their vectors."""
        starts = np.concatenate([self.tag_starts, more.tag_starts[1:] + self.tag_starts[-1]])
        return MemoryArrays(
            self.ids + more.ids,
            np.concatenate([self.numbers, more.numbers]),
            vectors,
            np.concatenate([self.norms, more.norms]),
            np.concatenate([self.hours, more.hours]),
            np.concatenate([self.categories, more.categories]),
            np.concatenate([self.tag_codes, more.tag_codes]),
            starts,
            np.concatenate([self.means, more.means]),
            np.concatenate([self.deviations, more.deviations]),
        )

    def tags(self, vocabulary: Vocabulary) -> list[list[str]]:
        """Return the tags of each memory."""
        names = list(vocabulary.tags)
        codes, starts = self.tag_codes.tolist(), self.tag_starts.tolist()
        return [[names[code] for code in codes[start:end]] for start, end in pairwise(starts)]

    def facts(self, vocabulary: Vocabulary) -> list[MemoryFacts]:
        """Return the fields of each memory."""
        names = list(vocabulary.categories)
        categories = [names[code] for code in self.categories.tolist()]
        rows = zip(self.ids, self.tags(vocabulary), categories, self.numbers.tolist(), strict=True)
        return [MemoryFacts(*row) for row in rows]


def build_arrays(
    facts: Sequence[MemoryFacts], vectors: Floats32, vocabulary: Vocabulary
) -> MemoryArrays:
    """Return memories as arrays, and number new tags and categories."""
    tags, categories = vocabulary.tags, vocabulary.categories
    tag_sets = [set(fact.tags) for fact in facts]
    codes = [tags.setdefault(tag, len(tags)) for names in tag_sets for tag in names]
    kinds = [categories.setdefault(fact.category, len(categories)) for fact in facts]
    return MemoryArrays(
        [fact.id for fact in facts],
        np.array([fact.number for fact in facts], dtype=np.int64),
        vectors,
        norms_of(vectors),
        np.maximum(0.0, np.array([fact.hours for fact in facts], dtype=np.float64)),
        np.array(kinds, dtype=np.int64),
        np.array(codes, dtype=np.int64),
        _starts(np.array([len(names) for names in tag_sets], dtype=np.int64)),
        np.array([fact.mean for fact in facts], dtype=np.float64),
        np.array([fact.deviation for fact in facts], dtype=np.float64),
    )


def concatenate(groups: Sequence[MemoryArrays]) -> MemoryArrays:
    """Return the memories of several groups as one."""
    vectors = np.concatenate([group.vectors for group in groups])
    arrays = groups[0]
    for group in groups[1:]:
        arrays = arrays.extended(group, vectors[: len(arrays) + len(group)])
    return arrays


def empty_arrays(dimensions: int) -> MemoryArrays:
    return build_arrays([], np.zeros((0, dimensions), np.float32), Vocabulary())


@row_of("consolidation/read_consolidated", "consolidation/read_by_id")
class ConsolidatedMemory(NamedTuple):
    """Row of consolidation/read_consolidated and read_by_id."""

    number: int
    id: str
    embedding: Any
    tags: list[str]
    category: str
    hours: float
    mean: float | None
    deviation: float | None


def arrays_from_rows(
    rows: Iterable[dict[str, Any]], dimensions: int, vocabulary: Vocabulary
) -> MemoryArrays:
    """Return rows of consolidation/read_consolidated or read_by_id as arrays."""
    facts, vectors = [], []
    for row in (ConsolidatedMemory(**row) for row in rows):
        vectors.append(stored_vector(row.embedding, dimensions))
        mean = math.nan if row.mean is None else row.mean
        deviation = math.nan if row.deviation is None else row.deviation
        hours = float(row.hours)
        facts.append(
            MemoryFacts(row.id, row.tags, row.category, row.number, hours, mean, deviation)
        )
    table = np.array(vectors, np.float32) if vectors else np.zeros((0, dimensions), np.float32)
    return build_arrays(facts, table, vocabulary)


def stored_vector(embedding: Any, dimensions: int) -> Any:
    """Return a stored vector, or zeros for one that is missing or of another length."""
    usable = embedding is not None and len(embedding) == dimensions
    return embedding if usable else np.zeros(dimensions)


def norms_of(vectors: Floats32) -> Floats:
    """Return lengths in double precision, and 1 for a zero vector: its cosines are 0."""
    norms = np.empty(len(vectors))
    for first in range(0, len(vectors), CHUNK):
        exact = vectors[first : first + CHUNK].astype(np.float64)
        norms[first : first + CHUNK] = np.sqrt((exact * exact).sum(axis=1))
    return np.where(norms > 0, norms, 1.0)


def _starts(counts: Ints) -> Ints:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
