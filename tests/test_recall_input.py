"""Refusals of recall, before anything is sent to the server."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from asterism.errors import InvalidInput
from asterism.graph import Graph
from tests.support.command_line import CommandLine


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"session": 3}, "session"),
        ({"session": "\ud800"}, "session"),
        ({"tags": ["\ud800"]}, "tags"),
        ({"tags": [5]}, "tags"),
        ({"tags": ["a"] * 100_000}, "tags"),
        ({"k": True}, "k"),
        ({"k": 2**63}, "k"),
        ({"since": "soon"}, "since"),
        ({"until": datetime(2026, 3, 1)}, "until"),
        ({"at": "9999-12-31T23:00-12:00"}, "at"),
        ({"minimum_strength": "strong"}, "minimum_strength"),
        ({"minimum_strength": float("nan")}, "minimum_strength"),
    ],
)
async def test_impossible_arguments_of_a_question_are_refused(
    graph: Graph, options: dict[str, Any], argument: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await graph.recall.find("lamp", **options)
    assert refusal.value.argument == argument


@pytest.mark.slow
async def test_times_are_taken_as_text_and_as_dates(graph: Graph) -> None:
    """A plain date as `until` reaches to the end of that day."""
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    await graph.memories.remember("The lamp burns.", id="lamp", at=noon)
    for until in ("2026-03-01", date(2026, 3, 1), "2026-03-01T12:00Z", noon):
        answer = await graph.recall.find("lamp", since="2026-03-01", until=until)
        assert [hit.id for hit in answer.hits] == ["lamp"]
    for narrowed in ({"until": "2026-02-28"}, {"since": date(2026, 3, 2)}):
        assert (await graph.recall.find("lamp", **narrowed)).hits == ()


@pytest.mark.slow
async def test_an_empty_answer_names_the_filters(graph: Graph, command_line: CommandLine) -> None:
    await graph.memories.remember("The lamp burns.")
    where = ("--realm", graph.realm)
    filtered = command_line.output("recall", "lamp", "--tag", "nobody", *where)
    assert "1 texts are remembered here; none fits tags nobody." in filtered
