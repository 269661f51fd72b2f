"""Comparison of numbers that were computed in two ways."""

from typing import Any

import pytest


def approximately(expected: Any, tolerance: float = 1e-6) -> Any:
    """Return a value that equals numbers within an absolute tolerance, in lists and dicts too."""
    return pytest.approx(expected, abs=tolerance)
