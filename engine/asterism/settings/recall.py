"""Settings of recall."""

from typing import Literal

from pydantic import Field

from asterism.settings.section import Section


class RecallSettings(Section):
    """Weights and limits of a search, each measured to sit on a flat optimum."""

    pool: int = Field(default=100, ge=1, description="candidates from each index, and by name")
    pool_filtered: int = Field(default=1000, ge=1, description="the same for a narrowed question")
    pool_widest: int = Field(
        default=20_000, ge=1, description="most candidates where many may not answer"
    )
    words: float = Field(default=0.13, ge=0, description="added for the best match of words")
    proposed: int = Field(
        default=1000, ge=1, description="memories that the fulltext index proposes for the words"
    )
    rescored: int = Field(
        default=200, ge=1, description="of these, how many have their words counted"
    )
    word_saturation: float = Field(
        default=1.2, ge=0, description="how soon further occurrences of a word count less"
    )
    word_length: float = Field(
        default=0.75, ge=0, le=1, description="how much long memories lose for their length"
    )
    words_unlearned: float = Field(
        default=0.50,
        ge=0,
        description="the same for a question in a language that the model has not learned",
    )
    words_across: float = Field(
        default=0.3,
        ge=0,
        le=1,
        description="share of that for a memory in another language, where some are in its own",
    )
    common: float = Field(
        default=0.9, gt=0, description="words in a larger share of memories are ignored"
    )
    name: float = Field(
        default=0.10, ge=0, description="added for a subject that the question names"
    )
    speaker: float = Field(
        default=0.08, ge=0, description="added for a speaker that the question names"
    )
    neighbour: float = Field(default=0.30, ge=0, description="share of the better neighbour's lead")
    session: float = Field(default=0.50, ge=0, description="share of the session's best lead")
    seeds: int = Field(default=5, ge=1, description="best memories from which names are followed")
    hop_mention: float = Field(default=0.20, ge=0, description="a seed's name, mentioned")
    hop_subject: float = Field(default=0.20, ge=0, description="a seed's name, as the subject")
    hop_term: float = Field(default=0.10, ge=0, description="a rare word shared with a seed")
    hop_floor: float = Field(default=0.03, ge=0, description="words worth less are not followed")
    strength: float = Field(
        default=0.05, ge=0, description="lost by a memory that has faded completely"
    )
    superseded: float = Field(
        default=0.15, gt=0, description="lost by a memory that is over or superseded"
    )
    successor: float = Field(
        default=0.03, ge=0, description="lead of a memory over the score of what it superseded"
    )
    confidence: float = Field(
        default=0.15, ge=0, description="lost by a memory that was contradicted again and again"
    )
    confirmed: float = Field(
        default=0.20, ge=0, description="added at most for what a person confirmed for the question"
    )
    confirmed_from: float = Field(
        default=0.60, ge=0, lt=1, description="cosine of two questions from which that is added"
    )
    confirmed_first: float = Field(
        default=0.75, ge=0, le=1, description="cosine of two questions from which it may come first"
    )
    confirmed_top: float = Field(
        default=0.95,
        ge=0,
        description="cosine of two questions from which it comes first; above 1 it never has to",
    )
    without_names: bool = Field(
        default=True,
        description="judge by the question without its names too: a second embedding beside it",
    )
    context_minimum: Literal["certain", "likely", "weak", "nothing"] = Field(
        default="weak",
        description="a context whose answer is less certain says that nothing is remembered",
    )
    exact_counts: int = Field(
        default=200,
        ge=100,
        description="counts of names below this are checked and corrected",
    )
    tied_words: int = Field(
        default=100, ge=0, description="words in more memories are counted, but not connected"
    )
