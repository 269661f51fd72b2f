"""Base of the settings sections: ranges that many fields share, and maps merged over defaults."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

LARGEST = 1e12  # beyond it a number is a slip of the keyboard, and the server may not take it

Share = Annotated[float, Field(ge=0, le=1)]
Factor = Annotated[float, Field(ge=0, le=10)]
HalfLife = Annotated[float, Field(gt=0, le=1_000_000)]
Days = Annotated[int, Field(ge=0, le=36_500)]
Hours = Annotated[float, Field(ge=0, le=876_000)]


class Section(BaseModel):
    """Base of the sections: frozen, finite numbers, no unknown names."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False
    )

    @field_validator("*", mode="before")
    @classmethod
    def merge_map(cls, value: Any, info: ValidationInfo) -> Any:
        """Complete a map by the defaults of the keys that it leaves out."""
        default = cls.model_fields[info.field_name].default if info.field_name else None
        if not (isinstance(default, dict) and isinstance(value, Mapping)):
            return value
        unknown = [str(key) for key in value if key not in default]
        if unknown:
            raise ValueError(
                f"there is no {', '.join(unknown)} in it: its keys are {', '.join(default)}"
            )
        return default | dict(value)

    @field_validator("*", mode="after")
    @classmethod
    def refuse_immense(cls, value: Any) -> Any:
        """Refuse numbers that no setting can mean."""
        for number in _numbers(value):
            if abs(number) > LARGEST:
                raise ValueError(f"{number} is too large: give at most {LARGEST:.0e}")
        return value


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for each in value.values() for number in _numbers(each)]
    if isinstance(value, list):
        return [number for each in value for number in _numbers(each)]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return [value] if number else []
