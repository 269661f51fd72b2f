"""The memory of an agent of Pydantic AI, with its test models."""

import asyncio
from typing import Any

import pytest
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.integrations.pydantic_ai import HEADING, INSTRUCTIONS, AsterismMemory
from tests.conftest import OpenGraph


def shown(messages: list[ModelMessage]) -> list[str]:
    """The texts of users that a model sees."""
    return [
        str(part.content)
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]


class Listener:
    """A model that says the same at every request, and keeps what it was shown."""

    def __init__(self, answer: str = "Noted.") -> None:
        self.answer = answer
        self.requests: list[list[ModelMessage]] = []
        self.infos: list[AgentInfo] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.requests.append(messages)
        self.infos.append(info)
        return ModelResponse([TextPart(self.answer)])


@pytest.mark.slow
async def test_a_request_shows_what_answers_the_question_and_history_stays_clean(
    graph: Graph,
) -> None:
    await graph.memories.remember("Ana is allergic to peanuts.")
    listener = Listener()
    agent = Agent(FunctionModel(listener), capabilities=[AsterismMemory(graph)])
    result = await agent.run("What must Ana not eat?")
    question, context = shown(listener.requests[0])
    assert question == "What must Ana not eat?"
    assert context.startswith(HEADING)
    assert "allergic to peanuts" in context
    assert shown(result.all_messages()) == ["What must Ana not eat?"]
    assert INSTRUCTIONS in str(listener.infos[0].instructions)
    assert "peanuts" not in str(listener.infos[0].instructions)


@pytest.mark.slow
async def test_a_run_is_remembered_once_and_goes_on_later(graph: Graph) -> None:
    agent = Agent(FunctionModel(Listener()), capabilities=[AsterismMemory(graph, session="monday")])
    first = await agent.run("My sister Leonor lives in Porto.")
    await agent.run("She has a boat.", message_history=first.all_messages())
    texts = [str(memory.text) async for memory in graph.memories.each()]
    assert sorted(texts) == [
        "My sister Leonor lives in Porto.",
        "Noted.",
        "Noted.",
        "She has a boat.",
    ]
    assert await graph.memories.count(session="monday") == 4
    listener = Listener()
    later = Agent(FunctionModel(listener), capabilities=[AsterismMemory(graph)])
    await later.run("Where does Leonor live?")
    assert "lives in Porto" in shown(listener.requests[0])[1]


@pytest.mark.slow
async def test_a_conversation_has_its_own_session(graph: Graph) -> None:
    agent = Agent(FunctionModel(Listener()), capabilities=[AsterismMemory(graph)])
    first = await agent.run("The lamp is out.")
    await agent.run("It is lit again.", message_history=first.all_messages())
    await agent.run("Another day.")
    sessions = {memory.session async for memory in graph.memories.each()}
    assert len(sessions) == 2


@pytest.mark.slow
async def test_every_tool_works_as_the_test_model_calls_it(graph: Graph) -> None:
    memory = await graph.memories.remember("The boat leaves at noon.", id="a")
    capability = AsterismMemory(graph, remember_runs=False)
    model = TestModel(call_tools=["recall", "remember"])
    result = await Agent(model, capabilities=[capability]).run("boat")
    assert await graph.memories.count() == 2
    [hit, *_] = await capability.recall("When does the boat leave?")
    assert (hit["id"], hit["text"]) == ("a", memory.text)
    assert hit["why"]
    assert hit["score"] > 0
    assert result.output


@pytest.mark.slow
async def test_a_model_corrects_a_memory_and_hears_of_its_mistakes(graph: Graph) -> None:
    await graph.memories.remember("Ana lives in Porto.", id="home")
    answers: list[Any] = []

    def script(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        last = messages[-1]
        answers.append([getattr(part, "content", None) for part in last.parts])
        calls = [{"id": "nobody", "text": "x"}, {"id": "home", "text": "Ana lives in Lisbon."}]
        if len(answers) <= len(calls):
            return ModelResponse([ToolCallPart("correct", calls[len(answers) - 1])])
        return ModelResponse([TextPart("Done.")])

    capability = AsterismMemory(graph, remember_runs=False)
    await Agent(FunctionModel(script), capabilities=[capability]).run("Ana has moved.")
    assert "nobody" in str(answers[1])
    assert "corrected by" in str(answers[2])
    assert (await graph.recall.find("Where does Ana live?", k=1)).hits[0].text.endswith("Lisbon.")


@pytest.mark.slow
async def test_an_actor_sees_and_corrects_their_own_alone(graph: Graph) -> None:
    await graph.memories.remember("Leo owes money to the bank.", actor="leo", id="debt")
    listener = Listener()
    capability = AsterismMemory(graph, actor="ana", session="s")
    agent = Agent(FunctionModel(listener), capabilities=[capability])
    await agent.run("Who owes money?")
    assert "bank" not in str(shown(listener.requests[0]))
    assert "bank" not in str(await capability.recall("Who owes money?"))
    with pytest.raises(Exception, match="debt"):
        await capability.correct("debt", "Nobody owes anything.")
    assert await graph.memories.count(actor="ana") == 2


async def test_runs_at_once_do_not_share_what_they_were_shown(open_graph: OpenGraph) -> None:
    graph = await open_graph()
    await graph.memories.remember("The boat leaves at noon.")
    await graph.memories.remember("Ana is allergic to peanuts.")
    listener = Listener()
    capability = AsterismMemory(graph, remember_runs=False)
    agent = Agent(FunctionModel(listener), capabilities=[capability])
    await asyncio.gather(agent.run("When does the boat leave?"), agent.run("What harms Ana?"))
    contexts = {texts[0]: texts[1] for texts in map(shown, listener.requests)}
    assert "noon" in contexts["When does the boat leave?"]
    assert "peanuts" in contexts["What harms Ana?"]


def test_a_graph_that_is_not_open_is_refused() -> None:
    with pytest.raises(InvalidInput, match="open Graph"):
        AsterismMemory(Graph.open(realm="closed"))
