# ruff: noqa: E501
"""Types of asterism.sync, made by `python -m docs.sync_stub`. Do not edit."""

import asyncio as asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from os import PathLike
from typing import Any, Self, TypeVar, Unpack

import asterism.clock as clock
import asterism.graph as async_graph
import asterism.stars.query_results as results
from asterism.causality.line_vectors import OnProgress as OnEmbedded
from asterism.causality.models import CausalAnswer, CausalLink, Chain, Metrics, SessionSummary
from asterism.causality.models import Forgotten as CausalityForgotten
from asterism.causality.recording import CausalReport
from asterism.causality.session_writer import OnProgress as CausalityOnProgress
from asterism.causality.transcripts.models import Event as CausalityEvent
from asterism.causality.transcripts.models import Strength
from asterism.clock import Clock, Moment
from asterism.consolidation.models import ConsolidationReport, CoOccurrence, EdgeExplanation
from asterism.consolidation.queued_memories import OnProgress as ConsolidationOnProgress
from asterism.embedding import Embedder as EmbeddingEmbedder
from asterism.embedding.calibration import Calibration
from asterism.embedding.protocol import Embedder, Vector
from asterism.errors import Conflict
from asterism.exploration.confirmation import Confirmed, NarrativeSummary
from asterism.exploration.event_log import Event, OnEvent
from asterism.exploration.exploration import SettingsChange
from asterism.exploration.models import Kind, Link, LinkItem, Node, NodeItem, RunSummary, Undone
from asterism.exploration.models import Loaded as ExplorationLoaded
from asterism.exploration.result import Exploration
from asterism.exploration.run import BeforeCommit
from asterism.exploration.writer import Progress
from asterism.maintenance.models import JobReport
from asterism.memories.corrected_ground import CorrectedGround
from asterism.memories.edges import Edge
from asterism.memories.evidence_rule import EvidenceRule
from asterism.memories.files.models import Format, ImportReport, Unknown
from asterism.memories.listing import Order
from asterism.memories.market.models import MarketLevel
from asterism.memories.memories import NO_LIMIT
from asterism.memories.models import (
    Forgotten,
    ForgottenMany,
    HistoryEntry,
    Memory,
    MessagesReceipt,
    Page,
    Proposal,
    Receipt,
)
from asterism.memories.text_writer import OnProgress
from asterism.memory_filter import Conditions, MemoryFilter
from asterism.metadata import Scalar
from asterism.private_files import PRIVATE
from asterism.realms import RealmDeleted, RealmStats, RealmSummary
from asterism.recall.certainty import Certainty
from asterism.recall.expectation_models import Expectation, ExpectationCheck
from asterism.recall.models import Recall, WhyNot
from asterism.recall.prompt import Prompt
from asterism.recall.recall import OnProgress as RecallOnProgress
from asterism.recall.results import SearchResult
from asterism.reembedding import OnProgress as OnStage
from asterism.reembedding import Reembedded
from asterism.settings import CausalParams, Settings
from asterism.settings.memories import Lasts
from asterism.stars.hypotheses import Hypothesis
from asterism.stars.models import (
    Connection,
    DayReport,
    EvidenceItem,
    Outcome,
    Star,
    StarSummary,
    TypeChange,
)
from asterism.stars.reflection import Reflection
from asterism.transfer.models import Exported, Loaded
from asterism.transfer.models import OnProgress as TransferOnProgress
from asterism.view.models import Chart, Subgraph, Timeline
from asterism.view.models import Page as ViewPage

Item = TypeVar("Item", covariant=True)

class Iteration(Iterator[Item]):
    """Items as they come. `close` stops before the end."""

    def __next__(self) -> Item: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class Stream(Iteration[Event]):
    """Events as they happen. The commit waits until the reader has read every event before it."""

    @property
    def dropped(self) -> int:
        """Number of events that a slow reader has missed."""
        ...
    def result(self) -> Exploration:
        """Read the events that are left, and return the exploration."""
        ...

class Embedding:
    """A realm's model: loaded on first use, named in the realm, never mixed with another."""

    def close(self) -> None:
        """Return the shared model, which the last graph of the process frees."""
        ...
    def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector a text, in order."""
        ...
    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector a text, in order, which claims no model for the realm."""
        ...
    def query(self, text: str) -> Vector:
        """Return the vector of a question, which claims no model for the realm."""
        ...
    def accepts(self, name: str) -> bool:
        """Tell whether vectors of a model can be used: this one's, or one that can be taken."""
        ...
    def forget(self) -> None:
        """Forget the calibration of a realm that was deleted or filled."""
        ...
    def replace(self, embedder: Embedder) -> None:
        """Take another model, whose vectors the realm has now."""
        ...
    def calibration(self) -> Calibration:
        """Return the stored calibration of this realm's model, which the first caller stores."""
        ...
    def peek(self) -> Calibration:
        """Return the same without storing anything, for what only reads."""
        ...
    def stored(self) -> Calibration | None:
        """Return the stored calibration, or None where no text was written yet."""
        ...

class Memories:
    """Texts and price levels: remember, observe, read, reinforce and forget them."""

    def observe(
        self,
        items: Iterable[Any],
        *,
        source: str,
        rule: EvidenceRule | None = None,
        on_progress: OnProgress | None = None,
    ) -> Receipt:
        """Apply items of evidence. When this returns, every accepted one is in the graph."""
        ...
    def decay_pass(self, at: Moment | None = None) -> None:
        """Commit the decay up to a time: later interactions build on what is left then."""
        ...
    def levels(
        self,
        symbol: str,
        *,
        near: Decimal | str | None = None,
        bps: float = 50,
        side: str | None = None,
        minimum: float = 0.0,
        at: Moment | None = None,
        limit: int = NO_LIMIT,
    ) -> list[MarketLevel]:
        """Return a symbol's levels, all or those near a price, strongest first."""
        ...
    def level(self, id: str, *, at: Moment | None = None) -> MarketLevel:
        """Return one price level, archived or not, as of a time."""
        ...
    def get(self, id: str, *, at: Moment | None = None) -> Memory:
        """Return one memory of any kind, as of a time."""
        ...
    def history(self, id: str, *, limit: int = 1000) -> list[HistoryEntry]:
        """Return the evidence of a memory with its updates and corrections, newest first."""
        ...
    def archive(self, at: Moment | None = None) -> int:
        """Mark memories that have faded below their end, and return how many."""
        ...
    def remember(
        self,
        text: str,
        *,
        tags: Sequence[str] = (),
        category: str = "",
        actor: str | None = None,
        session: str | None = None,
        speaker: str | None = None,
        about: str | None = None,
        at: Moment | None = None,
        id: str | None = None,
        lasts: Lasts | None = None,
        metadata: Mapping[str, Scalar] | None = None,
        valid_from: Moment | None = None,
        valid_to: Moment | None = None,
        language: str | None = None,
    ) -> Memory:
        """Remember a text, which waits for consolidation. The same again is the same memory."""
        ...
    def remember_many(
        self, items: Iterable[Any], *, on_progress: OnProgress | None = None
    ) -> Receipt:
        """Remember thousands of texts in batches: plain words, or items with fields."""
        ...
    def remember_messages(
        self,
        messages: Iterable[Any],
        *,
        session: str,
        at: Moment | None = None,
        roles: Sequence[str] = ("user", "assistant"),
        tags: Sequence[str] = (),
        category: str = "message",
        actor: str | None = None,
        lasts: Lasts | None = None,
        metadata: Mapping[str, Scalar] | None = None,
        on_progress: OnProgress | None = None,
    ) -> MessagesReceipt:
        """Remember messages of a conversation, as chat APIs have them, in their order."""
        ...
    def import_file(
        self,
        path: str | PathLike[str],
        *,
        format: Format | None = None,
        source: str | None = None,
        session: str | None = None,
        text_column: str | None = None,
        unknown: Unknown = "metadata",
        split_above: int = 2000,
        tags: Sequence[str] = (),
        category: str = "",
        actor: str | None = None,
        lasts: Lasts | None = None,
        forget_missing: bool = False,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
    ) -> ImportReport:
        """Remember what a file holds: JSON lines, CSV, Markdown, or a folder of Markdown files."""
        ...
    def update(
        self,
        id: str,
        *,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        category: str | None = None,
        about: str | None = None,
        speaker: str | None = None,
        lasts: Lasts | None = None,
        metadata: Mapping[str, Scalar] | None = None,
    ) -> Memory:
        """Give a text another content under its id. What it was stays in its history."""
        ...
    def correct(
        self,
        old: str,
        text: str,
        *,
        valid_from: Moment | None = None,
        reason: str | None = None,
        tags: Sequence[str] | None = None,
        category: str | None = None,
        actor: str | None = None,
        session: str | None = None,
        speaker: str | None = None,
        about: str | None = None,
        at: Moment | None = None,
        id: str | None = None,
        lasts: Lasts | None = None,
        metadata: Mapping[str, Scalar] | None = None,
    ) -> Memory:
        """Remember what is true now in the place of a memory, which stays as history."""
        ...
    def supersede(
        self, old: str, new: str, *, at: Moment | None = None, reason: str | None = None
    ) -> Memory:
        """Make one text the successor of another, and return the successor."""
        ...
    def unsupersede(self, old: str) -> Memory:
        """Take back that a memory was superseded, and return it. Twice changes nothing."""
        ...
    def corrected_ground(self, id: str | None = None, *, limit: int = 100) -> list[CorrectedGround]:
        """Return what stands on a superseded memory, or on any, and was not confirmed since."""
        ...
    def confirm(self, old: str) -> int:
        """Confirm what stands on a superseded memory, and return how much that was."""
        ...
    def reinforce(
        self,
        id: str,
        kind: str = "recall",
        *,
        quantity: float = 1.0,
        at: Moment | None = None,
        event_id: str | None = None,
    ) -> Memory:
        """Record the use of a text: recall, repetition, confirmation, contradiction or outcome."""
        ...
    def connect(self, a: str, b: str, type: str, *, weight: float | None = None) -> Edge:
        """Draw an edge between memories: SUPPORTS, CONTRADICTS, ELABORATES or OUTCOME."""
        ...
    def proposals(self, *, limit: int = 100, state: str | None = "open") -> list[Proposal]:
        """Return texts that may say what holds now in the place of others, the surest first."""
        ...
    def accept(self, id: str) -> Proposal:
        """Accept a proposal: its new text supersedes the old one. Twice changes nothing."""
        ...
    def dismiss(self, id: str) -> Proposal:
        """Dismiss a proposal: both texts hold, and it is never proposed again."""
        ...
    def forget(self, id: str) -> Forgotten:
        """Remove a memory with everything that names it, its vector too, and check that."""
        ...
    def forget_where(
        self,
        *,
        dry_run: bool = True,
        on_progress: OnProgress | None = None,
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> ForgottenMany:
        """Count the texts that pass a filter, and with `dry_run=False` remove all of them."""
        ...
    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Order = "newest",
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> Page:
        """Return a page of the text memories that pass a filter, archived ones as well."""
        ...
    def each(
        self,
        *,
        order: Order = "newest",
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> Iteration[Memory]:
        """Yield every text memory that passes a filter, in the order of `list`."""
        ...
    def count(self, *, filter: MemoryFilter | None = None, **conditions: Unpack[Conditions]) -> int:
        """Return how many text memories pass a filter, archived ones as well."""
        ...

class Realms:
    """The realms of a server, of which a graph itself sees only its own."""

    def list(self) -> list[RealmSummary]:
        """Return every realm, by name."""
        ...
    def require(self, name: str) -> None:
        """Refuse the name of an absent realm, and name the most similar ones."""
        ...
    def stats(self, name: str | None = None) -> RealmStats:
        """Count nodes by label and relationships by type, of this realm or a named one."""
        ...
    def delete(
        self, name: str, *, on_progress: Callable[[int], None] | None = None
    ) -> RealmDeleted:
        """Delete all of a realm, in batches. Interrupted, it stays listed: repeat the call."""
        ...
    def export(
        self,
        file: str | PathLike[str],
        *,
        name: str | None = None,
        on_progress: TransferOnProgress | None = None,
        mode: int = PRIVATE,
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> Exported:
        """Write this realm or a named one to a file of JSON lines, packed if it ends in .gz."""
        ...
    def load(
        self,
        file: str | PathLike[str],
        *,
        name: str | None = None,
        on_progress: TransferOnProgress | None = None,
    ) -> Loaded:
        """Fill this realm or a named one, which has to be empty, from an exported file."""
        ...
    def reembed(
        self, model: str | EmbeddingEmbedder, *, on_progress: OnStage | None = None
    ) -> Reembedded:
        """Replace all vectors of this graph's realm by those of another model."""
        ...

class Stars:
    """The stars of a realm, and their connections."""

    def add(
        self,
        name: str,
        *,
        domain: str,
        id: str | None = None,
        constellation: str = "default",
        brightness: float | None = None,
        state: str = "FLICKERING",
        created_at: clock.Moment | None = None,
        aliases: Iterable[str] = (),
        description: str = "",
    ) -> Star:
        """Add a star, by default with a brightness of 0.3, or 0.1 for a NASCENT one."""
        ...
    def update(
        self,
        id: str,
        *,
        name: str | None = None,
        aliases: Iterable[str] | None = None,
        description: str | None = None,
    ) -> Star:
        """Give a star another name, other aliases or another description. None stays as it is."""
        ...
    def get(self, id: str) -> Star:
        """Return a star, with its brightness of now."""
        ...
    def remove(self, id: str) -> None:
        """Remove a star, and archive its connections."""
        ...
    def engage(
        self,
        id: str,
        gains: Iterable[float] = (),
        losses: float | Iterable[float] = 0.0,
        at: clock.Moment | None = None,
    ) -> Star:
        """Engage a star, add gains and losses to its own day, and wake it if it sleeps."""
        ...
    def acknowledge(self, id: str) -> Star:
        """Acknowledge a proposed star: NASCENT becomes FLICKERING, at 0.3."""
        ...
    def flag_dark(self, id: str) -> Star:
        """Flag a star as an anti-pattern: it turns DARK, its connections SHADOW_MIRROR."""
        ...
    def contradict(self, id: str) -> Star:
        """Record that the user's acts contradict a star, which the third time turns it DARK."""
        ...
    def confront(self, id: str, kind: str) -> Star:
        """Confront a DARK star, which is integrated and turns DIM with a score of 1."""
        ...
    def evidence(
        self,
        a: str,
        b: str,
        type: str,
        *,
        source: str,
        at: clock.Moment | None = None,
        id: str | None = None,
        secondary: bool = False,
        memory: str | None = None,
        intent: str | None = None,
    ) -> Connection:
        """Give evidence for a connection, and create it if the rule for the type says so."""
        ...
    def evidence_many(
        self, items: Iterable[EvidenceItem | dict[str, Any]]
    ) -> list[Outcome | Conflict]:
        """Give much evidence in batches of one transaction each, and return the outcomes in order."""
        ...
    def connect(
        self, a: str, b: str, type: str | None = None, at: clock.Moment | None = None
    ) -> Connection:
        """Connect two stars at the user's word, with a type or without, or wake them."""
        ...
    def disconnect(self, a: str, b: str) -> Connection | None:
        """Deny a connection at the user's word, and return None if that ended it."""
        ...
    def retire(self, a: str, b: str) -> Connection:
        """Put a connection to sleep at the user's word, until there is new evidence."""
        ...
    def assign_type(self, a: str, b: str, type: str) -> Connection:
        """Assign the user's type to a connection, where `a` acts on `b` if it is directed."""
        ...
    def hypotheses(self, limit: int = 10) -> list[Hypothesis]:
        """Propose pairs that are not connected, best first, each with its reasons."""
        ...
    def reflect(
        self, *, apply: bool = False, since: clock.Moment | None = None, limit: int = 1000
    ) -> Reflection:
        """Propose evidence from texts and intents that mention two stars by a name or an alias."""
        ...
    def confirm(self, a: str, b: str) -> Connection:
        """Confirm a hypothesis: the pair gets evidence of the type tars_confirmed."""
        ...
    def connection(self, a: str, b: str) -> Connection | None:
        """Return the connection of two stars in either order, or None."""
        ...
    def connections(self, star: str, *, limit: int = 20) -> list[Connection]:
        """Return a star's connections, strongest first."""
        ...
    def why(self, a: str, b: str) -> results.Why:
        """Return the evidence for a connection with its gains, and the changes since."""
        ...
    def history(self, a: str, b: str) -> results.History:
        """Return the changes, weekly strengths and earlier connections of a pair."""
        ...
    def fading(self, limit: int = 20) -> list[results.Fading]:
        """Return the connections that sleep next if nothing happens, soonest first."""
        ...
    def blockers(self, star: str) -> list[results.Blocker]:
        """Return the blocks of a star, with the ceiling and the end of each."""
        ...
    def influences(self, star: str) -> list[results.Influence]:
        """Return the neighbours that drained or lifted a star at its last close."""
        ...
    def predictions(
        self, *, status: str | None = None, star: str | None = None, limit: int = 50
    ) -> list[results.Prediction]:
        """Return predictions, latest first."""
        ...
    def hit_rates(self) -> list[results.HitRate]:
        """Return the share of right predictions of each causal connection."""
        ...
    def what_if(self, star: str, delta: float, hops: int = 3) -> list[results.Ripple]:
        """Return what a change of a star's brightness would do to others, without writing."""
        ...
    def loops(self, limit: int = 20) -> list[results.Loop]:
        """Return cycles of up to three directed connections, strongest first."""
        ...
    def overview(self) -> results.Overview:
        """Return figures about all stars."""
        ...
    def verify(self) -> list[results.Offence]:
        """Return violations of rules that must always hold, none if all is well."""
        ...
    def close_day(self, day: date, *, max_days: int | None = None) -> DayReport:
        """Close a day, and any before it that are still open. Closing twice changes nothing."""
        ...
    def reopen(self, day: date) -> DayReport:
        """Undo the closes of this day and all after it, which a wrong clock has made."""
        ...
    def evaluate_types(self, day: date) -> list[TypeChange]:
        """Review the types of connections that are due, as the daily close does."""
        ...
    def archive(self) -> int:
        """Archive connections that never got past NASCENT and have slept for 60 days (D-23)."""
        ...
    def list(
        self, *, constellation: str | None = None, state: str | None = None, limit: int = 100
    ) -> list[StarSummary]:
        """Return stars, brightest first."""
        ...

class Causality:
    """Causal links of recorded sessions."""

    def record(
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
        on_progress: CausalityOnProgress | None = None,
        replace: bool = False,
        remember_session: bool = False,
        at: Moment | None = None,
        **keep: bool | None,
    ) -> CausalReport:
        """Extract a session's links and store them: a repeated call changes nothing."""
        ...
    def links(
        self,
        session_id: str,
        *,
        actor: str | None = None,
        strength: Strength | str | None = None,
        max_line_gap: int | None = None,
        event: str | None = None,
    ) -> list[CausalLink]:
        """Return a session's links by line, with `max_line_gap` only claimed ones within it."""
        ...
    def chain(self, intent_id: str, *, depth: int = 12, limit: int = 25) -> list[Chain]:
        """Return what followed from an intent or consequence, longest branches first."""
        ...
    def causes(self, id: str, *, depth: int = 12, limit: int = 25) -> list[Chain]:
        """Return what led to an intent or consequence, across players, longest branches first."""
        ...
    def find(
        self,
        query: str,
        *,
        k: int = 5,
        session_id: str | None = None,
        depth: int = 8,
        limit: int = 3,
        on_progress: OnEmbedded | None = None,
    ) -> list[CausalAnswer]:
        """Return where a question in words points, best first, with the chains that end there."""
        ...
    def embed(self, *, on_progress: OnEmbedded | None = None) -> int:
        """Embed recorded lines that have no vector yet, and return how many got one."""
        ...
    def metrics(self, session_id: str | None = None) -> Metrics:
        """Return the measures of one session, or of all of them, counted in the graph."""
        ...
    def trace(self, session_id: str) -> str:
        """Return the transcript with every decision under its intent, as text."""
        ...
    def trace_document(self, session_id: str) -> dict[str, Any]:
        """Return the trace as plain data, for machines."""
        ...
    def assign_events(self, session_id: str, events: Iterable[Any]) -> int:
        """Store the event that owns each intent and consequence, and return how many are owned."""
        ...
    def events(self, session_id: str) -> list[CausalityEvent]:
        """Return the events that were assigned to a session."""
        ...
    def sessions(self) -> list[SessionSummary]:
        """Return every recorded session."""
        ...
    def forget(self, session_id: str, *, memories: bool = False) -> CausalityForgotten:
        """Delete a session's intents, consequences and lines, also after an interrupted call."""
        ...

class Search:
    """The right memories for a question, with the reason."""

    def find(
        self,
        query: str,
        *,
        k: int = 10,
        at: Moment | None = None,
        archived: bool = False,
        minimum: Certainty | str | None = None,
        touch: bool = False,
        causes: bool = False,
        on_progress: RecallOnProgress | None = None,
        filter: MemoryFilter | None = None,
        **conditions: Unpack[Conditions],
    ) -> Recall:
        """Return the memories that answer a question, best first, each with its reason."""
        ...
    def ranked(self, query: str, k: int, vector: Sequence[float]) -> SearchResult:
        """Return the first k hits as rows, of a question whose vector is at hand."""
        ...
    def context(
        self, query: str, *, tokens: int = 1000, k: int = 30, touch: bool = True, **options: Any
    ) -> str:
        """Return the hits as text for a prompt, in time order, cut to a budget of tokens."""
        ...
    def prompt(
        self, query: str, *, tokens: int = 1000, k: int = 30, touch: bool = True, **options: Any
    ) -> Prompt:
        """Return the same as `context`, with its lines, ids and the count of what did not fit."""
        ...
    def why_not(self, query: str, id: str, *, k: int = 10, **options: Any) -> WhyNot:
        """Return rank and parts of a memory for a question, and what it lacks for the first k."""
        ...
    def touch(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Record that memories were used, once an hour each, and return warnings if that failed."""
        ...
    def expect(
        self,
        question: str,
        must: Sequence[str] = (),
        must_not: Sequence[str] = (),
        *,
        k: int = 5,
        **filter: Any,
    ) -> Expectation:
        """Pin a question with the memories that must, and must not, be among its first `k` hits."""
        ...
    def expectations(self) -> list[Expectation]:
        """Return the pinned questions, oldest first, with what was recorded of them."""
        ...
    def unexpect(self, id: str) -> None:
        """Remove a pinned question."""
        ...
    def check(self) -> list[ExpectationCheck]:
        """Ask the pinned questions, and return which hold, with ranks now and before, and why."""
        ...

class Consolidation:
    """Turns memories that wait into connected ones."""

    def consolidate(
        self,
        limit: int | None = None,
        *,
        dry_run: bool = False,
        on_progress: ConsolidationOnProgress | None = None,
    ) -> ConsolidationReport:
        """Consolidate what waits, or the first so many, until nothing waits any more."""
        ...
    def rebuild(self, *, on_progress: ConsolidationOnProgress | None = None) -> ConsolidationReport:
        """Score everything consolidated again, as if it had come in one batch."""
        ...
    def explain(self, a: str, b: str) -> EdgeExplanation:
        """Return why two memories are joined or not: every part, the limit, the run."""
        ...
    def edges(
        self,
        memory: str,
        *,
        types: Iterable[str] | None = None,
        minimum: float = 0.0,
        limit: int = 100,
    ) -> list[Edge]:
        """Return a memory's edges by what is left of their weight, strongest first."""
        ...
    def prune(self, at: Moment | None = None) -> int:
        """Remove automatic edges that have faded below the least weight, and return how many."""
        ...
    def seen_together(self, ids: Iterable[str], *, session: str) -> CoOccurrence:
        """Count an edge of memories that came up together as used, and stage pairs without one."""
        ...

class Explorer:
    """Explorations of one realm."""

    def add(
        self,
        kind: Kind | str,
        name: str,
        *,
        id: str | None = None,
        content: str = "",
        synthesis: str = "",
        embedding: Sequence[float] | None = None,
        permanence: float = 0.5,
        weight: float = 1.0,
        energy: float = 0.0,
        **more: Any,
    ) -> Node:
        """Add a node to walk on. `type` and `status` are accepted too."""
        ...
    def link(
        self,
        a: str,
        b: str,
        *,
        id: str | None = None,
        synthesis: str = "",
        embedding: Sequence[float] | None = None,
        polarity: tuple[float, float] = (0.5, 0.5),
        hierarchy: float = 0.0,
        permanence: float | None = 0.5,
        weight: float = 1.0,
        energy: float = 0.0,
        labels: tuple[str | None, str | None] = (None, None),
        **emotions: float,
    ) -> Link:
        """Link two nodes. joy_sadness, trust_disgust, fear_anger, surprise_anticipation are -1..1."""
        ...
    def load(
        self,
        nodes: Iterable[NodeItem | Mapping[str, Any]] = (),
        links: Iterable[LinkItem | Mapping[str, Any]] = (),
        *,
        on_progress: Progress | None = None,
    ) -> ExplorationLoaded:
        """Add thousands of nodes and links, calling `on_progress("nodes", count, total)`."""
        ...
    def explore(
        self,
        actor: str | None,
        query: str,
        intention: str | None = None,
        *,
        mode: str | None = None,
        keep: bool = False,
        query_embedding: Sequence[float] | None = None,
        intention_embedding: Sequence[float] | None = None,
        start: str | None = None,
        start_label: str | None = None,
        dry_run: bool = False,
        timeout: float | None = None,
        settings: SettingsChange = None,
        on_event: OnEvent | None = None,
        run_id: str | None = None,
        cancel: asyncio.Event | None = None,
        before_commit: BeforeCommit | None = None,
    ) -> Exploration:
        """Find what answers a question, what joins the findings, and what lies around them."""
        ...
    def confirm(self, run_id: str, ids: Sequence[str]) -> Confirmed:
        """Confirm memories as the answer to the question of a run, which lifts them in recall."""
        ...
    def unconfirm(self, run_id: str, ids: Sequence[str] | None = None) -> Confirmed:
        """Withdraw confirmations of the question of a run, all of them without ids."""
        ...
    def narratives(self, limit: int = 20) -> list[NarrativeSummary]:
        """Return the answers that explorations wrote and people confirmed, newest first."""
        ...
    def stream(
        self, actor: str | None, query: str, intention: str | None = None, **options: Any
    ) -> Stream:
        """Explore, as an async iterator of events. Its `result()` is the exploration."""
        ...
    def runs(self, limit: int = 20) -> list[RunSummary]:
        """Return the latest explorations that were committed, newest first."""
        ...
    def undo(self, run_id: str) -> Undone:
        """Restore what a run changed, except where something has changed it since."""
        ...

class Maintenance:
    """Runs jobs: twice, from two places at once or never, the graph stays right."""

    def run(self, job: str | None = None, *, at: Moment | None = None) -> list[JobReport]:
        """Run one job, or all in their order, even if one of them fails."""
        ...
    def each(self, job: str | None = None, *, at: Moment | None = None) -> Iteration[JobReport]:
        """Run jobs, and yield each report as soon as its job has ended."""
        ...
    def history(self, limit: int = 20) -> list[JobReport]:
        """Return the latest runs, newest first, those of killed processes as broken off."""
        ...

class View:
    """Pictures and charts of a graph."""

    def look(
        self, kind: str | None = None, id: str | None = None, *, limit: int | None = None
    ) -> Subgraph:
        """Return the nodes around a star or a memory, or of a run or a session."""
        ...
    def html(
        self,
        kind: str | None = None,
        id: str | None = None,
        *,
        file: str | PathLike[str] | None = None,
        limit: int | None = None,
    ) -> ViewPage:
        """Return what `look` returns as an interactive page, and write it to a named file."""
        ...
    def chart(
        self,
        kind: str,
        id: str,
        *,
        file: str | PathLike[str] | None = None,
        limit: int | None = None,
    ) -> Chart:
        """Return what `timeline` returns as an SVG, and write it to a file if one is named."""
        ...
    def timeline(self, kind: str, id: str, *, limit: int | None = None) -> Timeline:
        """Return the strength of a star's connections, or of a price level, over time."""
        ...

class Graph:
    """One realm of a knowledge graph, whose methods wait for their results."""

    asynchronous: async_graph.Graph
    realm: str
    uri: str
    clock: Clock
    settings: Settings
    embedding: Embedding
    memories: Memories
    realms: Realms
    stars: Stars
    causality: Causality
    recall: Search
    consolidation: Consolidation
    exploration: Explorer
    maintenance: Maintenance
    view: View
    @classmethod
    def open(
        cls,
        uri: str | None = None,
        *,
        auth: tuple[str, str] | None = None,
        database: str | None = None,
        realm: str = "default",
        settings: Settings | Mapping[str, Any] | None = None,
        embedder: EmbeddingEmbedder | str | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """Return a graph to enter with `async with`, or to await and close by hand."""
        ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
