"""Notes that have nothing to do with the question of a test."""

from typing import Any


def unrelated_notes(count: int) -> list[dict[str, Any]]:
    """Return so many notes in nearly the same words."""
    return [
        {"id": f"n{number}", "text": f"On day {number} the tide table was painted."}
        for number in range(count)
    ]
