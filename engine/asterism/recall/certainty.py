"""Certainty of hits: how far each stands out from chance, and which words it lacks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from asterism.embedding import ForeignCosines
from asterism.errors import InvalidInput
from asterism.recall.question_words import QuestionWord, WeighedWords
from asterism.text.tokens import stems

# Fitted by logistic regression on the development realms of benchmarks/certainty.py.
CLOSENESS_OF_REST = 0.9  # a deviation of the question without its names
CLOSENESS = 0.2  # a deviation of the whole question
NAMES_INSTEAD = 0.7  # more of it, as far as the question consists of names
UNKNOWN_WORDS = 1.4  # lost if the realm has none of the question's words
UNKNOWN_NAME = 1.5  # lost for a name that the realm has never seen
ZERO = 1.2


class Certainty(StrEnum):
    """Degree of certainty that a memory answers a question, from nothing up."""

    NOTHING = "nothing"
    WEAK = "weak"
    LIKELY = "likely"
    CERTAIN = "certain"

    def reaches(self, minimum: "Certainty | str") -> bool:
        """Return True if this is at least as certain."""
        order = list(Certainty)
        return order.index(self) >= order.index(Certainty(minimum))


LEAST_SCORES = {Certainty.CERTAIN: 0.85, Certainty.LIKELY: 0.5, Certainty.WEAK: 0.1}


@dataclass(frozen=True)
class Judge:
    """Judges the hits of one question, by its words and the chance cosines of the realm."""

    words: WeighedWords
    foreign: ForeignCosines

    def score(self, cosine: float, rest_cosine: float) -> float:
        """Return the certainty of a hit from 0 to 1, of the cosines with and without names."""
        return certainty_score(
            self.foreign.closeness(cosine),
            self.foreign.closeness(rest_cosine),
            unnamed=self.words.unnamed,
            unknown=self.words.unknown,
            misses_name=self.words.misses_name,
        )

    def absent(self, passage: str, language: str | None = None) -> tuple[str, ...]:
        """Return the question's words that a passage does not have."""
        return absent_words(self.words.words, passage, language)


def certainty_score(
    closeness: float,
    closeness_of_rest: float,
    *,
    unnamed: float = 1.0,
    unknown: float = 0.0,
    misses_name: bool = False,
) -> float:
    """Return how certain it is that a hit answers, from 0 to 1.

    The closer it is in meaning to the question, and to the question without its names, the more
    certain. Words and names that the realm has never seen make every hit of it less certain.
    """
    logit = (
        CLOSENESS_OF_REST * unnamed * closeness_of_rest
        + (CLOSENESS + NAMES_INSTEAD * (1.0 - unnamed)) * closeness
        - UNKNOWN_WORDS * unknown
        - UNKNOWN_NAME * misses_name
        - ZERO
    )
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, logit))))


def certainty_of(score: float) -> Certainty:
    """Return the name of a certainty score."""
    return next((name for name, least in LEAST_SCORES.items() if score >= least), Certainty.NOTHING)


def parse_minimum(minimum: "Certainty | str | None") -> Certainty:
    """Return the least certainty asked for, by default that of every hit, or refuse it."""
    try:
        return Certainty.NOTHING if minimum is None else Certainty(minimum)
    except ValueError:
        names = ", ".join(reversed(Certainty))
        raise InvalidInput("minimum", minimum, f"give one of {names}") from None


def absent_words(
    chosen: Sequence[QuestionWord], passage: str, language: str | None = None
) -> tuple[str, ...]:
    """Return those words whose stems a passage does not have."""
    own = set(stems(passage, language))
    return tuple(word.text for word in chosen if own.isdisjoint(word.stems))
