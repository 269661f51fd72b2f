"""Filters as a person types them: list, count, recall and forget."""

import json

import pytest

from asterism.cli import filter_options
from asterism.errors import InvalidInput
from asterism.graph import Graph
from tests.support.command_line import CommandLine


@pytest.mark.parametrize(
    ("typed", "where"),
    [
        (["source=mail"], {"source": {"eq": "mail"}}),
        (["page>=3", "page<9"], {"page": {"ge": 3, "lt": 9}}),
        (["page != 3.5"], {"page": {"ne": 3.5}}),
        (["page > -2", "share<=1e3"], {"page": {"gt": -2}, "share": {"le": 1000.0}}),
        (["read=true", 'page="3"'], {"read": {"eq": True}, "page": {"eq": "3"}}),
        (["page~in 1, 2,x"], {"page": {"in": [1, 2, "x"]}}),
        (["a="], {"a": {"eq": ""}}),
        (['a="b'], {"a": {"eq": '"b'}}),
        (['a="b\\"'], {"a": {"eq": '"b\\"'}}),
    ],
)
def test_comparisons_are_read_as_they_are_typed(typed: list[str], where: object) -> None:
    assert filter_options.parse_comparisons(typed) == where


@pytest.mark.parametrize("typed", [["page"], ["=3"], ["page=3", "page=4"]])
def test_what_is_no_comparison_is_refused(typed: list[str]) -> None:
    with pytest.raises(InvalidInput) as refusal:
        filter_options.parse_comparisons(typed)
    assert refusal.value.argument == "where"


def test_metadata_are_read_as_they_are_typed() -> None:
    typed = ["page=3", "source=mail", "read=false", "a=b=c"]
    assert filter_options.parse_metadata_options(typed) == {
        "page": 3,
        "source": "mail",
        "read": False,
        "a": "b=c",
    }
    with pytest.raises(InvalidInput, match="key=value"):
        filter_options.parse_metadata_options(["page"])


@pytest.mark.slow
async def test_texts_are_listed_counted_and_forgotten(
    graph: Graph, command_line: CommandLine
) -> None:
    realm = ("--realm", graph.realm)
    for number in range(5):
        command_line.output(
            *("memory", "add", f"The lamp burns on day {number}.", "--id", f"m{number}"),
            *("--meta", f"page={number}", "--meta", "source=log", "--speaker", "Ana", *realm),
        )
    shown = command_line.output("memory", "list", "--where", "page>=1", "--limit", "3", *realm)
    assert "The lamp burns on day 4." in " ".join(shown.split())
    assert "--after" in shown
    page = json.loads(
        command_line.output("memory", "list", "--order", "id", "--limit", "2", "--json", *realm)
    )
    assert [item["id"] for item in page["items"]] == ["m0", "m1"]
    assert page["items"][1]["metadata"] == {"page": 1, "source": "log"}
    rest = command_line.output("memory", "list", "--order", "id", "--after", page["next"], *realm)
    assert "m2" in rest
    assert "m1" not in rest
    assert command_line.output("memory", "count", "--speaker", "Ana", *realm).strip() == "5"
    counted = command_line.output("memory", "count", "--where", "page~in 1,2", "--json", *realm)
    assert json.loads(counted) == {"count": 2}
    assert "No text passes." in command_line.output("memory", "list", "--tag", "none", *realm)
    answer = command_line.output("recall", "Which lamp?", "--where", "page=3", "--json", *realm)
    assert [hit["id"] for hit in json.loads(answer)["hits"]] == ["m3"]
    refused = command_line.run("memory", "forget", "--where", "page<2", *realm)
    assert refused.returncode != 0
    assert "Forget 2 texts (page < 2)" in refused.stderr
    assert "m1: The lamp burns on day 1." in refused.stderr
    receipt = command_line.output("memory", "forget", "--where", "page<2", "--yes", *realm)
    assert receipt.startswith("Forgot 2 texts:")
    assert "Nothing that names it is left." in receipt
    again = command_line.output("memory", "forget", "--where", "page<2", "--yes", *realm)
    assert "No text passes." in again
    assert "give a condition" in command_line.run("memory", "forget", *realm).stderr
    both = command_line.run("memory", "forget", "m3", "--speaker", "Ana", *realm)
    assert "but not both" in both.stderr
    assert await graph.memories.count() == 3
