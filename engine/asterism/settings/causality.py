"""Settings of the causal links."""

from typing import Any, Self

from pydantic import Field

from asterism.settings.section import Section

LITERAL = {
    "rules": "literal",
    "transparent": False,
    "max_line_gap": None,
    "across_actors": False,
}


class CausalParams(Section):
    """Parameters of the causal kernel, which are a part of the id of a run."""

    k_local: int = Field(default=8, ge=1, description="how many next DM lines may answer an intent")
    max_line_gap: int | None = Field(
        default=3,
        ge=1,
        description="lines between intent and consequence, without transparent ones; "
        "none: no limit",
    )
    strong_min_score: float = Field(
        default=0.35, ge=0, description="a strong intent claims from here on"
    )
    weak_min_score: float = Field(
        default=0.1, ge=0, description="a weak intent claims from here on"
    )
    tau: float = Field(default=2.0, gt=0, description="distance that halves the score")
    steepness: float = Field(
        default=2.2, gt=0, description="how fast the score falls with distance"
    )
    lexical_weight: float = Field(default=0.5, ge=0, description="how much shared words may add")
    answer_boost: float = Field(
        default=0.15, ge=0, description="added where a line answers yes or no"
    )
    compat: bool = Field(
        default=False, description="keep punctuation on words when comparing, as the original did"
    )
    rules: str = Field(
        default="english,german",
        description="how intents are recognised: english, german, literal, or a TOML file; the "
        "first of several rules that fits decides",
    )
    transparent: bool = Field(
        default=True,
        description="requests for a throw, questions back and talk at the table hand a link on "
        "to the outcome",
    )
    across_actors: bool = Field(
        default=True,
        description="a consequence prompts intents of other players too, which it names or whose "
        "words it shares",
    )

    @classmethod
    def literal(cls, **changes: Any) -> Self:
        """Return the settings that follow the letter of the source."""
        return cls(**(LITERAL | changes))


class CausalitySettings(CausalParams):
    """Settings of causal links: the kernel's parameters, and the parts of a session to store."""

    utterances: bool = Field(
        default=True, description="store every line too; traces and Browser need them"
    )
    unclaimed_weak: bool = Field(
        default=True, description="store weak intents that nothing answered; else only their count"
    )
    prompts: bool = Field(default=True, description="derive PROMPTS, which join links into chains")
    prompts_within: int = Field(
        default=8, ge=1, description="lines between a consequence and the intent it prompts"
    )
    embed: bool = Field(
        default=True,
        description="embed intents and consequences, before the next question and for explorations",
    )
    embed_batch: int = Field(default=256, ge=1, description="texts embedded at a time")
    write_batch: int = Field(default=5000, ge=1, description="rows per statement when writing")
    transaction_rows: int = Field(
        default=60_000,
        ge=1,
        description="a session of more rows is written in several transactions",
    )
    find_pool: int = Field(
        default=50,
        ge=1,
        le=1000,
        description="lines that a question compares, by meaning and words",
    )
    find_words: float = Field(
        default=0.1, ge=0, description="what shared words may add to a line's score, beside cosine"
    )
