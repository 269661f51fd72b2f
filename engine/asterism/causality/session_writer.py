"""Writer of one session in one transaction: all of it, or nothing.

A session too large for that is taken off the list of recorded ones, written in parts, and put back
on it at the end: interrupted, it is not recorded, and recording it again completes it.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol

from asterism.causality import identity
from asterism.causality.models import Replaced
from asterism.causality.recording import CausalReport, Recording
from asterism.causality.rows import ExtentRow, Row, SessionRow, batches
from asterism.causality.transcripts.models import Event, Line
from asterism.database import Database, Transaction
from asterism.errors import Conflict

OnProgress = Callable[[str, int, int], None]
ATTEMPTS = 50


class StatementRunner(Protocol):
    """A transaction, or a database, which gives every statement one of its own."""

    async def rows(self, name: str, /, **arguments: Any) -> list[Row]: ...


class ChangedMeanwhile(Exception):
    """Another writer recorded the session between reading and locking."""


class SessionWriter:
    """Brings the graph's copy of a session to what an extraction contains."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._settings = database.settings.causality

    async def record(
        self, recording: Recording, on_progress: OnProgress, *, replace: bool
    ) -> CausalReport:
        """Write what is missing, after any other writer of the session.

        A recorded session that begins with other lines is another one: it stays, unless `replace`.
        """
        for _ in range(ATTEMPTS):
            stored = await self.session(recording.session_id)
            foreign = stored is not None and not await self._same_opening(recording, stored)
            if stored is not None and foreign and not replace:
                raise _other_session(recording.session_id, stored)
            complete = _with_stored_events(recording, None if foreign else stored)
            if stored is not None and _is_recorded(complete, stored):
                return _report(complete, None, changed=False, unembedded=stored.unembedded or 0)
            try:
                unembedded = await self._replace(complete, stored, on_progress)
            except ChangedMeanwhile:
                continue
            replaced = _replaced(stored, events_dropped=foreign)
            return _report(complete, replaced, changed=True, unembedded=unembedded)
        raise Conflict(f"session {recording.session_id!r} keeps changing: one writer at a time")

    async def session(self, session_id: str) -> SessionRow | None:
        """Return the inputs and totals of a recorded session."""
        row = await self._database.row("causality/session", session_id=session_id)
        return None if row is None else SessionRow(**row)

    async def extent(self, session_id: str) -> ExtentRow:
        """Return the ends and the opening of a session from its stored lines, if it has any."""
        row = await self._database.one(
            "causality/extent", session_id=session_id, count=identity.OPENING_LINES
        )
        return ExtentRow(**{**row, "opening": identity.opening(map(Line.of, row["opening"]))})

    async def _same_opening(self, recording: Recording, stored: SessionRow) -> bool:
        """Compare the first lines with the recorded ones, which are equal if there are none."""
        opening = stored.opening
        if opening is None:
            opening = (await self.extent(recording.session_id)).opening
        return identity.same_opening(opening, recording.extent["opening"])

    async def _replace(
        self, recording: Recording, stored: SessionRow | None, on_progress: OnProgress
    ) -> int:
        small = _row_count(recording) <= self._settings.transaction_rows

        async def begin(tx: Transaction) -> tuple[list[str], int]:
            session = await tx.one("causality/lock_session", session_id=recording.session_id)
            if session["run_id"] != (stored.run_id if stored else None):
                raise ChangedMeanwhile
            actor_ids: list[str] = session["actor_ids"]
            if small:
                return actor_ids, await self._write(tx, recording, actor_ids, on_progress)
            await _close_session(tx, recording, {"run_id": None}, embeds=False)
            return actor_ids, 0

        actor_ids, unembedded = await self._database.transaction(begin)
        if not small:
            unembedded = await self._write(self._database, recording, actor_ids, on_progress)
        return unembedded

    async def _write(
        self,
        runner: StatementRunner,
        recording: Recording,
        actor_ids: list[str],
        on_progress: OnProgress,
    ) -> int:
        """Write everything, and return how many texts wait for a vector."""
        await self._save_rows(runner, recording, on_progress)
        await self._sweep(runner, recording, actor_ids)
        props = recording.totals | recording.extent
        return await _close_session(runner, recording, props, embeds=recording.options.embed)

    async def _save_rows(
        self, runner: StatementRunner, recording: Recording, on_progress: OnProgress
    ) -> None:
        total, count = _row_count(recording), 0
        clock, run = {"now": recording.at}, {"run_id": recording.run_id}
        for batch in batches(recording.actors(), self._settings.write_batch):
            created = await runner.rows("causality/save_actors", rows=batch, **clock)
            new = [row["id"] for row in created]
            if new:
                await runner.rows("memories/join_speakers", actor_ids=new, **clock)
            count += len(batch)
        session = {"session_id": recording.session_id}
        steps: list[tuple[str, Iterable[Row], Row]] = [
            ("causality/save_intents", recording.intents(), run | clock),
            ("causality/save_consequences", recording.consequences(), run | clock),
            ("causality/save_causes", recording.causes(), run),
            ("causality/save_prompts", recording.prompts(), run),
            ("causality/save_utterances", recording.utterances(), run | session),
            ("causality/save_anchors", recording.anchors(), run),
        ]
        for name, rows, arguments in steps:
            for batch in batches(rows, self._settings.write_batch):
                await runner.rows(name, rows=batch, **arguments)
                count += len(batch)
                on_progress("writing", count, total)

    async def _sweep(
        self, runner: StatementRunner, recording: Recording, actor_ids: list[str]
    ) -> None:
        run = {"session_id": recording.session_id, "run_id": recording.run_id}
        limit = self._settings.write_batch
        for name in ("causality/sweep_relationships", "causality/sweep_nodes"):
            swept = limit
            while swept == limit:
                [row] = await runner.rows(name, limit=limit, **run)
                swept = row["swept"]
        unused = sorted(set(actor_ids) - {row["id"] for row in recording.actors()})
        await runner.rows("causality/sweep_actors", actor_ids=unused)


async def _close_session(
    runner: StatementRunner, recording: Recording, props: Row, *, embeds: bool
) -> int:
    arguments = {"session_id": recording.session_id, "props": props, "now": recording.at}
    [row] = await runner.rows("causality/close_session", embeds=embeds, **arguments)
    return int(row["unembedded"])


def _with_stored_events(recording: Recording, stored: SessionRow | None) -> Recording:
    """Return the recording with the events of the session, unless it brings others."""
    if recording.events is not None:
        return recording
    events = json.loads(stored.events) if stored else []
    return replace(recording, events=[Event.of(event) for event in events])


def _is_recorded(recording: Recording, stored: SessionRow) -> bool:
    """Return whether this very run is stored, with the same inputs and the same totals."""
    return all(getattr(stored, name) == value for name, value in recording.totals.items())


def _row_count(recording: Recording) -> int:
    """Return the number of rows that a recording writes, apart from vectors."""
    totals = recording.totals
    nodes = totals["intents"] + totals["consequences"]
    anchors = nodes if totals["utterances"] else 0
    relationships = totals["claimed"] + totals["prompts"]
    return int(len(recording.actors()) + nodes + relationships + totals["utterances"] + anchors)


def _other_session(session_id: str, stored: SessionRow) -> Conflict:
    at = f"{stored.recorded_at:%Y-%m-%d %H:%M}"
    return Conflict(
        f"session {session_id!r} holds another transcript, whose first lines differ "
        f"({stored.lines} lines, recorded at {at}): record this one under another id "
        "(--session ID), or replace the recorded one (--replace; in Python replace=True)"
    )


def _replaced(stored: SessionRow | None, *, events_dropped: bool) -> Replaced | None:
    if stored is None:
        return None
    return Replaced(
        run_id=stored.run_id,
        lines=stored.lines,
        links=stored.intents,
        events=len(json.loads(stored.events)) if events_dropped else 0,
        recorded_at=stored.recorded_at,
    )


def _report(
    recording: Recording, replaced: Replaced | None, *, changed: bool, unembedded: int
) -> CausalReport:
    extraction, totals = recording.extraction, recording.totals
    return CausalReport(
        session_id=recording.session_id,
        run_id=recording.run_id,
        changed=changed,
        replaced=replaced,
        players=extraction.players,
        players_named=extraction.players_named,
        lines=extraction.lines,
        dm_lines=extraction.dm_lines,
        eligible_share=extraction.eligible_share,
        intents=extraction.metrics.intents,
        claimed=extraction.metrics.claimed,
        consequences=totals["consequences"],
        prompts=totals["prompts"],
        utterances=totals["utterances"],
        unembedded=unembedded,
        events=recording.events or [],
        metrics=extraction.metrics,
        extraction=extraction,
    )
