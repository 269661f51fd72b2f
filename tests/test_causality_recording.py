"""Recordings: replaced sessions, players, bad input, unknown names."""

from pathlib import Path
from typing import Any

import pytest

from asterism.causality import CausalParams, Extraction, Transcript
from asterism.causality.transcripts.readers import read
from asterism.clock import FixedClock
from asterism.errors import Conflict, InvalidInput, NotFound
from asterism.graph import Graph
from tests.support.raw import run_cypher
from tests.support.sessions import CHEST, dialogue, extract, literally

BARE: dict[str, Any] = {"embed": False}
LINES = [(line.line_index, line.author_name, line.content) for line in CHEST.lines]
OTHER = [(0, "DM", "A harbour at night."), (1, "Ann", "I row to the ship."), (2, "DM", "Slowly.")]
GROWN = [*LINES, (5, "Ann", "I climb the wall."), (6, "DM", "It is wet.")]


async def record(graph: Graph, lines: Any = LINES, **more: Any) -> Any:
    params = more.get("params")
    if params is None or (
        isinstance(params, dict) and all(isinstance(name, str) for name in params)
    ):
        more["params"] = literally(params)
    return await graph.causality.record("cellar", lines, **{"dm": "DM", **BARE, **more})


async def test_a_transcript_without_lines_replaces_nothing(graph: Graph) -> None:
    links = (await record(graph)).links
    with pytest.raises(InvalidInput, match=r"lines=\[\]: a transcript without lines"):
        await record(graph, [])
    assert await graph.causality.links("cellar") == links


@pytest.mark.slow
@pytest.mark.parametrize("utterances", [True, False])
async def test_another_transcript_of_the_same_name_needs_replace(
    graph: Graph, utterances: bool
) -> None:
    first = await record(graph, utterances=utterances)
    assert first.replaced is None
    with pytest.raises(Conflict, match=r"'cellar' holds another.*--session.*--replace.*replace="):
        await record(graph, OTHER, utterances=utterances)
    assert await graph.causality.links("cellar") == first.links
    second = await record(graph, OTHER, utterances=utterances, replace=True)
    assert (second.replaced.run_id, second.replaced.lines) == (first.run_id, 5)
    assert str(second.replaced) == "replaced 5 lines and 3 links recorded at 2026-03-02 12:00 UTC"
    assert await graph.causality.links("cellar") == second.links


@pytest.mark.slow
async def test_the_same_or_a_grown_transcript_needs_no_replace(
    graph: Graph, clock: FixedClock
) -> None:
    await record(graph)
    clock.advance(hours=1)
    again = await record(graph)
    assert (again.changed, again.replaced) == (False, None)
    grown = await record(graph, GROWN)
    assert (grown.changed, grown.replaced.lines, grown.replaced.links) == (True, 5, 3)
    assert (await record(graph, GROWN)).changed is False
    narrow = await record(graph, GROWN, params={"k_local": 1})
    assert (narrow.replaced.lines, narrow.replaced.run_id) == (7, grown.run_id)


@pytest.mark.slow
async def test_a_session_of_an_older_version_is_compared_by_its_lines(graph: Graph) -> None:
    await record(graph)
    await run_cypher(
        graph, "MATCH (s:Session {realm: $realm}) REMOVE s.opening, s.first_line, s.last_line"
    )
    with pytest.raises(Conflict, match="first lines differ"):
        await record(graph, OTHER)
    with pytest.raises(InvalidInput, match=r"outside the transcript, whose lines are 0 to 4"):
        await graph.causality.assign_events("cellar", [("e", 0, 9)])
    assert (await record(graph)).changed is False
    assert (await record(graph, GROWN)).changed


@pytest.mark.slow
async def test_events_stay_with_their_transcript(graph: Graph) -> None:
    await record(graph, events=[("search", 0, 1)])
    grown = await record(graph, GROWN)
    assert [event.event_id for event in grown.events] == ["search"]
    assert grown.links == await graph.causality.links("cellar")
    assert grown.links[0].intent_event_id == "search"
    other = await record(graph, OTHER, replace=True)
    assert (other.events, other.replaced.events) == ([], 1)
    assert await graph.causality.events("cellar") == []


def speakers(extraction: Extraction) -> tuple[list[str], bool]:
    return extraction.players, extraction.players_named


async def test_without_players_everybody_but_the_dm_plays(graph: Graph) -> None:
    lines = [(0, "DM", "A door."), (1, "Ann", "I open the door."), (2, "DM", "It opens.")]
    report = await graph.causality.record("s", lines, dm="DM", **BARE)
    assert (report.players, report.players_named) == (["Ann"], False)
    assert (report.intents, report.claimed) == (1, 1)
    pure = extract(Transcript.of({"session_id": "s", "lines": lines, "dm": "DM"}))
    assert speakers(pure) == speakers(report.extraction)
    assert [link.id for link in pure.links] == [link.id for link in report.links]
    named = await graph.causality.record("s", lines, dm="DM", players=["Ann"], **BARE)
    assert (named.changed, named.players_named) == (False, True)
    silent = Transcript.of({"session_id": "s", "lines": OTHER[1:2], "dm": "Petra"})
    with pytest.raises(InvalidInput, match="dm='Petra': speaks no line; is the DM one of Ann"):
        extract(silent)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"params": 5}, "params=5: give CausalParams"),
    ({"params": {5: 1}}, "Keys should be strings"),
    ({"utterance": False}, "utterance=False: record takes no utterance"),
    ({"utterances": 1}, "utterances=1: say True or False"),
    ({"replace": "yes"}, "replace='yes': say True or False"),
    ({"intents": 5}, "intents=5: give a list"),
    ({"intents": [(3, "declare")]}, "intents=3: this line is the DM's"),
    ({"intents": [{"index": 3, "type": "declare", "actor": "ann"}]}, "this line is the DM's"),
    ({"events": 5}, "events=5: give a list"),
    ({"events": [("e", 0, 9)]}, "outside the transcript, whose lines are 0 to 4"),
    ({"events": [("e", 0, 1), ("e", 2, 3)]}, "every event needs an id of its own"),
    ({"events": [("", 0, 1)]}, "every event needs an id of its own"),
    ({"events": [("\ud800", 0, 1)]}, "not valid Unicode"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("more", "message"), BAD)
async def test_bad_arguments_are_refused_by_name(
    graph: Graph, more: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        await record(graph, **more)
    assert await graph.causality.sessions() == []


async def test_senseless_arguments_of_reads_are_refused(graph: Graph) -> None:
    causality: Any = graph.causality
    [link, *_] = (await record(graph)).links
    for depth in ("x", 0, True, None, 61):
        with pytest.raises(InvalidInput, match="depth="):
            await causality.chain(link.id, depth=depth)
    for id in ("", 5, None, "\ud800"):
        with pytest.raises(InvalidInput, match="intent_id="):
            await causality.chain(id)
        for call in (causality.links, causality.metrics, causality.trace, causality.forget):
            if call != causality.metrics or id is not None:
                with pytest.raises(InvalidInput, match="session_id="):
                    await call(id)
    for events in (None, 5, "e", [("e", 3, 1)], [("e", 0, 9)], [("e", 0, 1), ("e", 2, 3)]):
        with pytest.raises(InvalidInput, match="events="):
            await causality.assign_events("cellar", events)
    for filter in ({"max_line_gap": "x"}, {"max_line_gap": 0}, {"actor": 5}, {"event": "\ud800"}):
        with pytest.raises(InvalidInput, match=next(iter(filter))):
            await causality.links("cellar", **filter)
    assert await causality.links("cellar", event="nothing") == []


@pytest.mark.slow
async def test_unknown_sessions_are_not_found_anywhere(graph: Graph) -> None:
    causality = graph.causality
    await record(graph)
    for call in (causality.links, causality.trace_document, causality.forget, causality.events):
        with pytest.raises(NotFound, match="no recorded session 'nope'"):
            await call("nope")
    with pytest.raises(NotFound):
        await causality.assign_events("nope", [])
    await causality.forget("cellar")
    with pytest.raises(NotFound):
        await causality.forget("cellar")


def test_parameters_may_be_an_object_or_a_dictionary() -> None:
    narrow = CausalParams(k_local=1)
    assert extract(CHEST, narrow) == extract(CHEST, {"k_local": 1})
    wrong: Any = 5
    with pytest.raises(InvalidInput, match="params=5"):
        extract(CHEST, wrong)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('speaker,text\nA,"x\n', 2),
        ('speaker,text\nA,x\nB,"y\nz\n', 3),
        ('"speaker,text\nA,x\n', 1),
        ('speaker,text\nA,"x\ny"\nB,"z\n', 4),
    ],
)
def test_an_open_quote_is_named_by_the_line_where_it_opens(
    tmp_path: Path, text: str, line: int
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=f"a.csv, line {line}'.*this is no CSV"):
        read(path)


def test_the_window_says_which_excluded_line_ended_it() -> None:
    lines = [("Ann", "I open the door."), ("DM", "Hm."), ("Bob", "Tea?"), ("DM", "It opens.")]
    [free, *_] = extract(dialogue(*lines)).traces
    assert free.window_end is None
    masked = dialogue(*lines, masks=[(2, 2, "ooc_hard")])
    assert extract(masked).traces[0].window_end == 2
    assert extract(masked, {"k_local": 1}).traces[0].window_end is None
    assert extract(masked, {"max_line_gap": 1}).traces[0].window_end is None
