"""Causal links in the graph: recorded from transcripts, read, measured, traced, forgotten."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.causality import trace as tracing
from engine.causality.events import precedence
from engine.causality.extract import extract, valid_params
from engine.causality.extraction import Extraction
from engine.causality.identity import KERNEL_VERSION, canonical
from engine.causality.metrics import counted
from engine.causality.model import CausalLink, Metrics
from engine.causality.recorder import Recorder
from engine.causality.reports import CausalReport, Chain, Forgotten, SessionSummary
from engine.causality.speakers import Speakers
from engine.causality.storage import SESSION_PROPERTIES, Options, Recording, transcript_of
from engine.causality.transcript import (
    Event,
    GivenIntent,
    Strength,
    Transcript,
    valid_events,
)
from engine.database import Database, Row
from engine.embedding import Embedding
from engine.errors import Conflict, InvalidInput, NotFound
from engine.settings import CausalParams

DEEPEST = 60
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
        **keep: bool | None,
    ) -> CausalReport:
        """Extract a session's links and keep them; doing it again changes nothing.

        `keep` overrides the settings for this session: utterances, unclaimed_weak, prompts, embed.
        """
        options = _options(self._database, keep)
        told = {"lines": lines, "dm": dm, "players": players, "masks": masks}
        transcript = Transcript.of({"session_id": session_id, **told})
        wanted, given = self._wanted(params, intents)
        at = self._database.clock.now()
        found = await asyncio.to_thread(extract, transcript, wanted, intents=given, at=at)
        Speakers(transcript).refuse_unknown()
        listed = None if events is None else valid_events(events)
        recording = Recording(transcript, found, given, options, listed, at)
        return await self._recorder.record(recording, on_progress or (lambda *step: None))

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
        rows = await self._database.rows(
            "causality/links",
            session_id=session_id,
            actor=actor,
            strength=_strength(strength),
            max_line_gap=max_line_gap,
            event_id=event,
        )
        return [CausalLink(**row) for row in rows]

    async def chain(self, intent_id: str, *, depth: int = 12, limit: int = 25) -> list[Chain]:
        """What followed from an intent, the longest branch first; nothing if it is unclaimed."""
        _within("depth", depth, DEEPEST)
        _within("limit", limit, 10_000)
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
        transcript, found = await self._again(session_id)
        return tracing.text(transcript, found)

    async def trace_document(self, session_id: str) -> dict[str, Any]:
        """The same as plain data, for machines."""
        transcript, found = await self._again(session_id)
        return tracing.document(transcript, found)

    async def assign_events(self, session_id: str, events: Iterable[Any]) -> int:
        """Note which event owns each intent and consequence; says how many are owned."""
        ordered = precedence(valid_events(events))
        await self._session(session_id)
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
        rows = await self._database.rows("causality/forget_run", session_id=session_id)
        actor_ids = rows[0]["actor_ids"] if rows else []
        gone = {"Intent": 0, "Consequence": 0, "Utterance": 0}
        async for row in self._database.stream("causality/forget_nodes", session_id=session_id):
            gone[row["label"]] += row["deleted"]
        swept = await self._database.row("causality/sweep_actors", actor_ids=actor_ids)
        blank = dict.fromkeys(SESSION_PROPERTIES)
        await self._database.rows("causality/forget_session", session_id=session_id, blank=blank)
        return Forgotten(
            session_id=session_id,
            intents=gone["Intent"],
            consequences=gone["Consequence"],
            utterances=gone["Utterance"],
            actors=swept["swept"] if swept else 0,
        )

    def _wanted(
        self, params: CausalParams | Mapping[str, Any] | None, intents: Iterable[Any] | None
    ) -> tuple[CausalParams, list[GivenIntent] | None]:
        if isinstance(params, Mapping) and "intents" in params:
            rest = {name: value for name, value in params.items() if name != "intents"}
            return self._wanted(rest, params["intents"] if intents is None else intents)
        given = None if intents is None else [GivenIntent.of(intent) for intent in intents]
        return valid_params(params, self._database.settings.causality), given

    async def _session(self, session_id: str) -> Row:
        session = await self._database.row("causality/session", session_id=session_id)
        if session is None:
            raise NotFound("recorded session", session_id, "`asterism causal sessions` lists them")
        return session

    async def _again(self, session_id: str) -> tuple[Transcript, Extraction]:
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
        return transcript, await asyncio.to_thread(extract, transcript, params, intents=given)


def _options(database: Database, keep: dict[str, bool | None]) -> Options:
    known = set(Options.model_fields) - {"prompts_within"}
    for name, value in keep.items():
        if name not in known:
            raise TypeError(f"record takes no {name}; to keep or not: {', '.join(sorted(known))}")
        if not isinstance(value, bool | None):
            raise InvalidInput(name, value, "say True or False")
    return Options.of(database.settings.causality, **keep)


def _strength(given: Strength | str | None) -> str | None:
    if given is None:
        return None
    try:
        return Strength(given).value
    except ValueError as error:
        raise InvalidInput("strength", given, "it is strong or weak") from error


def _within(argument: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise InvalidInput(argument, value, f"a whole number from 1 to {most}")
