"""One session to be recorded: its rows for each statement, and its report."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from pydantic import BaseModel, Field

from asterism.base_model import Frozen
from asterism.causality import chains, identity, rows
from asterism.causality.allocation import Decision
from asterism.causality.chains import Prompt
from asterism.causality.event_ownership import link_events, precedence_order
from asterism.causality.extraction import Extraction
from asterism.causality.kernel import run_inputs
from asterism.causality.models import CausalLink, Metrics, RememberedLines, Replaced
from asterism.causality.options import Options
from asterism.causality.rows import Row, SessionRow
from asterism.causality.transcripts import line_text
from asterism.causality.transcripts.language_rules import rule_set
from asterism.causality.transcripts.models import (
    ConsequenceType,
    Event,
    GivenIntent,
    Line,
    Strength,
    Transcript,
)


class CausalReport(Frozen):
    """Counts and measures of a recording."""

    session_id: str
    run_id: str
    changed: bool  # False: this very run was there already, and nothing was written
    replaced: Replaced | None  # the recording that was there before, if it is another one
    players: list[str]
    players_named: bool  # False: none were named, so everybody but the DM plays
    lines: int
    dm_lines: int
    eligible_share: float | None
    intents: int
    claimed: int
    consequences: int
    prompts: int
    utterances: int
    unembedded: int  # texts that get their vectors before the next question
    remembered: RememberedLines | None = None  # if its lines were to be remembered
    events: list[Event]
    metrics: Metrics
    extraction: Extraction = Field(exclude=True, repr=False)

    @property
    def links(self) -> list[CausalLink]:
        """Every link of the extraction, with its events."""
        return link_events(self.extraction.links, self.events)


@dataclass(frozen=True)
class Recording:
    """One session about to be written, as rows for the statements that write it."""

    transcript: Transcript
    extraction: Extraction
    given_intents: list[GivenIntent] | None
    options: Options
    events: list[Event] | None  # None: the events that the session has
    at: datetime

    @property
    def session_id(self) -> str:
        return self.transcript.session_id

    @cached_property
    def run_id(self) -> str:
        """Id of the run and of the options: other options are another run."""
        inputs = run_inputs(self.transcript, self.extraction.params, self.given_intents)
        return identity.run_id(
            identity.transcript_hash(self.transcript.lines),
            identity.mask_hash(self.transcript.masks),
            inputs | {"kept": self.options.model_dump(mode="json")},
        )

    @cached_property
    def stored_links(self) -> list[tuple[CausalLink, Decision]]:
        """Links to be stored, with their decisions."""
        return [pair for pair in self._links() if not self._is_dropped(pair[0])]

    def actors(self) -> list[Row]:
        """Return one row for each player who attempted something."""
        names = {player.id: player.name for player in self.transcript.players}
        ids = sorted({link.actor for link, _ in self.stored_links})
        return [{"id": id, "name": names.get(id, id)} for id in ids]

    def intents(self) -> list[Row]:
        """Return one row for each stored intent."""
        events = precedence_order(self.events or ())
        return [rows.intent_row(link, decision, events) for link, decision in self.stored_links]

    def consequences(self) -> list[Row]:
        """Return one row for each claimed DM line."""
        decisions = self.extraction.decisions
        bids = Counter(decision.top.line for decision in decisions if decision.top)
        fanout = Counter(link.consequence_anchor_index for link, _ in self.stored_links)
        events = precedence_order(self.events or ())
        return [
            rows.consequence_row(
                self.session_id,
                line,
                type,
                fanout=fanout[line.line_index],
                bid_count=bids[line.line_index],
                events=events,
            )
            for line, type in self._claimed_lines()
        ]

    def causes(self) -> list[Row]:
        """Return one row for each claimed link."""
        pairs = self.stored_links
        return [rows.cause_row(link, decision) for link, decision in pairs if link.claimed]

    def prompts(self) -> list[Row]:
        """Return one row for each derived link from a consequence to the intent it prompted."""
        return [
            {
                "consequence_id": self._consequence_id(prompt.consequence_index),
                "intent_id": identity.intent_id(self.session_id, prompt.intent_index),
                "line_gap": prompt.line_gap,
                "reason": prompt.reason.value,
                "shared_words": list(prompt.shared_words) or None,
            }
            for prompt in self._prompts
        ]

    @cached_property
    def _prompts(self) -> list[Prompt]:
        if not self.options.prompts:
            return []
        links = [link for link, _ in self.stored_links]
        params, within = self.extraction.params, self.options.prompts_within
        if not params.across_actors:
            return chains.prompts(links, within)
        stop_words = rule_set(params.rules).stop_words
        names = {each.id: (each.name, *each.aliases) for each in self.transcript.players}
        return chains.prompts_across_actors(
            links, within, names, lambda text: line_text.tokens(text) - stop_words
        )

    def utterances(self) -> Iterator[Row]:
        """Yield one row for each line, if lines are stored."""
        for line in self.transcript.lines if self.options.utterances else ():
            yield rows.utterance_row(self.session_id, line)

    def anchors(self) -> Iterator[Row]:
        """Yield the line of each intent and consequence, if lines are stored."""
        for id, index in self.node_lines.items() if self.options.utterances else ():
            yield {"id": id, "utterance_id": identity.utterance_id(self.session_id, index)}

    @property
    def node_lines(self) -> dict[str, int]:
        """The line of each stored intent and consequence, by id."""
        indices = {link.id: link.intent_anchor_index for link, _ in self.stored_links}
        lines = [line.line_index for line, _ in self._claimed_lines()]
        return indices | {self._consequence_id(index): index for index in lines}

    @cached_property
    def totals(self) -> Row:
        """Properties of the session by which a repeated recording finds nothing to do."""
        extraction, intents = self.extraction, self.given_intents
        return {
            "run_id": self.run_id,
            "kernel_version": extraction.kernel_version,
            "params": identity.canonical_json(extraction.params.model_dump(mode="json")),
            "options": identity.canonical_json(self.options.model_dump(mode="json")),
            "dm": sorted(self.transcript.dm),
            "roster": _json_list(self.transcript.players),
            "masks": _json_list(self.transcript.masks),
            "given_intents": None if intents is None else _json_list(intents),
            "events": _json_list(self.events or ()),
            "lines": extraction.lines,
            "dm_lines": extraction.dm_lines,
            "eligible_lines": extraction.eligible_lines,
            "intents": len(self.stored_links),
            "claimed": extraction.metrics.claimed,
            "consequences": extraction.metrics.consequences,
            "prompts": len(self.prompts()),
            "utterances": extraction.lines if self.options.utterances else 0,
            "dropped_intents": identity.canonical_json(self._dropped_intents()),
        }

    @property
    def extent(self) -> Row:
        """The first and the last line, with a hash of each of the first lines."""
        lines = self.transcript.lines
        return {
            "opening": identity.opening(lines),
            "first_line": lines[0].line_index,
            "last_line": lines[-1].line_index,
        }

    def _links(self) -> Iterable[tuple[CausalLink, Decision]]:
        return zip(self.extraction.links, self.extraction.decisions, strict=True)

    def _is_dropped(self, link: CausalLink) -> bool:
        weak = not link.claimed and link.intent_strength is Strength.WEAK
        return weak and not self.options.unclaimed_weak

    def _dropped_intents(self) -> list[list[Any]]:
        """Return strength, type, reason, number and actor of the weak intents not stored."""
        counts = Counter(
            (link.intent_strength.value, link.intent_type.value, decision.reason.value, link.actor)
            for link, decision in self._links()
            if self._is_dropped(link)
        )
        return [[*group, count, actor] for (*group, actor), count in sorted(counts.items())]

    def _claimed_lines(self) -> list[tuple[Line, ConsequenceType]]:
        """Return every claimed line once, in order, with its type."""
        types = {
            decision.chosen.position: link.consequence_type
            for link, decision in self.stored_links
            if decision.chosen
        }
        return [(self.transcript.lines[at], type) for at, type in sorted(types.items())]

    def _consequence_id(self, index: int) -> str:
        return identity.consequence_id(self.session_id, index)


def recorded_transcript(session_id: str, session: SessionRow, lines: Iterable[Row]) -> Transcript:
    """Return the transcript of a recorded session from its stored inputs and lines."""
    return Transcript(
        session_id=session_id,
        lines=list(lines),
        dm=session.dm,
        players=json.loads(session.roster),
        masks=json.loads(session.masks),
    )


def _json_list(items: Iterable[BaseModel]) -> str:
    return identity.canonical_json([item.model_dump(mode="json") for item in items])
