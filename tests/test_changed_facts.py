"""Sixty facts that change in a year of talk: what holds is first, and so was what held before."""

import pytest

from benchmarks import changed_facts
from tests.conftest import OpenGraph


@pytest.mark.slow
@pytest.mark.parametrize(
    "correct", [changed_facts.correct_in_order, changed_facts.correct_shuffled]
)
async def test_what_was_corrected_is_first_and_what_held_before_as_of_then(
    open_graph: OpenGraph, correct: changed_facts.Correct
) -> None:
    data = changed_facts.load()
    graph = await open_graph(embedder=changed_facts.CachingEmbedder())
    await correct(graph, data)
    answers = await changed_facts.ask(graph, data)
    assert len(answers.valid) >= 55
    assert len(answers.before) >= 55
    assert answers.old == []


@pytest.mark.slow
async def test_most_changes_are_proposed_and_most_proposals_are_right(
    open_graph: OpenGraph,
) -> None:
    data = changed_facts.load()
    graph = await open_graph(embedder=changed_facts.CachingEmbedder())
    await changed_facts.remember(graph, data.turns)
    report = await graph.consolidation.consolidate()
    changes, share = changed_facts.proposal_lines(data, report)
    assert changes.value >= 45
    assert share.value >= 60
    await changed_facts.accept_all(graph)
    answers = await changed_facts.ask(graph, data)
    assert len(answers.valid) >= 40
