"""Rounds of jobs at a fixed interval, behind `asterism maintain --every`."""

import asyncio
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Protocol

from asterism.errors import AsterismError, InvalidInput, SchemaMismatch
from asterism.maintenance.maintenance import Maintenance
from asterism.maintenance.models import JobReport

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class HasMaintenance(Protocol):
    """An open graph, of which the scheduler needs nothing else."""

    maintenance: Maintenance


async def run_repeatedly(
    open_graph: Callable[[], AbstractAsyncContextManager[HasMaintenance]],
    interval: float,
    *,
    job: str | None = None,
    stop: asyncio.Event,
    on_report: Callable[[JobReport], None],
    on_trouble: Callable[[Exception], None],
) -> None:
    """Run jobs, wait so many seconds, and again, until `stop` is set: then after the running job.

    A graph is opened for each round, so that the time between two rounds is no time of use. A
    server that is away, or a realm that is just being filled, is reported and tried again at the
    next round.
    """
    while not stop.is_set():
        try:
            async with open_graph() as graph:
                async for report in graph.maintenance.each(job):
                    on_report(report)
                    if stop.is_set():
                        return
        except (InvalidInput, SchemaMismatch):  # these do not go away by waiting
            raise
        except AsterismError as error:
            on_trouble(error)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), interval)


def parse_interval(text: str, argument: str = "every") -> float:
    """Return the seconds of a length of time as it was typed: 30s, 15m, 1h, 1d."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", text.strip().lower())
    seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
    if seconds < 1:
        remedy = "give a number and a unit, at least a second: 30s, 15m, 1h or 1d"
        raise InvalidInput(argument, text, remedy)
    return seconds
