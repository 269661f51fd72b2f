"""An extraction as rows for the graph: one list for each statement that writes."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel

from engine.causality import chains, identity, rows
from engine.causality.allocation import Decision
from engine.causality.events import precedence
from engine.causality.extract import inputs_of
from engine.causality.extraction import Extraction
from engine.causality.model import CausalLink, ConsequenceType
from engine.causality.transcript import Event, GivenIntent, Line, Strength, Transcript
from engine.frozen import Frozen
from engine.settings import CausalitySettings

Row = dict[str, Any]
T = TypeVar("T")
SESSION_PROPERTIES = (
    "run_id",
    "kernel_version",
    "params",
    "options",
    "dm",
    "roster",
    "masks",
    "given",
    "events",
    "lines",
    "dm_lines",
    "eligible_lines",
    "intents",
    "claimed",
    "consequences",
    "prompts",
    "utterances",
    "dropped",
    "recorded_at",
    "opening",
    "first_line",
    "last_line",
)


class Options(Frozen):
    """What of a session is kept."""

    utterances: bool
    unclaimed_weak: bool
    prompts: bool
    prompts_within: int
    embed: bool

    @classmethod
    def of(cls, settings: CausalitySettings, **wanted: bool | None) -> "Options":
        """As asked for; what is not asked for is as the settings have it."""
        standing = {
            "utterances": settings.utterances,
            "unclaimed_weak": settings.unclaimed_weak,
            "prompts": settings.prompts,
            "prompts_within": settings.prompts_within,
            "embed": settings.embed,
        }
        asked = {name: value for name, value in wanted.items() if value is not None}
        return cls(**{**standing, **asked})


@dataclass(frozen=True)
class Recording:
    """One session, about to be written."""

    transcript: Transcript
    extraction: Extraction
    given: list[GivenIntent] | None
    options: Options
    events: list[Event] | None  # None: whatever events the session has
    at: datetime

    @property
    def session_id(self) -> str:
        return self.transcript.session_id

    @cached_property
    def run_id(self) -> str:
        """The run, and what is kept of it: another choice is another run."""
        inputs = inputs_of(self.transcript, self.extraction.params, self.given)
        return identity.run_id(
            identity.transcript_hash(self.transcript.lines),
            identity.mask_hash(self.transcript.masks),
            inputs | {"kept": self.options.model_dump(mode="json")},
        )

    @cached_property
    def kept(self) -> list[tuple[CausalLink, Decision]]:
        """Links to be stored, with their decisions."""
        pairs = zip(self.extraction.links, self.extraction.decisions, strict=True)
        return [pair for pair in pairs if self._keeps(pair[0])]

    def _keeps(self, link: CausalLink) -> bool:
        dropped = not link.claimed and link.intent_strength is Strength.WEAK
        return self.options.unclaimed_weak or not dropped

    def actors(self) -> list[Row]:
        """The players who attempted something."""
        names = {player.id: player.name for player in self.transcript.players}
        ids = sorted({link.actor for link, _ in self.kept})
        return [{"id": id, "name": names.get(id, id)} for id in ids]

    def intents(self) -> list[Row]:
        """One row an intent."""
        owners = precedence(self.events or ())
        return [rows.intent(link, decision, owners) for link, decision in self.kept]

    def consequences(self) -> list[Row]:
        """One row a claimed DM line."""
        bidders = Counter(
            decision.top.line for decision in self.extraction.decisions if decision.top
        )
        fanout = Counter(link.consequence_anchor_index for link, _ in self.kept)
        owners = precedence(self.events or ())
        return [
            rows.consequence(
                self.session_id,
                line,
                type,
                (fanout[line.line_index], bidders[line.line_index]),
                owners,
            )
            for line, type in self._claimed()
        ]

    def _claimed(self) -> list[tuple[Line, ConsequenceType]]:
        """Every claimed line once, in order."""
        found = {
            decision.chosen.position: link.consequence_type
            for link, decision in self.kept
            if decision.chosen
        }
        return [(self.transcript.lines[at], type) for at, type in sorted(found.items())]

    def causes(self) -> list[Row]:
        """One row a claimed link, with every part of the score."""
        return [rows.cause(link, decision) for link, decision in self.kept if link.claimed]

    def prompts(self) -> list[Row]:
        """One row a derived link from a consequence to the intent it prompted."""
        if not self.options.prompts:
            return []
        links = [link for link, _ in self.kept]
        return [
            {
                "consequence_id": identity.consequence_id(self.session_id, found.consequence_index),
                "intent_id": identity.intent_id(self.session_id, found.intent_index),
                "line_gap": found.line_gap,
            }
            for found in chains.prompts(links, self.options.prompts_within)
        ]

    def utterances(self) -> Iterator[Row]:
        """One row a line, if lines are kept."""
        for line in self.transcript.lines if self.options.utterances else ():
            yield rows.utterance(self.session_id, line)

    def anchors(self) -> Iterator[Row]:
        """Which line each intent and consequence was said in."""
        if not self.options.utterances:
            return
        for link, _ in self.kept:
            yield self._anchor(link.id, link.intent_anchor_index)
        for line, _ in self._claimed():
            id = identity.consequence_id(self.session_id, line.line_index)
            yield self._anchor(id, line.line_index)

    def _anchor(self, id: str, index: int) -> Row:
        return {"id": id, "utterance_id": identity.utterance_id(self.session_id, index)}

    def texts(self) -> Iterator[Row]:
        """What may have to be embedded."""
        for link, _ in self.kept:
            yield {"label": "Intent", "id": link.id, "text": link.intent_text}
        for line, _ in self._claimed():
            id = identity.consequence_id(self.session_id, line.line_index)
            yield {"label": "Consequence", "id": id, "text": line.content}

    @cached_property
    def totals(self) -> Row:
        """What is noted on the session, so that a repeated recording has nothing to do."""
        found = self.extraction
        return {
            "run_id": self.run_id,
            "kernel_version": found.kernel_version,
            **self._inputs(),
            "lines": found.lines,
            "dm_lines": found.dm_lines,
            "eligible_lines": found.eligible_lines,
            "intents": len(self.kept),
            "claimed": found.metrics.claimed,
            "consequences": found.metrics.consequences,
            "prompts": len(self.prompts()),
            "utterances": found.lines if self.options.utterances else 0,
            "dropped": identity.canonical(self._dropped()),
        }

    @property
    def extent(self) -> Row:
        """Return where the lines begin and end, with a hash of each of the first ones."""
        lines = self.transcript.lines
        return {
            "opening": identity.opening(lines),
            "first_line": lines[0].line_index,
            "last_line": lines[-1].line_index,
        }

    def _inputs(self) -> Row:
        given = None if self.given is None else [g.model_dump(mode="json") for g in self.given]
        return {
            "params": identity.canonical(self.extraction.params.model_dump(mode="json")),
            "options": identity.canonical(self.options.model_dump(mode="json")),
            "dm": sorted(self.transcript.dm),
            "roster": _listed(self.transcript.players),
            "masks": _listed(self.transcript.masks),
            "given": None if given is None else identity.canonical(given),
            "events": _listed(self.events or ()),
        }

    def _dropped(self) -> list[list[Any]]:
        """Weak intents that are only counted: strength, type, reason, how many."""
        pairs = zip(self.extraction.links, self.extraction.decisions, strict=True)
        counts = Counter(
            (link.intent_strength.value, link.intent_type.value, decision.reason.value)
            for link, decision in pairs
            if not self._keeps(link)
        )
        return [[*key, count] for key, count in sorted(counts.items())]


def transcript_of(session_id: str, session: Row, lines: Iterable[Row]) -> Transcript:
    """The transcript that was recorded, from what is stored of it."""
    return Transcript(
        session_id=session_id,
        lines=list(lines),
        dm=session["dm"],
        players=json.loads(session["roster"]),
        masks=json.loads(session["masks"]),
    )


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Items in lists of at most `size`."""
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _listed(items: Iterable[BaseModel]) -> str:
    return identity.canonical([item.model_dump(mode="json") for item in items])
