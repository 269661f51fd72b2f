"""Every constant that may be changed, one frozen section per part.

`Settings(stars={"gain_mode": "single"})` in Python, ASTERISM_STARS_GAIN_MODE=single in the
environment. Statements see their section as `$settings`. A name that nothing uses is refused.
"""

import difflib
import os
from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from asterism.errors import InvalidInput
from asterism.settings.causality import CausalitySettings, CausalParams
from asterism.settings.consolidation import ConsolidationSettings
from asterism.settings.exploration import ExplorationSettings
from asterism.settings.infrastructure import (
    EmbeddingSettings,
    LocalSettings,
    RealmsSettings,
    StatementsSettings,
    TransferSettings,
)
from asterism.settings.maintenance import MaintenanceSettings
from asterism.settings.memories import MemoriesSettings
from asterism.settings.recall import RecallSettings
from asterism.settings.section import Section
from asterism.settings.stars import StarsSettings
from asterism.settings.view import ViewSettings

__all__ = [
    "CausalParams",
    "CausalitySettings",
    "ConsolidationSettings",
    "EmbeddingSettings",
    "ExplorationSettings",
    "LocalSettings",
    "MaintenanceSettings",
    "MemoriesSettings",
    "RealmsSettings",
    "RecallSettings",
    "Section",
    "Settings",
    "StarsSettings",
    "StatementsSettings",
    "TransferSettings",
    "ViewSettings",
    "valid_settings",
]

PREFIX = "ASTERISM_"
PLAIN_VARIABLES = frozenset(
    {
        *("ASTERISM_HOME", "ASTERISM_CACHE", "ASTERISM_REALM", "ASTERISM_TIMEZONE"),
        *("ASTERISM_EMBEDDER", "ASTERISM_JAVA", "ASTERISM_MCP_TOKEN"),
    }
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
    embedding: EmbeddingSettings = Field(default_factory=EmbeddingSettings)  # reads a variable
    statements: StatementsSettings = StatementsSettings()
    realms: RealmsSettings = RealmsSettings()
    transfer: TransferSettings = TransferSettings()
    memories: MemoriesSettings = MemoriesSettings()
    stars: StarsSettings = StarsSettings()
    causality: CausalitySettings = CausalitySettings()
    recall: RecallSettings = RecallSettings()
    consolidation: ConsolidationSettings = ConsolidationSettings()
    exploration: ExplorationSettings = ExplorationSettings()
    maintenance: MaintenanceSettings = MaintenanceSettings()
    view: ViewSettings = ViewSettings()

    @model_validator(mode="before")
    @classmethod
    def refuse_unknown_variables(cls, values: Any) -> Any:
        """Refuse a misspelt variable, which would otherwise be ignored."""
        variables = _variables()
        for name in os.environ:
            if name.startswith(PREFIX) and name not in variables:
                raise ValueError(
                    f"unknown environment variable {name}: {_nearest(name, variables)}"
                )
        return values

    def section(self, name: str) -> dict[str, Any]:
        """Return a part's settings as a map for Cypher, empty where the part has none."""
        section = getattr(self, name, None)
        return section.model_dump(mode="json") if isinstance(section, Section) else {}


def valid_settings(values: Settings | Mapping[str, Any] | None) -> Settings:
    """Return settings from the environment and these values, or refuse one by its name."""
    try:
        return values if isinstance(values, Settings) else Settings(**(values or {}))
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


def _nearest(name: str, names: set[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
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
