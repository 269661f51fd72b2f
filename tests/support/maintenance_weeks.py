"""A clock that one process sets and others read, and a keeper that can be killed."""

import asyncio
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from asterism.maintenance import Job, JobReport

LEASES = {"maintenance": {"lease_s": 1.0}, "consolidation": {"lease_s": 1.0}}
KEEPER = """
import asyncio, sys
from datetime import datetime
from pathlib import Path
from asterism.graph import Graph
from asterism.maintenance import Job, run_repeatedly
from tests.conftest import SMALL
from tests.support.maintenance_weeks import LEASES, Hands
from tests.support.maintenance_world import Words

async def main(hands, last):
    clock, words, stop = Hands(Path(hands)), Words(), asyncio.Event()
    ended = set()

    def print_report(report):
        print(report.model_dump_json(), flush=True)
        if report.run and report.ok and report.started_at >= datetime.fromisoformat(last):
            ended.add(report.job)  # the clock may have moved within a round
        if ended == set(Job):
            stop.set()

    def print_trouble(error):
        print(type(error).__name__, flush=True)

    def open_graph():
        return Graph.open(clock=clock, embedder=words, settings={"local": SMALL, **LEASES})

    hooks = {"on_report": print_report, "on_trouble": print_trouble}
    await run_repeatedly(open_graph, 0.05, stop=stop, **hooks)

asyncio.run(main(*sys.argv[1:]))
"""


class Hands:
    """The hands of a clock, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def now(self) -> datetime:
        return datetime.fromisoformat(self._path.read_text())

    def set(self, at: datetime) -> None:
        draft = self._path.with_suffix(".draft")
        draft.write_text(at.isoformat())
        draft.replace(self._path)


class Keeper:
    """A process that runs the loop of `asterism maintain --every`, and what it has told."""

    def __init__(self, hands: Path, last: datetime, environment: dict[str, str]) -> None:
        self._command = (sys.executable, "-c", KEEPER, str(hands), last.isoformat())
        self._environment = environment
        self.reports: list[JobReport] = []
        self.troubles: list[str] = []
        self.silent = False  # it has ended
        self._news = asyncio.Condition()

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdout=asyncio.subprocess.PIPE, env=self._environment
        )
        self.silent = False
        self._reader = asyncio.create_task(self._read())

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        await self.ended()

    async def ended(self) -> int:
        """Wait until it ends by itself, and has told everything."""
        await self._reader
        return await self._process.wait()

    async def wait_for_jobs(self, at: datetime) -> None:
        """Wait until every job has been done at a time."""
        async with self._news:
            await self._news.wait_for(lambda: self._all(at) or self.silent)
        assert self._all(at), self.troubles

    def _all(self, at: datetime) -> bool:
        ended = {r.job for r in self.reports if r.started_at == at and r.run and r.ok}
        return ended == set(Job)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            async with self._news:
                text = line.decode().strip()
                if text.startswith("{"):
                    self.reports.append(JobReport.model_validate_json(text))
                else:
                    self.troubles.append(text)
                self._news.notify_all()
        self.silent = True
        async with self._news:
            self._news.notify_all()
