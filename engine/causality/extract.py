"""The kernel: a transcript in, causal links out. No database, no clock, no chance."""

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import ValidationError

from engine.causality import allocation, consequences, identity, intents, masks, metrics
from engine.causality.allocation import Decision
from engine.causality.extraction import Decided, Extraction
from engine.causality.intents import valid_intents
from engine.causality.model import CausalLink, ConsequenceType
from engine.causality.speakers import Speakers, with_roster
from engine.causality.transcript import GivenIntent, Transcript, refuse_strangers, refuse_unusable
from engine.clock import aware
from engine.errors import InvalidInput
from engine.settings import CausalParams

STORED_DECIMALS = 6
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def extract(
    transcript: Transcript,
    params: CausalParams | Mapping[str, Any] | None = None,
    *,
    intents: Iterable[Any] | None = None,
    at: datetime | None = None,
) -> Extraction:
    """Every intent of a transcript with its consequence, the candidates weighed, the measures.

    `intents` may be given instead of detected: an index and a type each, in any order. Without
    players everybody but the DM plays. Links are stamped with `at`; without it with 0, so that
    equal inputs give equal results.
    """
    wanted, given = kernel_input(params, intents)
    transcript = Transcript.of(transcript)
    refuse_unusable(transcript)
    with _collecting_later():
        return _extraction(transcript, wanted, given, _milliseconds(at))


@contextmanager
def _collecting_later() -> Iterator[None]:
    """All that is made here stays: collecting garbage would only look at every line over again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def valid_params(
    given: CausalParams | Mapping[str, Any] | None, base: CausalParams | None = None
) -> CausalParams:
    """Parameters as given, over those of `base`; a refusal names the one that is wrong."""
    if isinstance(given, CausalParams):
        return CausalParams(**{name: getattr(given, name) for name in CausalParams.model_fields})
    if given is not None and not isinstance(given, Mapping):
        raise InvalidInput("params", given, "give CausalParams, or a dictionary of its names")
    standing = valid_params(base).model_dump() if base else {}
    try:
        return CausalParams.model_validate({**standing, **(given or {})})
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInput(str(first["loc"][0]), first["input"], first["msg"]) from error


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


def inputs_of(
    transcript: Transcript, params: CausalParams, given: list[GivenIntent] | None
) -> dict[str, Any]:
    """What a run depends on beside its lines and masks, as plain JSON."""
    return {
        "params": params.model_dump(mode="json"),
        "dm": sorted(transcript.dm),
        "players": [player.model_dump(mode="json") for player in transcript.players],
        "intents": given and [intent.model_dump(mode="json") for intent in given],
    }


def _milliseconds(at: datetime | None) -> int:
    return 0 if at is None else (aware(at) - _EPOCH) // timedelta(milliseconds=1)


def _extraction(
    transcript: Transcript, params: CausalParams, given: list[GivenIntent] | None, stamp: int
) -> Extraction:
    named = bool(transcript.players)
    transcript = with_roster(transcript)
    lines = transcript.lines
    mask = masks.EligibilityMask(lines, transcript.masks)
    eligible = mask.eligible_mask
    speakers = Speakers(transcript)
    if given is None:
        found = intents.detected(transcript, eligible, speakers)
    else:
        dm_lines = {line.line_index for line in lines if speakers.is_dm(line.author_name)}
        refuse_strangers(given, lines, dm_lines)
        found = intents.placed(given, transcript, speakers)
    answers = allocation.Answers(transcript, eligible, speakers, params.compat)
    decisions, holders = allocation.allocate(
        found, lambda intent: allocation.bids(intent, answers, params), params
    )
    links = [_link(transcript, decision, stamp) for decision in decisions]
    count = sum(eligible)
    return Extraction(
        session_id=transcript.session_id,
        run_id=identity.run_id(
            identity.transcript_hash(lines),
            identity.mask_hash(transcript.masks),
            inputs_of(transcript, params, given),
        ),
        kernel_version=identity.KERNEL_VERSION,
        params=params,
        players=[player.name for player in transcript.players],
        players_named=named,
        lines=len(lines),
        dm_lines=sum(speakers.is_dm(line.author_name) for line in lines),
        eligible_lines=count,
        eligible_share=count / len(lines) if lines else None,
        excluded=mask.excluded(),
        links=links,
        metrics=metrics.measure(links, decisions),
        decided=Decided(transcript, decisions, holders),
    )


def _link(transcript: Transcript, decision: Decision, stamp: int) -> CausalLink:
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
        consequence_type=ConsequenceType.NONE if answer is None else consequences.kind(answer),
        consequence_anchor_index=chosen.line if chosen else None,
        distance=chosen.distance if chosen else None,
        score=round(chosen.score.final, STORED_DECIMALS) if chosen else None,
        claimed=chosen is not None,
        created_at_ms=stamp,
    )
