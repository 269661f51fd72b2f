"""Entry of the causal kernel: checks input, runs detection and allocation, assembles the links."""

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from asterism.causality import allocation, identity, metrics
from asterism.causality.allocation import Decision
from asterism.causality.extraction import Extraction, KernelDecisions
from asterism.causality.models import CausalLink
from asterism.causality.table_talk import Throw
from asterism.causality.transcripts import language_rules
from asterism.causality.transcripts.consequence_types import consequence_type
from asterism.causality.transcripts.intents import (
    Intent,
    detect_intents,
    place_intents,
    valid_intents,
)
from asterism.causality.transcripts.language_rules import RuleSet, rule_set
from asterism.causality.transcripts.masks import EligibilityMask
from asterism.causality.transcripts.models import ConsequenceType, GivenIntent, Transcript
from asterism.causality.transcripts.speakers import Speakers, with_roster
from asterism.causality.transcripts.transcript_checks import (
    refuse_misplaced_intents,
    refuse_unusable,
)
from asterism.clock import aware
from asterism.errors import InvalidInput
from asterism.settings import CausalParams
from asterism.timestamps import to_micros
from asterism.validation import refusal

STORED_DECIMALS = 6


def extract(
    transcript: Transcript,
    params: CausalParams | Mapping[str, Any] | None = None,
    *,
    intents: Iterable[Any] | None = None,
    at: datetime | None = None,
) -> Extraction:
    """Return every intent of a transcript with its consequence, its candidates and the measures.

    `intents` replace the detection: an index and a type each, in any order. Without players
    everybody but the DM plays. Links are stamped with `at`, or with 0, so that equal inputs give
    equal results.
    """
    parameters, given_intents = kernel_input(params, intents)
    transcript = Transcript.of(transcript)
    refuse_unusable(transcript)
    with _garbage_collection_paused():
        stamp = 0 if at is None else to_micros(aware(at)) // 1000
        return _extraction(transcript, parameters, given_intents, stamp)


def valid_params(
    params: CausalParams | Mapping[str, Any] | None, base: CausalParams | None = None
) -> CausalParams:
    """Return parameters over those of `base`, or refuse with the name of the wrong one."""
    if isinstance(params, CausalParams):
        return CausalParams(**{name: getattr(params, name) for name in CausalParams.model_fields})
    if params is not None and not isinstance(params, Mapping):
        raise InvalidInput("params", params, "give CausalParams, or a dictionary of its names")
    defaults = valid_params(base).model_dump() if base else {}
    try:
        return CausalParams.model_validate({**defaults, **(params or {})})
    except ValidationError as error:
        raise refusal(error) from error


def kernel_input(
    params: CausalParams | Mapping[str, Any] | None,
    intents: Iterable[Any] | None,
    base: CausalParams | None = None,
) -> tuple[CausalParams, list[GivenIntent] | None]:
    """Return parameters over those of `base`, and intents, which may come among them."""
    if isinstance(params, Mapping) and "intents" in params:
        rest = {name: value for name, value in params.items() if name != "intents"}
        return kernel_input(rest, params["intents"] if intents is None else intents, base)
    return valid_params(params, base), valid_intents(intents)


def run_inputs(
    transcript: Transcript, params: CausalParams, given_intents: list[GivenIntent] | None
) -> dict[str, Any]:
    """Return the inputs of a run apart from its lines and masks, as plain JSON."""
    own_rules = language_rules.own_files(params.rules)
    return {
        **({"own_rules": own_rules} if own_rules else {}),
        "params": params.model_dump(mode="json"),
        "dm": sorted(transcript.dm),
        "players": [player.model_dump(mode="json") for player in transcript.players],
        "intents": given_intents and [each.model_dump(mode="json") for each in given_intents],
    }


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    # Everything made here stays, so a collection would only look at every line over again.
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _extraction(
    transcript: Transcript,
    params: CausalParams,
    given_intents: list[GivenIntent] | None,
    stamp: int,
) -> Extraction:
    players_named = bool(transcript.players)
    transcript = with_roster(transcript)
    lines = transcript.lines
    mask = EligibilityMask(lines, transcript.masks)
    speakers = Speakers(transcript)
    rules = rule_set(params.rules)
    intents = _intents(transcript, mask.eligible_mask, speakers, given_intents, rules)
    answers = allocation.AnswerLines(transcript, mask.eligible_mask, speakers, params, intents)
    decisions, holders = allocation.allocate(
        intents, lambda intent: allocation.bids(intent, answers, params), params
    )
    links = [
        _link(transcript, decision, stamp, rules, answers.throw(decision.intent))
        for decision in decisions
    ]
    eligible_lines = sum(mask.eligible_mask)
    return Extraction(
        session_id=transcript.session_id,
        run_id=identity.run_id(
            identity.transcript_hash(lines),
            identity.mask_hash(transcript.masks),
            run_inputs(transcript, params, given_intents),
        ),
        kernel_version=identity.KERNEL_VERSION,
        params=params,
        players=[player.name for player in transcript.players],
        players_named=players_named,
        lines=len(lines),
        dm_lines=sum(speakers.is_dm(line.author_name) for line in lines),
        eligible_lines=eligible_lines,
        eligible_share=eligible_lines / len(lines) if lines else None,
        excluded=mask.excluded_lines(),
        links=links,
        metrics=metrics.measure(links, decisions),
        kernel_decisions=KernelDecisions(transcript, decisions, holders),
    )


def _intents(
    transcript: Transcript,
    eligible: list[bool],
    speakers: Speakers,
    given_intents: list[GivenIntent] | None,
    rules: RuleSet,
) -> list[Intent]:
    if given_intents is None:
        return detect_intents(transcript, eligible, speakers, rules)
    lines = transcript.lines
    dm_lines = {line.line_index for line in lines if speakers.is_dm(line.author_name)}
    refuse_misplaced_intents(given_intents, lines, dm_lines)
    return place_intents(given_intents, transcript, speakers)


def _link(
    transcript: Transcript, decision: Decision, stamp: int, rules: RuleSet, throw: Throw | None
) -> CausalLink:
    intent, chosen = decision.intent, decision.chosen
    answer = transcript.lines[chosen.position].content if chosen else None
    return CausalLink(
        id=identity.intent_id(transcript.session_id, intent.line),
        session_id=transcript.session_id,
        actor=intent.actor,
        intent_text=intent.text,
        intent_type=intent.type,
        intent_strength=intent.strength,
        intent_anchor_index=intent.line,
        consequence_text=answer,
        consequence_type=(
            ConsequenceType.NONE if answer is None else consequence_type(answer, rules)
        ),
        consequence_anchor_index=chosen.line if chosen else None,
        distance=chosen.distance if chosen else None,
        score=round(chosen.score.final, STORED_DECIMALS) if chosen else None,
        claimed=chosen is not None,
        created_at_ms=stamp,
        consequence_id=(
            identity.consequence_id(transcript.session_id, chosen.line) if chosen else None
        ),
        throw_skill=throw.skill if throw and chosen else None,
        throw_number=throw.number if throw and chosen else None,
    )
