"""Causal links in the graph: recorded from transcripts, read, measured, traced, forgotten."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from typing import Any

from asterism.causality import trace as traces
from asterism.causality.event_ownership import (
    precedence_order,
    refuse_events_outside,
    valid_events,
)
from asterism.causality.extraction import Extraction
from asterism.causality.identity import (
    KERNEL_VERSION,
    LITERAL_VERSION,
    canonical_json,
    ids_on_line,
)
from asterism.causality.kernel import extract, kernel_input
from asterism.causality.line_vectors import LineVectors
from asterism.causality.line_vectors import OnProgress as OnEmbedded
from asterism.causality.metrics import stored_measures
from asterism.causality.models import (
    CausalAnswer,
    CausalLink,
    Chain,
    Forgotten,
    Metrics,
    SessionSummary,
    Unclaimed,
)
from asterism.causality.options import Options
from asterism.causality.questions import Questions
from asterism.causality.recording import CausalReport, Recording, recorded_transcript
from asterism.causality.rows import MetricsRow, SessionRow
from asterism.causality.session_memories import Memories, SessionMemories
from asterism.causality.session_writer import OnProgress, SessionWriter
from asterism.causality.transcripts.models import Event, Strength, Transcript
from asterism.causality.transcripts.speakers import Speakers
from asterism.causality.transcripts.transcript_checks import (
    LARGEST_INDEX,
    refuse_empty,
    refuse_session_id,
    refuse_unusable,
)
from asterism.clock import Moment, aware
from asterism.database import Database, Row
from asterism.embedding import Embedding
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.settings import CausalParams
from asterism.settings.causality import LITERAL
from asterism.validation import require_flag, require_text, require_whole

DEEPEST_CHAIN = 60  # the greatest length in causality/chain


class Causality:
    """Causal links of recorded sessions."""

    def __init__(self, database: Database, embedding: Embedding, memories: Memories) -> None:
        self._database = database
        self._memories = SessionMemories(database, memories)
        self._writer = SessionWriter(database)
        self._vectors = LineVectors(database, embedding)
        self._questions = Questions(database, embedding, self._vectors)

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
        on_progress: OnProgress | None = None,
        replace: bool = False,
        remember_session: bool = False,
        at: Moment | None = None,
        **keep: bool | None,
    ) -> CausalReport:
        """Extract a session's links and store them: a repeated call changes nothing.

        Without players everybody but the DM plays. A session that holds another transcript, whose
        first lines differ, is a Conflict unless `replace` is True. `keep` overrides the settings
        for this session: utterances, unclaimed_weak, prompts, embed. No model is waited for:
        `unembedded` of the report counts the texts that get their vectors before the next question.

        With `remember_session=True` every line is a text memory too, said by its speaker at `at`
        and joined to its intent or consequence. Recorded again, changed lines are updated, and the
        memories of lines that are gone are forgotten.
        """
        settings = self._database.settings.causality
        options = Options.of(settings, **keep)
        require_flag("replace", replace)
        remembers = require_flag("remember_session", remember_session)
        said_at = None if at is None else aware(at, "at")
        roles = {"dm": dm, "players": players, "masks": masks}
        transcript = Transcript.of({"session_id": session_id, "lines": lines, **roles})
        refuse_unusable(transcript)
        refuse_empty(transcript)
        owners = None if events is None else valid_events(events)
        first, last = transcript.lines[0], transcript.lines[-1]
        refuse_events_outside(owners or (), first.line_index, last.line_index)
        parameters, given_intents = kernel_input(params, intents, settings)
        now = self._database.clock.now()
        extraction = await asyncio.to_thread(
            extract, transcript, parameters, intents=given_intents, at=now
        )
        Speakers(extraction.transcript).refuse_silent_dm()
        recording = Recording(
            extraction.transcript, extraction, given_intents, options, owners, now
        )
        progress = on_progress or (lambda *step: None)
        report = await self._writer.record(recording, progress, replace=replace)
        if remembers:
            remembered = await self._memories.remember(recording, said_at or now)
            return report.model_copy(update={"remembered": remembered})
        if report.replaced:  # memories that an earlier call remembered
            await self._memories.join(recording)
        return report

    async def links(
        self,
        session_id: str,
        *,
        actor: str | None = None,
        strength: Strength | str | None = None,
        max_line_gap: int | None = None,
        event: str | None = None,
    ) -> list[CausalLink]:
        """Return a session's links by line, with `max_line_gap` only claimed ones within it.

        `event` selects the links whose intent or consequence that event owns.
        """
        for argument, value in (("actor", actor), ("event", event)):
            if value is not None:
                require_text(argument, value)
        if max_line_gap is not None:
            require_whole("max_line_gap", max_line_gap, high=LARGEST_INDEX)
        if strength not in (None, *Strength):
            raise InvalidInput("strength", strength, "it is strong or weak")
        await self._session(session_id)
        rows = await self._database.rows(
            "causality/links",
            session_id=session_id,
            actor=actor,
            strength=strength and str(strength),
            max_line_gap=max_line_gap,
            event_id=event,
        )
        return [CausalLink(**row) for row in rows]

    async def chain(self, intent_id: str, *, depth: int = 12, limit: int = 25) -> list[Chain]:
        """Return what followed from an intent or consequence, longest branches first.

        A line may stand for what it holds: SESSION:line:INDEX.
        """
        _require_branches("intent_id", intent_id, depth, limit)
        for id in ids_on_line(intent_id) or [intent_id]:
            rows = await self._database.rows("causality/chain", id=id, depth=depth, limit=limit)
            if rows:
                return _chains(rows)
        raise _no_line(intent_id)

    async def causes(self, id: str, *, depth: int = 12, limit: int = 25) -> list[Chain]:
        """Return what led to an intent or consequence, across players, longest branches first.

        Each branch begins at its first cause and ends at `id`. There is none if nothing led there.
        The id of a memory stands for the intent or consequence that it describes, and a line for
        what it holds: SESSION:line:INDEX, also where it is no memory.
        """
        _require_branches("id", id, depth, limit)
        for ids in ([id], ids_on_line(id)):
            rows = await self._database.rows("causality/causes", ids=ids, depth=depth, limit=limit)
            if rows:
                return _chains(rows)
        raise _no_line(id)

    async def find(
        self,
        query: str,
        *,
        k: int = 5,
        session_id: str | None = None,
        depth: int = 8,
        limit: int = 3,
        on_progress: OnEmbedded | None = None,
    ) -> list[CausalAnswer]:
        """Return where a question in words points, best first, with the chains that end there.

        An intent that was answered leads to its consequence. `limit` counts the chains of each,
        longest first, and `depth` their steps. Lines that have no vector yet get one first, which
        takes a while after a long session and is reported to `on_progress`. Those recorded with
        `embed=False` are found by their words alone.
        """
        require_whole("k", k, high=1000)
        require_whole("depth", depth, high=DEEPEST_CHAIN)
        require_whole("limit", limit, high=10_000)
        if session_id is not None:
            await self._session(session_id)
        return await self._questions.find(query, k, session_id, depth, limit, on_progress)

    async def embed(self, *, on_progress: OnEmbedded | None = None) -> int:
        """Embed recorded lines that have no vector yet, and return how many got one.

        Questions, literal explorations and maintenance do that by themselves.
        """
        return await self._vectors.embed_missing(on_progress)

    async def metrics(self, session_id: str | None = None) -> Metrics:
        """Return the measures of one session, or of all of them, counted in the graph."""
        if session_id is None:
            ids = [session.id for session in await self.sessions()]
        else:
            await self._session(session_id)
            ids = [session_id]
        row = await self._database.one("causality/metrics", session_ids=ids)
        strong = await self._database.rows("causality/unclaimed_strong", session_ids=ids)
        return stored_measures(MetricsRow(**row), [Unclaimed(**intent) for intent in strong])

    async def trace(self, session_id: str) -> str:
        """Return the transcript with every decision under its intent, as text."""
        return traces.text(*await self._extract_again(session_id))

    async def trace_document(self, session_id: str) -> dict[str, Any]:
        """Return the trace as plain data, for machines."""
        return traces.document(*await self._extract_again(session_id))

    async def assign_events(self, session_id: str, events: Iterable[Any]) -> int:
        """Store the event that owns each intent and consequence, and return how many are owned."""
        ordered = precedence_order(valid_events(events))
        session = await self._session(session_id)
        first, last = session.first_line, session.last_line
        if first is None:
            first, last, _ = await self._writer.extent(session_id)
        if first is not None and last is not None:
            refuse_events_outside(ordered, first, last)
        plain = [event.model_dump() for event in ordered]

        async def work(tx: Any) -> int:
            await tx.rows("causality/lock_session", session_id=session_id)
            row = await tx.one("causality/assign_events", session_id=session_id, events=plain)
            text = canonical_json(plain)
            await tx.rows("causality/save_events", session_id=session_id, events=text)
            return int(row["assigned"])

        return await self._database.transaction(work)

    async def events(self, session_id: str) -> list[Event]:
        """Return the events that were assigned to a session."""
        session = await self._session(session_id)
        return [Event.of(event) for event in json.loads(session.events)]

    async def sessions(self) -> list[SessionSummary]:
        """Return every recorded session."""
        rows = await self._database.rows("causality/sessions")
        return [SessionSummary(**row) for row in rows]

    async def forget(self, session_id: str, *, memories: bool = False) -> Forgotten:
        """Delete a session's intents, consequences and lines, also after an interrupted call.

        The memories of its lines stay unless `memories` is True.
        """
        refuse_session_id(session_id)
        require_flag("memories", memories)
        recorded = await self._writer.session(session_id)
        run = await self._database.one("causality/forget_run", session_id=session_id)
        deleted = {"Intent": 0, "Consequence": 0, "Utterance": 0}
        async for row in self._database.stream("causality/forget_nodes", session_id=session_id):
            deleted[row["label"]] += row["deleted"]
        actors = await self._database.one("causality/sweep_actors", actor_ids=run["actor_ids"])
        if recorded is None and not any(deleted.values()):
            raise _not_recorded(session_id)
        blank = dict.fromkeys(SessionRow._fields)
        await self._database.rows("causality/forget_session", session_id=session_id, blank=blank)
        count = await self._memories.forget(session_id, remove=memories)
        return Forgotten(
            session_id=session_id,
            intents=deleted["Intent"],
            consequences=deleted["Consequence"],
            utterances=deleted["Utterance"],
            actors=actors["swept"],
            memories=count if memories else 0,
            memories_stay=0 if memories else count,
        )

    async def _session(self, session_id: str) -> SessionRow:
        refuse_session_id(session_id)
        session = await self._writer.session(session_id)
        if session is None:
            raise _not_recorded(session_id)
        return session

    async def _extract_again(self, session_id: str) -> tuple[Transcript, Extraction, list[Event]]:
        """Return the same extraction once more, from the stored lines."""
        session = await self._session(session_id)
        if session.utterances != session.lines:
            raise Conflict(
                f"session {session_id!r} was recorded without its lines, which a trace needs: "
                "record it again with utterances=True"
            )
        if session.kernel_version not in (KERNEL_VERSION, LITERAL_VERSION):
            raise Conflict(
                f"session {session_id!r} was recorded by kernel {session.kernel_version}, "
                f"this one is {KERNEL_VERSION}: record it again"
            )
        lines = await self._database.rows("causality/utterances", session_id=session_id)
        transcript = recorded_transcript(session_id, session, lines)
        given_intents = None if session.given_intents is None else json.loads(session.given_intents)
        params = json.loads(session.params)
        if session.kernel_version == LITERAL_VERSION:
            params = LITERAL | params
        extraction = await asyncio.to_thread(extract, transcript, params, intents=given_intents)
        return transcript, extraction, [Event.of(event) for event in json.loads(session.events)]


def _not_recorded(session_id: str) -> NotFound:
    return NotFound("recorded session", session_id, "`asterism causal sessions` lists them")


def _require_branches(argument: str, id: str, depth: int, limit: int) -> None:
    require_text(argument, id)
    require_whole("depth", depth, high=DEEPEST_CHAIN)
    require_whole("limit", limit, high=10_000)


def _no_line(id: str) -> NotFound:
    remedy = "the ids are those of links; SESSION:line:INDEX is what a line holds"
    return NotFound("intent or consequence", id, remedy)


def _chains(rows: list[Row]) -> list[Chain]:
    return [Chain(steps=row["steps"]) for row in rows if row["steps"]]
