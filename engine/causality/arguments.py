"""Checks of the arguments of causality, made before anything is read or written."""

from collections.abc import Mapping
from typing import Any

from engine.causality.storage import Options
from engine.causality.transcript import Strength
from engine.errors import InvalidInput
from engine.settings import CausalitySettings

DEEPEST = 60


def valid_options(settings: CausalitySettings, keep: Mapping[str, Any]) -> Options:
    """Return what of a session is kept: the settings, unless `keep` says otherwise."""
    names = sorted(set(Options.model_fields) - {"prompts_within"})
    for name, value in keep.items():
        if name not in names:
            remedy = f"record takes no {name}; to keep or not: {', '.join(names)}"
            raise InvalidInput(name, value, remedy)
        if value is not None:
            valid_flag(name, value)
    return Options.of(settings, **keep)


def valid_flag(argument: str, value: Any) -> bool:
    """Return a boolean, or refuse."""
    if not isinstance(value, bool):
        raise InvalidInput(argument, value, "say True or False")
    return value


def valid_text(argument: str, value: Any) -> str:
    """Return a text that is not empty and can be stored, or refuse."""
    if not isinstance(value, str) or not value or not _encodable(value):
        raise InvalidInput(argument, value, "give a text that is not empty")
    return value


def valid_number(argument: str, value: Any, most: int) -> int:
    """Return a whole number from 1 to `most`, or refuse."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not 1 <= value <= most:
        raise InvalidInput(argument, value, f"give a whole number from 1 to {most}")
    return int(value)


def valid_strength(value: Strength | str | None) -> str | None:
    """Return strong, weak or None, or refuse."""
    if value is None:
        return None
    try:
        return Strength(value).value
    except ValueError as error:
        raise InvalidInput("strength", value, "it is strong or weak") from error


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
