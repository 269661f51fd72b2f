"""Result of one run of the kernel, whose traces are computed on demand."""

from functools import cached_property
from typing import Any, NamedTuple

from pydantic import PrivateAttr, computed_field

from asterism.base_model import Frozen
from asterism.causality.allocation import AnswerLines, Bid, Decision, bids
from asterism.causality.models import Candidate, CausalLink, IntentTrace, Metrics
from asterism.causality.table_talk import Throw
from asterism.causality.transcripts.intents import Intent
from asterism.causality.transcripts.masks import EligibilityMask
from asterism.causality.transcripts.models import ExcludedLine, Transcript
from asterism.causality.transcripts.speakers import Speakers
from asterism.settings import CausalParams


class KernelDecisions(NamedTuple):
    """The basis of traces: scoring again is cheaper than storing every candidate."""

    transcript: Transcript
    decisions: list[Decision]
    holders: dict[int, int]  # the strong intent of each held line


class Extraction(Frozen):
    """Links of a session, the candidates that were weighed, and the measures."""

    session_id: str
    run_id: str
    kernel_version: str
    params: CausalParams
    players: list[str]
    players_named: bool  # False: none were named, so everybody but the DM plays
    lines: int
    dm_lines: int
    eligible_lines: int
    eligible_share: float | None
    excluded: list[ExcludedLine]
    links: list[CausalLink]
    metrics: Metrics
    _kernel_decisions: KernelDecisions = PrivateAttr()

    def __init__(self, *, kernel_decisions: KernelDecisions, **fields: Any) -> None:
        super().__init__(**fields)
        self._kernel_decisions = kernel_decisions

    @property
    def transcript(self) -> Transcript:
        """The transcript with its players, also those that nobody named."""
        return self._kernel_decisions.transcript

    @property
    def decisions(self) -> list[Decision]:
        """One decision for each link, in the same order."""
        return self._kernel_decisions.decisions

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @cached_property
    def traces(self) -> list[IntentTrace]:
        """The decision about each intent, in the order of the links."""
        transcript = self.transcript
        eligible = EligibilityMask(transcript.lines, transcript.masks).eligible_mask
        intents = [decision.intent for decision in self.decisions]
        answers = AnswerLines(transcript, eligible, Speakers(transcript), self.params, intents)
        return [
            self._trace(
                decision,
                eligible,
                bids(decision.intent, answers, self.params),
                answers.barrier(decision.intent.position),
                answers.throw(decision.intent),
            )
            for decision in self.decisions
        ]

    @property
    def candidates(self) -> list[Candidate]:
        """Every line weighed for every intent."""
        return [candidate for trace in self.traces for candidate in trace.candidates]

    def _trace(
        self,
        decision: Decision,
        eligible: list[bool],
        candidates: list[Bid],
        barrier: int | None,
        throw: Throw | None,
    ) -> IntentTrace:
        intent, chosen = decision.intent, decision.chosen
        return IntentTrace(
            anchor_index=intent.line,
            actor=intent.actor,
            strength=intent.strength,
            kind=intent.type,
            eligible=eligible[intent.position],
            candidates=[self._candidate(intent.line, bid) for bid in candidates],
            top_choice_index=decision.top.line if decision.top else None,
            chosen_index=chosen.line if chosen else None,
            chosen_score=chosen.score.final if chosen else None,
            claim_reason=decision.reason,
            window_end=self._window_end(intent, barrier, len(candidates)),
            throw_skill=throw.skill if throw else None,
            throw_number=throw.number if throw else None,
        )

    def _window_end(self, intent: Intent, barrier: int | None, candidates: int) -> int | None:
        """Return the excluded line that ended the window, unless a limit ended it before."""
        if barrier is None or candidates == self.params.k_local:
            return None
        reach = self.params.max_line_gap
        return barrier if reach is None or barrier - intent.line <= reach else None

    def _candidate(self, intent: int, bid: Bid) -> Candidate:
        return Candidate(
            intent_anchor_index=intent,
            consequence_anchor_index=bid.line,
            speaker=self.transcript.lines[bid.position].author_name,
            eligible=True,
            distance=bid.distance,
            line_gap=bid.line - intent,
            distance_score=bid.score.distance,
            lexical_score=bid.score.lexical,
            answer_boost=bid.score.boost,
            final_score=bid.score.final,
            claimed_by=self._kernel_decisions.holders.get(bid.line),
        )
