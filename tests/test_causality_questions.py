"""Questions in words about recorded sessions: chains that end where they point, with evidence."""

import json
from typing import Any

import pytest

from asterism.database import Database
from asterism.errors import InvalidInput, NotFound
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support.command_line import CommandLine
from tests.support.raw import run_cypher
from tests.support.work import work

FERRY = [
    (0, "Ann", "I dive under the ferry and look for the ropes."),
    (1, "DM", "Under the hull the ropes are tied to an iron ring."),
    (2, "Bob", "I file through the iron ring."),
    (3, "DM", "The ring snaps. Cy, the rope whips past your head."),
    (4, "Cy", "I catch the rope and pull the ferryman up."),
    (5, "DM", "The ferryman comes free and gasps for air."),
    (6, "Ann", "Is it always so foggy in this valley?"),
]
KITCHEN = [
    (0, "Dee", "I knead the dough for the honey bread."),
    (1, "DM", "The dough is soft and smells of honey."),
    (2, "Dee", "I wave at the neighbours."),
    (3, "DM", "They wave back at you."),
]
FREED = "how was the ferryman freed?"


@pytest.fixture
async def recorded(graph: Graph) -> Graph:
    """Two sessions, with vectors."""
    await graph.causality.record("ferry", FERRY, dm="DM")
    await graph.causality.record("kitchen", KITCHEN, dm="DM")
    return graph


@pytest.mark.slow
async def test_a_question_finds_the_chain_that_ends_there(recorded: Graph) -> None:
    best, *others = await recorded.causality.find(FREED, k=3)
    assert best.end.text == FERRY[5][2]
    assert (best.session_id, best.id) == ("ferry", best.end.id)
    [chain] = best.chains
    assert [step.anchor_index for step in chain.steps] == [0, 1, 2, 3, 4, 5]
    assert {step.session_id for step in chain.steps} == {"ferry"}
    assert chain.steps[-1].evidence.startswith(" (score 0.9")
    assert [step.score is not None for step in chain.steps if step.by == "causes"] == [True] * 3
    assert best.closeness > max(each.closeness for each in others)
    assert best.score > max(each.score for each in others)
    assert best.chains == await recorded.causality.causes(best.id, depth=8, limit=3)


@pytest.mark.slow
async def test_an_attempt_leads_to_what_came_of_it(recorded: Graph) -> None:
    best = (await recorded.causality.find("What if we file through iron?", k=1))[0]
    links = await recorded.causality.links("ferry")
    assert best.line_id == links[1].id
    assert best.id == links[1].consequence_id
    unanswered = (await recorded.causality.find("always foggy in the valley", k=1))[0]
    assert unanswered.line_id == unanswered.id == links[-1].id
    assert unanswered.end.text == FERRY[6][2]


@pytest.mark.slow
async def test_a_question_stays_in_its_session_and_its_realm(
    recorded: Graph, open_graph: OpenGraph
) -> None:
    elsewhere = await recorded.causality.find(FREED, k=10, session_id="kitchen")
    assert {answer.session_id for answer in elsewhere} == {"kitchen"}
    other = await open_graph()
    assert await other.causality.find(FREED) == []
    with pytest.raises(NotFound):
        await recorded.causality.find(FREED, session_id="cellar")


@pytest.mark.slow
async def test_lines_without_vectors_are_found_by_their_words(graph: Graph) -> None:
    await graph.causality.record("ferry", FERRY, dm="DM", embed=False)
    [best] = await graph.causality.find("Why did the ring snap?", k=1)
    assert best.end.anchor_index == 3
    assert best.words == 1
    await graph.causality.forget("ferry")
    assert await graph.causality.find(FREED) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        {"query": " "},
        {"query": None},
        {"query": "\ud800"},
        {"k": 0},
        {"k": True},
        {"depth": 61},
        {"limit": 0},
        {"session_id": 7},
    ],
)
async def test_bad_questions_are_refused_by_name(
    graph: Graph, arguments: dict[str, object]
) -> None:
    [name] = arguments
    with pytest.raises(InvalidInput, match=name):
        await graph.causality.find(**({"query": FREED} | arguments))  # type: ignore[arg-type]


@pytest.mark.slow
async def test_recall_shows_what_led_to_a_memory(recorded: Graph) -> None:
    memory = await recorded.memories.remember("The ferryman thanked us for his life.", id="thanks")
    await recorded.memories.remember("The ferryman likes honey bread.", id="bread")
    end = (await recorded.causality.find(FREED, k=1))[0].id
    await recorded.exploration.link(memory.id, end)
    answer = await recorded.recall.find("What do we know of the ferryman?", causes=True)
    chains = {hit.id: hit.causes for hit in answer.hits}
    assert chains["bread"] == ()
    [chain] = chains["thanks"]
    assert chain.sentence.startswith("L0 I dive under the ferry")
    assert list(chains["thanks"]) == await recorded.causality.causes("thanks")
    plain = await recorded.recall.find("What do we know of the ferryman?")
    assert [hit.causes for hit in plain.hits] == [(), ()]
    with pytest.raises(InvalidInput, match="causes"):
        await recorded.recall.find("ferryman", causes="yes")  # type: ignore[arg-type]


@pytest.mark.slow
async def test_the_command_line_answers_questions(
    recorded: Graph, environment: dict[str, str]
) -> None:
    command = CommandLine(environment, ("--realm", recorded.realm)).run
    shown = command("causal", "find", FREED, "-k", "1")
    assert shown.returncode == 0, shown.stderr
    assert "1. session ferry:" in shown.stdout
    assert "line 5: The ferryman comes free" in shown.stdout
    document = json.loads(command("causal", "find", FREED, "-k", "1", "--json").stdout)
    assert document[0]["chains"][0]["steps"][-1]["anchor_index"] == 5


async def test_sessions_of_texts_cost_a_question_nothing(
    recorded: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question counts the lines of all recorded sessions, and no other sessions."""
    arguments_by_name: dict[str, Any] = {}
    rows = Database.rows

    async def keep(self: Database, name: str, /, **arguments: Any) -> list[dict[str, Any]]:
        arguments_by_name[name] = arguments
        return await rows(self, name, **arguments)

    monkeypatch.setattr(Database, "rows", keep)
    await recorded.causality.find(FREED)
    arguments = arguments_by_name["causality/find"]
    before = await work(recorded, "causality/find", arguments)
    await run_cypher(
        recorded,
        "UNWIND range(1, 1000) AS n CREATE (:Session {realm: $realm, id: 'text' + n, arrivals: 1})",
    )
    assert await work(recorded, "causality/find", arguments) < before + 50
