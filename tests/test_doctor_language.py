"""The doctor warns where the model of a realm does not know the language of its texts."""

import json
from pathlib import Path

import pytest

from asterism import doctor
from asterism.text import languages
from benchmarks.recall import LANGUAGES, shipped
from tests.conftest import OpenGraph
from tests.test_embedding import Letters


def texts(name: str) -> list[str]:
    content = json.loads(Path(LANGUAGES / f"{name}.json").read_text("utf-8"))
    return [row["text"] for row in content["passages"]]


@pytest.mark.parametrize("name", shipped())
def test_the_language_of_a_realm_is_guessed(name: str) -> None:
    assert languages.of_most(texts(name)) == name


@pytest.mark.parametrize(
    ("chosen", "language"),
    [
        ([], None),
        (["42", "!!"], None),
        (["The ferry to the island leaves at six.", "I am at the harbour."], "en"),
        (["The ferry leaves at six in the morning.", "我的猫在睡觉"], None),
        (["我用Neo4j写了一个程序", "Python的版本是3.11"], "zh"),
    ],
)
def test_few_or_mixed_texts_have_no_language(chosen: list[str], language: str | None) -> None:
    assert languages.of_most(chosen) == language


@pytest.mark.slow
async def test_a_model_that_does_not_fit_is_named_with_the_command(open_graph: OpenGraph) -> None:
    graph = await open_graph()
    await graph.memories.remember_many({"text": text} for text in texts("zh")[:8])
    await graph.recall.find("猫")
    *_, check = await doctor._realm(graph.database)
    assert (check.name, check.ok) == ("language", True)
    command = f"`asterism realm reembed {graph.realm} --model bge-small-zh-v1.5-q`"
    assert check.remedy == command
    await graph.realms.reembed("bge-small-zh")
    *_, check = await doctor._realm(graph.database)
    assert (check.name, check.remedy) == ("language", "")


@pytest.mark.slow
async def test_a_language_without_a_model_of_ours_asks_for_one_of_yours(
    open_graph: OpenGraph,
) -> None:
    graph = await open_graph()
    await graph.memories.remember_many({"text": text} for text in texts("th")[:8])
    await graph.recall.find("แมว")
    *_, check = await doctor._realm(graph.database)
    assert "--model FOLDER" in check.remedy
    own = await open_graph(embedder=Letters())
    await own.memories.remember_many({"text": text} for text in texts("th")[:8])
    await own.recall.find("แมว")
    assert [check.name for check in await doctor._realm(own.database)] == ["realm"]
