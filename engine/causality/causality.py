"""Causal links in the graph: recorded from transcripts, read, measured, traced, forgotten."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.causality import trace as tracing
from engine.causality.arguments import (
    DEEPEST,
    valid_flag,
    valid_number,
    valid_options,
    valid_strength,
    valid_text,
)
from engine.causality.events import precedence, refuse_events_outside, valid_events
from engine.causality.extract import extract, kernel_input
from engine.causality.extraction import Extraction
from engine.causality.identity import KERNEL_VERSION, canonical
from engine.causality.metrics import counted
from engine.causality.model import CausalLink, Metrics
from engine.causality.recorder import Recorder, extent
from engine.causality.reports import CausalReport, Chain, Forgotten, SessionSummary
from engine.causality.speakers import Speakers
from engine.causality.storage import SESSION_PROPERTIES, Recording, transcript_of
from engine.causality.transcript import (
    LARGEST_INDEX,
    Event,
    Strength,
    Transcript,
    refuse_empty,
    refuse_session_id,
    refuse_unusable,
)
from engine.database import Database, Row
from engine.embedding import Embedding
from engine.errors import Conflict, NotFound
from engine.settings import CausalParams

Progress = Callable[[str, int, int], None]


class Causality:
    """Who attempted what, and what came of it."""

    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._recorder = Recorder(database, embedding)

    async def record(
        self,
        session_id: str,
        lines: Iterable[Any],
        *,
        dm: Iterable[str] | str | None = None,
        players: Iterable[Any] = (),
        masks: Iterable[Any] | None = None,
        params: CausalParams | Mapping[str, Any] | None = None,
        intents: Iterable[Any] | None = None,
        events: Iterable[Any] | None = None,
        on_progress: Progress | None = None,
        replace: bool = False,
        **keep: bool | None,
    ) -> CausalReport:
        """Extract a session's links and keep them; doing it again changes nothing.

        Without players everybody but the DM plays. A session that holds another transcript, whose
        first lines differ, is a Conflict unless `replace` is True. `keep` overrides the settings
        for this session: utterances, unclaimed_weak, prompts, embed.
        """
        settings = self._database.settings.causality
        options = valid_options(settings, keep)
        valid_flag("replace", replace)
        named = {"lines": lines, "dm": dm, "players": players, "masks": masks}
        transcript = Transcript.of({"session_id": session_id, **named})
        refuse_unusable(transcript)
        refuse_empty(transcript)
        listed = None if events is None else valid_events(events)
        lines = transcript.lines
        refuse_events_outside(listed or (), lines[0].line_index, lines[-1].line_index)
        parameters, given = kernel_input(params, intents, settings)
        at = self._database.clock.now()
        found = await asyncio.to_thread(extract, transcript, parameters, intents=given, at=at)
        Speakers(found.transcript).refuse_unknown()
        recording = Recording(found.transcript, found, given, options, listed, at)
        step = on_progress or (lambda *step: None)
        return await self._recorder.record(recording, step, replace=replace)

    async def links(
        self,
        session_id: str,
        *,
        actor: str | None = None,
        strength: Strength | str | None = None,
        max_line_gap: int | None = None,
        event: str | None = None,
    ) -> list[CausalLink]:
        """A session's links by line; with `max_line_gap` only claimed ones that near.

        `event` keeps the links whose intent or consequence that event owns.
        """
        for argument, value in (("actor", actor), ("event", event)):
            if value is not None:
                valid_text(argument, value)
        if max_line_gap is not None:
            valid_number("max_line_gap", max_line_gap, LARGEST_INDEX)
        strength = valid_strength(strength)
        await self._session(session_id)
        rows = await self._database.rows(
            "causality/links",
            session_id=session_id,
            actor=actor,
            strength=strength,
            max_line_gap=max_line_gap,
            event_id=event,
        )
        return [CausalLink(**row) for row in rows]

    async def chain(self, intent_id: str, *, depth: int = 12, limit: int = 25) -> list[Chain]:
        """What followed from an intent, the longest branch first; nothing if it is unclaimed."""
        valid_text("intent_id", intent_id)
        valid_number("depth", depth, DEEPEST)
        valid_number("limit", limit, 10_000)
        rows = await self._database.rows(
            "causality/chain", intent_id=intent_id, depth=depth, limit=limit
        )
        if not rows:
            raise NotFound("intent", intent_id, "the ids are those of links")
        return [Chain(steps=row["steps"]) for row in rows if row["steps"]]

    async def metrics(self, session_id: str | None = None) -> Metrics:
        """The measures of one session, or of all of them, counted in the graph."""
        if session_id is None:
            stored = await self._database.rows("causality/sessions")
        else:
            stored = [await self._session(session_id) | {"id": session_id}]
        ids = [session["id"] for session in stored]
        row = await self._database.row("causality/metrics", session_ids=ids)
        strong = await self._database.rows("causality/unclaimed_strong", session_ids=ids)
        assert row is not None
        dropped = [tuple(line) for session in stored for line in json.loads(session["dropped"])]
        return counted(row, dropped, strong)

    async def trace(self, session_id: str) -> str:
        """The transcript with every decision under its intent, as text."""
        return tracing.text(*await self._again(session_id))

    async def trace_document(self, session_id: str) -> dict[str, Any]:
        """The same as plain data, for machines."""
        return tracing.document(*await self._again(session_id))

    async def assign_events(self, session_id: str, events: Iterable[Any]) -> int:
        """Note which event owns each intent and consequence; says how many are owned."""
        ordered = precedence(valid_events(events))
        session = await self._session(session_id)
        if session["first_line"] is None:
            session |= await extent(self._database, session_id)
        if session["first_line"] is not None:
            refuse_events_outside(ordered, session["first_line"], session["last_line"])
        listed = [event.model_dump() for event in ordered]

        async def work(tx: Any) -> int:
            await tx.rows("causality/lock_session", session_id=session_id)
            row = await tx.row("causality/assign_events", session_id=session_id, events=listed)
            await tx.rows("causality/note_events", session_id=session_id, events=canonical(listed))
            return int(row["assigned"])

        return await self._database.transaction(work)

    async def events(self, session_id: str) -> list[Event]:
        """The events that were assigned to a session."""
        session = await self._session(session_id)
        return [Event.of(event) for event in json.loads(session["events"])]

    async def sessions(self) -> list[SessionSummary]:
        """Every session that has been recorded."""
        rows = await self._database.rows("causality/sessions")
        return [SessionSummary(**row) for row in rows]

    async def forget(self, session_id: str) -> Forgotten:
        """Delete a session's intents, consequences and lines; interrupted, repeat the call."""
        refuse_session_id(session_id)
        recorded = await self._database.row("causality/session", session_id=session_id)
        rows = await self._database.rows("causality/forget_run", session_id=session_id)
        actor_ids = rows[0]["actor_ids"] if rows else []
        gone = {"Intent": 0, "Consequence": 0, "Utterance": 0}
        async for row in self._database.stream("causality/forget_nodes", session_id=session_id):
            gone[row["label"]] += row["deleted"]
        swept = await self._database.row("causality/sweep_actors", actor_ids=actor_ids)
        if recorded is None and not any(gone.values()):
            raise _unknown(session_id)
        blank = dict.fromkeys(SESSION_PROPERTIES)
        await self._database.rows("causality/forget_session", session_id=session_id, blank=blank)
        return Forgotten(
            session_id=session_id,
            intents=gone["Intent"],
            consequences=gone["Consequence"],
            utterances=gone["Utterance"],
            actors=swept["swept"] if swept else 0,
        )

    async def _session(self, session_id: str) -> Row:
        refuse_session_id(session_id)
        session = await self._database.row("causality/session", session_id=session_id)
        if session is None:
            raise _unknown(session_id)
        return session

    async def _again(self, session_id: str) -> tuple[Transcript, Extraction, list[Event]]:
        """The same extraction once more, from the lines that were kept."""
        session = await self._session(session_id)
        if session["utterances"] != session["lines"]:
            raise Conflict(
                f"session {session_id!r} was recorded without its lines, which a trace needs: "
                "record it again with utterances=True"
            )
        if session["kernel_version"] != KERNEL_VERSION:
            raise Conflict(
                f"session {session_id!r} was recorded by kernel {session['kernel_version']}, "
                f"this one is {KERNEL_VERSION}: record it again"
            )
        lines = await self._database.rows("causality/utterances", session_id=session_id)
        transcript = transcript_of(session_id, session, lines)
        given = None if session["given"] is None else json.loads(session["given"])
        params = json.loads(session["params"])
        events = [Event.of(event) for event in json.loads(session["events"])]
        found = await asyncio.to_thread(extract, transcript, params, intents=given)
        return transcript, found, events


def _unknown(session_id: str) -> NotFound:
    return NotFound("recorded session", session_id, "`asterism causal sessions` lists them")
