"""Repeats work that failed in a way that passes."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeVar

from neo4j.exceptions import DriverError, Neo4jError, ServiceUnavailable, SessionExpired

T = TypeVar("T")

# Writers in each other's way: the slowest of 16 took 16 s on a machine with load 18.
BUSY_SECONDS = 60.0
FIRST_DELAY_SECONDS = 0.02  # about as long as the other transaction still takes
LARGEST_DELAY_SECONDS = 1.0

log = logging.getLogger("asterism")


async def repeat(attempt: Callable[[], Awaitable[T]], lost_seconds: float) -> T:
    """Return what an attempt returns, made again while its failure is one that passes.

    A server that does not answer is tried for `lost_seconds`, a deadlock and the like for
    BUSY_SECONDS, each counted from the first failure of its kind.
    """
    began: dict[bool, float] = {}
    for number in count():
        try:
            return await attempt()
        except (DriverError, Neo4jError) as error:
            since = began.setdefault(lost(error), time.monotonic())
            patience = lost_seconds if lost(error) else BUSY_SECONDS
            if not passes(error) or time.monotonic() - since >= patience:
                raise
            log.debug("attempt %d failed and is repeated: %s", number + 1, error)
        await asyncio.sleep(delay(number))
    raise AssertionError("unreachable")


def passes(error: DriverError | Neo4jError) -> bool:
    """Tell whether a failure may be gone when the same work is done again."""
    # After three wrong passwords from anybody the server refuses the right one for 5 s.
    limited = isinstance(error, Neo4jError) and str(error.code).endswith(".AuthenticationRateLimit")
    return limited or (error.is_retryable() and not stopped(error))


def lost(error: BaseException | None) -> bool:
    """Tell whether the server did not answer, or does not have the database up."""
    if isinstance(error, Neo4jError):
        return str(error.code).endswith(".DatabaseUnavailable")
    return isinstance(error, (ServiceUnavailable, SessionExpired))


def stopped(error: BaseException | None) -> bool:
    """Tell whether the database gave up, as on a full disk: only a restart helps it."""
    code = (error.code or "") if isinstance(error, Neo4jError) else ""
    return code.endswith((".TransactionStartFailed", ".TransactionCommitFailed"))


def delay(number: int) -> float:
    """Return the seconds to wait after a failure: longer each time, never alike for two."""
    longest = min(FIRST_DELAY_SECONDS * 2.0 ** min(number, 16), LARGEST_DELAY_SECONDS)
    return random.uniform(longest / 2, longest)
