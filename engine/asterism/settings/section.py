"""Base of the settings sections: ranges that many fields share, and maps merged over defaults."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

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

    @model_validator(mode="before")
    @classmethod
    def merge_maps(cls, values: Any) -> Any:
        """Complete each map by the defaults of the keys that it leaves out."""
        if not isinstance(values, Mapping):
            return values
        return {name: cls._merged(name, value) for name, value in values.items()}

    @model_validator(mode="after")
    def refuse_immense(self) -> Self:
        """Refuse numbers that no setting can mean."""
        for name in self.model_fields_set:
            value = getattr(self, name)
            for number in _numbers(value):
                if abs(number) > LARGEST:
                    remedy = f"{number} is too large: give at most {LARGEST:.0e}"
                    raise self._refusal(name, value, remedy)
        return self

    @classmethod
    def _merged(cls, name: str, value: Any) -> Any:
        field = cls.model_fields.get(name)
        default = field.default if field else None
        if not (isinstance(default, dict) and isinstance(value, Mapping)):
            return value
        unknown = [str(key) for key in value if key not in default]
        if unknown:
            keys = ", ".join(default)
            remedy = f"there is no {', '.join(unknown)} in it: its keys are {keys}"
            raise cls._refusal(name, value, remedy)
        return default | dict(value)

    @classmethod
    def _refusal(cls, name: str, value: Any, remedy: str) -> ValidationError:
        """Return the error of one setting. Validators of all fields take long to set up."""
        problem = PydanticCustomError("refused", "{remedy}", {"remedy": remedy})
        line = InitErrorDetails(type=problem, loc=(name,), input=value)
        return ValidationError.from_exception_data(cls.__name__, [line])


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for each in value.values() for number in _numbers(each)]
    if isinstance(value, list):
        return [number for each in value for number in _numbers(each)]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return [value] if number else []
