"""Everything one run of the kernel found; how it was decided is spelled out when asked for."""

from functools import cached_property
from typing import Any, NamedTuple

from pydantic import PrivateAttr, computed_field

from engine.causality.allocation import Answers, Bid, Decision, bids
from engine.causality.intents import Intent
from engine.causality.masks import EligibilityMask
from engine.causality.model import Candidate, CausalLink, ExcludedLine, IntentTrace, Metrics
from engine.causality.speakers import Speakers
from engine.causality.transcript import Transcript
from engine.frozen import Frozen
from engine.settings import CausalParams


class Decided(NamedTuple):
    """What traces are made from: weighing again is cheaper than keeping every candidate."""

    transcript: Transcript
    decisions: list[Decision]
    holders: dict[int, int]  # which strong intent holds which line


class Extraction(Frozen):
    """Links, the candidates that were weighed, and the measures of a session."""

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
    _decided: Decided = PrivateAttr()

    def __init__(self, *, decided: Decided, **fields: Any) -> None:
        super().__init__(**fields)
        self._decided = decided

    @property
    def transcript(self) -> Transcript:
        """The transcript with its players, also those that nobody named."""
        return self._decided.transcript

    @property
    def decisions(self) -> list[Decision]:
        """One for each link, in the same order."""
        return self._decided.decisions

    @computed_field  # type: ignore[prop-decorator]  # mypy issue 1362
    @cached_property
    def traces(self) -> list[IntentTrace]:
        """How each intent was decided, in the order of the links."""
        transcript = self._decided.transcript
        eligible = EligibilityMask(transcript.lines, transcript.masks).eligible_mask
        answers = Answers(transcript, eligible, Speakers(transcript), self.params.compat)
        return [
            self._trace(
                decision,
                eligible,
                bids(decision.intent, answers, self.params),
                answers.barrier(decision.intent.position),
            )
            for decision in self.decisions
        ]

    @property
    def candidates(self) -> list[Candidate]:
        """Every line weighed for every intent."""
        return [candidate for trace in self.traces for candidate in trace.candidates]

    def _trace(
        self, decision: Decision, eligible: list[bool], offered: list[Bid], barrier: int | None
    ) -> IntentTrace:
        intent, chosen = decision.intent, decision.chosen
        return IntentTrace(
            anchor_index=intent.line,
            actor=intent.actor,
            strength=intent.strength,
            kind=intent.type,
            eligible=eligible[intent.position],
            candidates=[self._candidate(intent.line, bid) for bid in offered],
            top_choice_index=decision.top.line if decision.top else None,
            chosen_index=chosen.line if chosen else None,
            chosen_score=chosen.score.final if chosen else None,
            claim_reason=decision.reason,
            window_end=self._window_end(intent, barrier, len(offered)),
        )

    def _window_end(self, intent: Intent, barrier: int | None, offered: int) -> int | None:
        """Return the excluded line that ended the window, unless a limit ended it before."""
        if barrier is None or offered == self.params.k_local:
            return None
        reach = self.params.max_line_gap
        return barrier if reach is None or barrier - intent.line <= reach else None

    def _candidate(self, intent: int, bid: Bid) -> Candidate:
        return Candidate(
            intent_anchor_index=intent,
            consequence_anchor_index=bid.line,
            speaker=self._decided.transcript.lines[bid.position].author_name,
            eligible=True,
            distance=bid.distance,
            line_gap=bid.line - intent,
            distance_score=bid.score.distance,
            lexical_score=bid.score.lexical,
            answer_boost=bid.score.boost,
            final_score=bid.score.final,
            claimed_by=self._decided.holders.get(bid.line),
        )
