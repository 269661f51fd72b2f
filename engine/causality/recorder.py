"""Writes one session in one transaction: all of it, or nothing.

A session too large for that is taken off the list of recorded ones, written in parts, and put back
on it at the end: interrupted, it is not recorded, and recording it again completes it.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from engine.causality import identity
from engine.causality.reports import CausalReport, Replaced
from engine.causality.storage import Recording, Row, batches
from engine.causality.transcript import Event, Line
from engine.database import Database, Transaction
from engine.embedding import Embedding
from engine.errors import Conflict

Progress = Callable[[str, int, int], None]
ATTEMPTS = 50


class Runner(Protocol):
    """A transaction, or a database, which gives every statement one of its own."""

    async def rows(self, name: str, /, **arguments: Any) -> list[Row]: ...


class Moved(Exception):
    """Somebody else recorded the session between looking and locking."""


@dataclass(frozen=True)
class Texts:
    """What has to be embedded, with the vectors once they are there."""

    rows: list[Row]  # label, id, text
    vectors: Any  # one float32 row a text

    def ready(self, batch: Iterable[int]) -> list[Row]:
        """Rows for the statement that stores vectors."""
        return [
            {
                "label": self.rows[at]["label"],
                "id": self.rows[at]["id"],
                "vector": self.vectors[at].tolist(),
            }
            for at in batch
        ]


class Recorder:
    """Brings the graph's copy of a session to what an extraction found."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding
        self._settings = database.settings.causality

    async def record(
        self, recording: Recording, on_progress: Progress, *, replace: bool
    ) -> CausalReport:
        """Write what is not there yet; another writer of the session is waited for.

        A recorded session that begins with other lines is another one: it stays, unless `replace`.
        """
        for _ in range(ATTEMPTS):
            seen = await self._database.row("causality/session", session_id=recording.session_id)
            foreign = seen is not None and not await self._continues(recording, seen)
            if seen is not None and foreign and not replace:
                raise _other_session(recording.session_id, seen)
            written = _with_events(recording, None if foreign else seen)
            if _stands(written, seen):
                return _report(written, None, changed=False, embedded=0)
            try:
                embedded = await self._replace(written, seen, on_progress)
            except Moved:
                continue
            replaced = _replaced(seen, dropped=foreign)
            return _report(written, replaced, changed=True, embedded=embedded)
        raise Conflict(f"session {recording.session_id!r} keeps changing: one writer at a time")

    async def _continues(self, recording: Recording, seen: Row) -> bool:
        """Compare the first lines with the recorded ones; unknown ones are no reason to refuse."""
        opening = seen["opening"]
        if opening is None:
            kept = await extent(self._database, recording.session_id)
            opening = kept["opening"]
        return identity.same_opening(opening, recording.extent["opening"])

    async def _replace(self, recording: Recording, seen: Row | None, on_progress: Progress) -> int:
        texts = await self._texts(recording, on_progress)
        before = seen["run_id"] if seen else None
        small = _rows(recording) <= self._settings.transaction_rows

        async def begin(tx: Transaction) -> list[str]:
            found = await tx.row("causality/lock_session", session_id=recording.session_id)
            assert found is not None
            if found["run_id"] != before:
                raise Moved
            if small:
                await self._bring(tx, recording, texts, found["actor_ids"], on_progress)
            else:
                await _close(tx, recording, {"run_id": None})
            return list(found["actor_ids"])

        actor_ids = await self._database.transaction(begin)
        if not small:
            await self._bring(self._database, recording, texts, actor_ids, on_progress)
        return len(texts.rows)

    async def _bring(
        self,
        run: Runner,
        recording: Recording,
        texts: Texts,
        actor_ids: list[str],
        on_progress: Progress,
    ) -> None:
        await self._write(run, recording, texts, on_progress)
        await self._sweep(run, recording, actor_ids)
        await _close(run, recording, recording.totals | recording.extent)

    async def _write(
        self, run: Runner, recording: Recording, texts: Texts, on_progress: Progress
    ) -> None:
        total, new = _rows(recording), {"now": recording.at}
        stamp = {"run_id": recording.run_id}
        session = stamp | {"session_id": recording.session_id}
        written = 0
        steps: list[tuple[str, Iterable[Row], Row]] = [
            ("causality/save_actors", recording.actors(), new),
            ("causality/save_intents", recording.intents(), stamp | new),
            ("causality/save_consequences", recording.consequences(), stamp | new),
            ("causality/save_causes", recording.causes(), stamp),
            ("causality/save_prompts", recording.prompts(), stamp),
            ("causality/save_utterances", recording.utterances(), session),
            ("causality/save_anchors", recording.anchors(), stamp),
        ]
        for name, rows, also in steps:
            for batch in batches(rows, self._settings.write_batch):
                await run.rows(name, rows=batch, **also)
                written += len(batch)
                on_progress("writing", written, total)
        model = self._embedding.embedder.name
        for at in batches(range(len(texts.rows)), self._settings.embed_batch):
            await run.rows("causality/save_embeddings", model=model, rows=texts.ready(at))

    async def _sweep(self, run: Runner, recording: Recording, actor_ids: list[str]) -> None:
        touched = {"session_id": recording.session_id, "run_id": recording.run_id}
        limit = self._settings.write_batch
        for name in ("causality/sweep_relationships", "causality/sweep_nodes"):
            swept = limit
            while swept == limit:
                [row] = await run.rows(name, limit=limit, **touched)
                swept = row["swept"]
        gone = sorted(set(actor_ids) - {row["id"] for row in recording.actors()})
        await run.rows("causality/sweep_actors", actor_ids=gone)

    async def _texts(self, recording: Recording, on_progress: Progress) -> Texts:
        """Texts that have no vector yet, embedded before anything is locked or written."""
        if not recording.options.embed:
            return Texts([], None)
        wanted = await self._unembedded(recording)
        parts = []
        for batch in batches(wanted, self._settings.embed_batch):
            vectors = await self._embedding.documents([row["text"] for row in batch])
            parts.append(np.array(vectors, dtype=np.float32))
            on_progress("embedding", sum(map(len, parts)), len(wanted))
        return Texts(wanted, np.concatenate(parts) if parts else None)

    async def _unembedded(self, recording: Recording) -> list[Row]:
        actors = recording.actors()
        rows = await self._database.rows(
            "causality/embedded",
            session_id=recording.session_id,
            actor_ids=[row["id"] for row in actors],
            model=self._embedding.embedder.name,
        )
        known = {(row["id"], row["text"]) for row in rows}
        wanted = [{"label": "Actor", "id": row["id"], "text": row["name"]} for row in actors]
        wanted = [row for row in wanted if (row["id"], None) not in known]
        wanted += [row for row in recording.texts() if (row["id"], row["text"]) not in known]
        return wanted


async def _close(run: Runner, recording: Recording, props: Row) -> None:
    at, session_id = recording.at, recording.session_id
    await run.rows("causality/close_session", session_id=session_id, props=props, now=at)


def _with_events(recording: Recording, seen: Row | None) -> Recording:
    """Events stay until others are given."""
    if recording.events is not None:
        return recording
    stored = json.loads(seen["events"]) if seen else []
    return replace(recording, events=[Event.of(event) for event in stored])


def _stands(recording: Recording, seen: Row | None) -> bool:
    """Whether this very run is there already, with the same inputs and the same totals."""
    return seen is not None and all(seen[name] == value for name, value in recording.totals.items())


def _rows(recording: Recording) -> int:
    """How many rows a recording writes, vectors apart."""
    totals = recording.totals
    nodes = totals["intents"] + totals["consequences"]
    anchors = nodes if totals["utterances"] else 0
    joined = totals["claimed"] + totals["prompts"]
    return int(len(recording.actors()) + nodes + joined + totals["utterances"] + anchors)


async def extent(database: Database, session_id: str) -> Row:
    """Return the ends and the opening of a session from its kept lines, if it has any."""
    row = await database.row(
        "causality/extent", session_id=session_id, count=identity.OPENING_LINES
    )
    assert row is not None
    return {**row, "opening": identity.opening(map(Line.of, row["opening"]))}


def _other_session(session_id: str, seen: Row) -> Conflict:
    at = f"{seen['recorded_at']:%Y-%m-%d %H:%M}"
    return Conflict(
        f"session {session_id!r} holds another transcript, whose first lines differ "
        f"({seen['lines']} lines, recorded at {at}): record this one under another id "
        "(--session ID), or replace the recorded one (--replace; in Python replace=True)"
    )


def _replaced(seen: Row | None, *, dropped: bool) -> Replaced | None:
    if seen is None:
        return None
    return Replaced(
        run_id=seen["run_id"],
        lines=seen["lines"],
        links=seen["intents"],
        events=len(json.loads(seen["events"])) if dropped else 0,
        recorded_at=seen["recorded_at"],
    )


def _report(
    recording: Recording, replaced: Replaced | None, *, changed: bool, embedded: int
) -> CausalReport:
    found, totals = recording.extraction, recording.totals
    return CausalReport(
        session_id=recording.session_id,
        run_id=recording.run_id,
        changed=changed,
        replaced=replaced,
        players=found.players,
        players_named=found.players_named,
        lines=found.lines,
        dm_lines=found.dm_lines,
        eligible_share=found.eligible_share,
        intents=found.metrics.intents,
        claimed=found.metrics.claimed,
        consequences=totals["consequences"],
        prompts=totals["prompts"],
        utterances=totals["utterances"],
        embedded=embedded,
        events=recording.events or [],
        metrics=found.metrics,
        extraction=found,
    )
