"""Every constant that may be changed, one frozen section per part.

`Settings(stars={"gain_mode": "single"})` in Python, ASTERISM_STARS_GAIN_MODE=single in the
environment. Statements see their section as `$settings`. A name that nothing uses is refused.
"""

import difflib
import os
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

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

    @model_validator(mode="after")
    def refuse_unknown_variables(self) -> Self:
        """A misspelt variable would otherwise be ignored without a word."""
        known = _variables()
        for name in os.environ:
            if name.startswith(PREFIX) and name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]}?" if close else "unset it"
                raise ValueError(f"unknown environment variable {name}: {hint}")
        return self

    def section(self, name: str) -> dict[str, Any]:
        """A part's settings as a map for Cypher; empty where the part has none."""
        found = getattr(self, name, None)
        return found.model_dump(mode="json") if isinstance(found, Section) else {}


def _variables() -> set[str]:
    sections = {
        name: field.annotation
        for name, field in Settings.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section)
    }
    names = {
        f"{PREFIX}{section}_{field}".upper()
        for section, model in sections.items()
        for field in model.model_fields
    }
    return names | {f"{PREFIX}{section}".upper() for section in sections} | PLAIN_VARIABLES
