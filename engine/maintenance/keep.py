"""The loop behind `asterism maintain --every`."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.errors import AsterismError, InvalidInput, SchemaMismatch
from engine.maintenance.model import JobReport

if TYPE_CHECKING:
    from engine.graph import Graph

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


async def keep(
    opened: "Callable[[], Graph]",
    every: float,
    *,
    job: str | None = None,
    stop: asyncio.Event,
    on_report: Callable[[JobReport], None],
    on_trouble: Callable[[Exception], None],
) -> None:
    """Run jobs, wait so many seconds, and again, until told to stop: then after the running job.

    A graph is opened for each round, so that the time between two rounds is no time of use. A
    server that is not there, or a realm that is just being filled, is told and asked again at the
    next round.
    """
    while not stop.is_set():
        try:
            async with opened() as graph:
                async for report in graph.maintenance.each(job):
                    on_report(report)
                    if stop.is_set():
                        return
        except (InvalidInput, SchemaMismatch):  # these do not go away by waiting
            raise
        except AsterismError as error:
            on_trouble(error)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), every)


def seconds(text: str, argument: str = "every") -> float:
    """A length of time as it was typed: 30s, 15m, 1h, 1d."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", text.strip().lower())
    found = float(match[1]) * UNITS[match[2]] if match else 0.0
    if found < 1:
        remedy = "give a number and a unit, at least a second: 30s, 15m, 1h or 1d"
        raise InvalidInput(argument, text, remedy)
    return found
