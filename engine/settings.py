"""Every constant that may be changed, one frozen section per part.

`Settings(stars={"gain_mode": "single"})` in Python, ASTERISM_STARS_GAIN_MODE=single in the
environment. Statements see their section as `$settings`. A name that nothing uses is refused.
"""

import difflib
import os
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from engine.errors import InvalidInput

PREFIX = "ASTERISM_"
PLAIN_VARIABLES = frozenset({"ASTERISM_HOME", "ASTERISM_CACHE", "ASTERISM_REALM"})


class Section(BaseModel):
    """Base of the sections: frozen, and deaf to no misspelling."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class LocalSettings(Section):
    """The server on this machine."""

    heap_mb: int | None = Field(
        default=None, ge=512, description="Java heap; none: sized to the machine"
    )
    page_cache_mb: int | None = Field(
        default=None, ge=16, description="page cache; none: sized likewise"
    )
    bolt_port: int = Field(default=7687, ge=1, le=65535, description="taken if free, else another")
    http_port: int = Field(
        default=7474, ge=1, le=65535, description="Browser; taken if free, else another"
    )
    start_seconds: float = Field(default=90.0, gt=0, description="how long a start may take")


class EmbeddingSettings(Section):
    """How texts become vectors."""

    threads: int | None = Field(
        default=None, ge=1, description="texts embedded at a time; none: the cores"
    )


class RealmsSettings(Section):
    """Bookkeeping of realms."""

    delete_batch: int = Field(
        default=2000, ge=1, description="nodes or relationships per transaction"
    )


class MemoriesSettings(Section):
    """How memories strengthen and fade."""

    boost: float = Field(default=0.1, ge=0, le=1, description="what one interaction adds")
    liq_extra: float = Field(default=0.05, ge=0, le=1, description="a level's further liquidations")
    boost_gap_s: float = Field(default=0.0, ge=0, description="seconds between boosts of one kind")
    revive: float = Field(
        default=0.2, ge=0, le=1, description="what a return from the archive adds"
    )
    carry_pending: bool = Field(default=True, description="waiting kinds help another's creation")
    market_rate: float = Field(default=1e-4, gt=0, description="a level's linear decay per second")
    market_archive_below: float = Field(default=0.01, gt=0, lt=1, description="a level's end")
    dormant_below: float = Field(default=0.15, ge=0, le=1, description="a level read as dormant")
    dormant_s: float = Field(default=3600.0, gt=0, description="idle seconds read as dormant")
    continuous: bool = Field(default=False, description="decay at every interaction, not in passes")
    auto_pass_s: float = Field(default=100.0, ge=0, description="event seconds a pass; 0: none")
    buffer_s: float = Field(default=5.0, ge=0, description="seconds within which items are sorted")
    future_s: float = Field(
        default=60.0, ge=0, description="how far ahead of the newest is refused"
    )
    batch: int = Field(default=1000, ge=1, description="items per transaction")
    archive_batch: int = Field(default=5000, ge=1, description="memories archived per transaction")
    text_clock: Literal["active", "wall"] = Field(
        default="active", description="texts fade while a graph is open, or all the time"
    )
    text_archive_below: float = Field(default=0.05, gt=0, lt=1, description="a text's end")
    text_revive_full: bool = Field(default=True, description="a text comes back whole, not by 0.2")


class CausalParams(Section):
    """What the causal kernel is allowed to change; a run is known by these."""

    k_local: int = Field(default=8, ge=1, description="how many next DM lines may answer an intent")
    max_line_gap: int | None = Field(
        default=None, ge=1, description="lines between intent and consequence; none: no limit"
    )
    strong_min_score: float = Field(
        default=0.35, allow_inf_nan=False, description="a strong intent claims from here on"
    )
    weak_min_score: float = Field(
        default=0.1, allow_inf_nan=False, description="a weak intent claims from here on"
    )
    tau: float = Field(
        default=2.0, gt=0, allow_inf_nan=False, description="distance that halves the score"
    )
    steepness: float = Field(
        default=2.2, gt=0, allow_inf_nan=False, description="how fast the score falls with distance"
    )
    lexical_weight: float = Field(
        default=0.5, ge=0, allow_inf_nan=False, description="how much shared words may add"
    )
    answer_boost: float = Field(
        default=0.15, ge=0, allow_inf_nan=False, description="added where a line answers yes or no"
    )
    compat: bool = Field(
        default=False, description="keep punctuation on words when comparing, as the original did"
    )


class CausalitySettings(CausalParams):
    """Causal links: the kernel's numbers, and what is kept of a session."""

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
        default=True, description="embed intents and consequences, so that exploration walks them"
    )
    embed_batch: int = Field(default=256, ge=1, description="texts embedded at a time")
    write_batch: int = Field(default=5000, ge=1, description="rows per statement when writing")
    transaction_rows: int = Field(
        default=60_000,
        ge=1,
        description="a session of more rows is written in several transactions",
    )


class Settings(BaseSettings):
    """All sections together."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        extra="forbid",
        frozen=True,
    )

    local: LocalSettings = LocalSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    realms: RealmsSettings = RealmsSettings()
    memories: MemoriesSettings = MemoriesSettings()
    causality: CausalitySettings = CausalitySettings()

    @model_validator(mode="before")
    @classmethod
    def refuse_unknown_variables(cls, given: Any) -> Any:
        """A misspelt variable would otherwise be ignored without a word."""
        known = _variables()
        for name in os.environ:
            if name.startswith(PREFIX) and name not in known:
                raise ValueError(f"unknown environment variable {name}: {_nearest(name, known)}")
        return given

    def section(self, name: str) -> dict[str, Any]:
        """A part's settings as a map for Cypher; empty where the part has none."""
        found = getattr(self, name, None)
        return found.model_dump(mode="json") if isinstance(found, Section) else {}


def valid_settings(given: Settings | Mapping[str, Any] | None) -> Settings:
    """Settings from the environment and what is given, or a refusal that names the setting."""
    try:
        return given if isinstance(given, Settings) else Settings(**(given or {}))
    except SettingsError as error:
        raise InvalidInput("environment", PREFIX, f"{error}: {error.__cause__}") from error
    except ValidationError as error:
        [first, *_] = error.errors()
        name = ".".join(str(part) for part in first["loc"])
        remedy = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            remedy = f"there is no such setting: {_nearest(name, _names())}"
        raise InvalidInput(
            name or "environment", first["input"] if name else PREFIX, remedy
        ) from error


def _names() -> set[str]:
    return {
        name
        for section, model in _sections().items()
        for name in (section, *(f"{section}.{field}" for field in model.model_fields))
    }


def _nearest(name: str, known: set[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else "leave it out"


def _variables() -> set[str]:
    names = {PREFIX + name.upper().replace(".", "_") for name in _names()}
    return names | PLAIN_VARIABLES


def _sections() -> dict[str, type[Section]]:
    return {
        name: field.annotation
        for name, field in Settings.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section)
    }
