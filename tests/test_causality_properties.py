"""The kernel against a plain second reading of its rules, on random and on written sessions."""

import string
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asterism.causality import Extraction, Transcript
from asterism.causality.chains import prompts
from tests.support.sessions import SESSIONS, extract, sessions, written

pytestmark = pytest.mark.slow

PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "k_local": st.integers(1, 9),
        "max_line_gap": st.integers(1, 12),
        "strong_min_score": st.sampled_from((0.0, 0.35, 0.6, 0.9)),
        "weak_min_score": st.sampled_from((0.0, 0.1, 0.5)),
    },
)


def plain_tokens(text: str) -> set[str]:
    edges = string.punctuation
    return {word for word in (w.strip(edges) for w in text.lower().split()) if len(word) > 2}


def candidates(transcript: Transcript, index: int, params: Any) -> Iterator[tuple[int, int, float]]:
    """Line, distance and score of each candidate, by walking on from the intent."""
    lines = {line.line_index: line for line in transcript.lines}
    excluded = {i for mask in transcript.masks for i in range(mask.start_index, mask.end_index + 1)}
    intent_words, distance = plain_tokens(lines[index].content), 0
    for later in (i for i in lines if i > index):
        if later in excluded or index in excluded:
            return
        text = lines[later].content
        if lines[later].author_name != "DM" or text in ("", "[laughs]"):
            continue
        distance += 1
        answer_words = plain_tokens(text)
        shared = (
            len(intent_words & answer_words) / max(len(intent_words), len(answer_words))
            if intent_words and answer_words
            else 0.0
        )
        boost = 0.15 if text.startswith(("Yes", "No.")) else 0.0
        by_distance = 1 / (1 + (distance / 2) ** 2.2)
        gap = params.get("max_line_gap")
        if gap is None or later - index <= gap:
            yield later, distance, by_distance * (1 + 0.5 * shared) + boost


def plain_allocation(transcript: Transcript, extraction: Extraction, params: Any) -> dict[int, Any]:
    """Return the line that each intent gets by the letter of the two passes."""
    got: dict[int, Any] = {}
    holders: set[int] = set()
    for strength in ("strong", "weak"):
        bar = params.get(f"{strength}_min_score", 0.35 if strength == "strong" else 0.1)
        for link in extraction.links:
            if link.intent_strength != strength:
                continue
            index = link.intent_anchor_index
            offered = islice(candidates(transcript, index, params), params.get("k_local", 8))
            free = [c for c in offered if strength == "weak" or c[0] not in holders]
            best = min(free, key=lambda c: (-round(c[2], 9), c[1], c[0]), default=None)
            got[index] = best if best and best[2] >= bar else None
            if got[index] and strength == "strong":
                holders.add(got[index][0])
    return got


@settings(max_examples=1000, deadline=None)
@given(sessions(), PARAMS)
def test_links_equal_those_of_an_independent_implementation(
    transcript: Transcript, params: Any
) -> None:
    extraction = extract(transcript, params)
    expected = plain_allocation(transcript, extraction, params)
    for link in extraction.links:
        best = expected[link.intent_anchor_index]
        mine = (link.consequence_anchor_index, link.distance)
        assert mine == ((best[0], best[1]) if best else (None, None))
        assert link.score == (pytest.approx(best[2], abs=1e-6) if best else None)


@settings(max_examples=1000, deadline=None)
@given(sessions(), PARAMS)
def test_the_invariants_hold(transcript: Transcript, params: Any) -> None:
    extraction = extract(transcript, params)
    excluded = {line.line_index for line in extraction.excluded}
    strong = Counter(
        link.consequence_anchor_index
        for link in extraction.links
        if link.claimed and link.intent_strength == "strong"
    )
    assert all(count == 1 for count in strong.values())
    assert [link.id for link in extract(transcript).links] == [link.id for link in extraction.links]
    for link in extraction.links:
        fields = (link.consequence_text, link.consequence_anchor_index, link.distance, link.score)
        assert all((value is not None) == link.claimed for value in fields)
        assert (link.consequence_type != "none") == link.claimed
        end = link.consequence_anchor_index
        if end is not None and link.distance is not None:
            assert link.intent_anchor_index < end
            assert 1 <= link.distance <= params.get("k_local", 8)
            assert not excluded & set(range(link.intent_anchor_index, end + 1))
    indices = [link.intent_anchor_index for link in extraction.links]
    assert indices == sorted(set(indices))


@settings(max_examples=200, deadline=None)
@given(sessions(), PARAMS)
def test_measures_and_traces_agree_with_the_links(transcript: Transcript, params: Any) -> None:
    extraction = extract(transcript, params)
    measures = extraction.metrics
    claimed = [link for link in extraction.links if link.claimed]
    assert (measures.intents, measures.claimed) == (len(extraction.links), len(claimed))
    assert sum(measures.fanout.values()) == measures.consequences
    assert sum(size * count for size, count in measures.fanout.items()) == len(claimed)
    assert sum(measures.unclaimed_reasons.values()) == measures.unclaimed
    for trace, link in zip(extraction.traces, extraction.links, strict=True):
        assert trace.chosen_index == link.consequence_anchor_index
        for part in trace.candidates:
            final = part.distance_score * (1 + 0.5 * part.lexical_score) + part.answer_boost
            assert part.final_score == pytest.approx(final, abs=1e-12)
        bars = {
            "strong": extraction.params.strong_min_score,
            "weak": extraction.params.weak_min_score,
        }
        best = max((c.final_score for c in trace.candidates), default=-1.0)
        assert (trace.top_choice_index is not None) == (best >= bars[trace.strength])


@settings(max_examples=200, deadline=None)
@given(sessions(), st.integers(1, 10))
def test_prompts_are_the_latest_of_the_same_actor(transcript: Transcript, within: int) -> None:
    links = extract(transcript).links
    derived = {prompt.intent_index: prompt.consequence_index for prompt in prompts(links, within)}
    for link in links:
        own = [
            other.consequence_anchor_index
            for other in links
            if other.actor == link.actor and other.consequence_anchor_index is not None
        ]
        index = link.intent_anchor_index
        reach = [at for at in own if index - within <= at < index]
        assert derived.get(index) == max(reach, default=None)


@pytest.mark.parametrize(("name", "fewest"), [("bell", 100), ("lighthouse", 30)])
def test_most_strong_intents_of_a_written_session_are_claimed(name: str, fewest: int) -> None:
    transcript, _ = written(name)
    measures = extract(transcript).metrics
    strong, weak = (measures.by_strength[strength] for strength in measures.by_strength)
    assert strong.intents >= fewest
    assert strong.share is not None
    assert strong.share > 0.75
    assert weak.share == 1.0


def test_answered_attempts_of_a_written_session_are_intents() -> None:
    for name in SESSIONS:
        transcript, answers = written(name)
        intents = {link.intent_anchor_index for link in extract(transcript).links}
        spoken = [line.line_index for line in transcript.lines]
        attempts = [index for index in answers if index in spoken]
        assert sum(index in intents for index in attempts) / len(attempts) > 0.9


def test_near_links_are_right_and_far_ones_are_not() -> None:
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for name in SESSIONS:
        transcript, answers = written(name)
        for link in extract(transcript).links:
            if link.line_gap is None:
                continue
            reach = "next" if link.line_gap == 1 else "near" if link.line_gap <= 8 else "far"
            total[reach] += 1
            answered = answers.get(link.intent_anchor_index, set())
            right[reach] += link.consequence_anchor_index in answered
    assert right["next"] / total["next"] > 0.9
    assert right["near"] / total["near"] < right["next"] / total["next"]
    assert right["far"] == 0 < total["far"]


@pytest.mark.parametrize("name", SESSIONS)
def test_a_gap_limit_leaves_no_far_link(name: str) -> None:
    transcript, _ = written(name)
    gaps = extract(transcript, {"max_line_gap": 8}).metrics.line_gaps
    assert max(gaps) <= 8 < max(extract(transcript).metrics.line_gaps)
