"""Repeats what may work when it is done again: a download, a start."""

import logging
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

log = logging.getLogger("asterism")


def call(action: Callable[[], T], times: int, repeats: Callable[[Exception], bool]) -> T:
    """Return what an action returns, called up to so many times while its error repeats it."""
    for number in range(1, times):
        try:
            return action()
        except Exception as error:
            if not repeats(error):
                raise
            log.debug("attempt %d failed and is repeated: %s", number, error)
    return action()
