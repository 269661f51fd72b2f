"""Notebooks show results as tables, and pictures and charts in place."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from pathlib import Path

import pytest

from asterism.causality.models import Chain, ChainStep
from asterism.errors import InvalidInput
from asterism.graph import Graph
from tests.conftest import OpenGraph

HOSTILE = "<script>alert('x')</script> & \"Lyra\" keeps the key"


def cells(html: str) -> list[str]:
    """The cells of a table, and that it is well formed."""
    tree = ElementTree.fromstring(html)
    return [cell.text or "" for cell in tree.iter("td")]


@pytest.mark.slow
async def test_results_are_tables_in_which_no_text_is_html(graph: Graph) -> None:
    memory = await graph.memories.remember(HOSTILE, id="key", tags=["a", "b"])
    assert HOSTILE in cells(memory._repr_html_())
    assert "a, b" in cells(memory._repr_html_())
    answer = await graph.recall.find("Where is the key?")
    score, certainty, _, text, why = cells(answer._repr_html_())
    assert (text, certainty) == (HOSTILE, answer.hits[0].certainty.value)
    assert float(score) == pytest.approx(answer.hits[0].score, abs=0.001)
    assert why == answer.hits[0].why
    assert HOSTILE in cells((await graph.memories.list())._repr_html_())
    star = await graph.stars.add("Keep the lamp <b>burning</b>", id="lamp", domain="purpose")
    assert "Keep the lamp <b>burning</b>" in cells(star._repr_html_())
    picture = await graph.view.look()
    assert "Flickering" in str(cells(picture._repr_html_()))


@pytest.mark.slow
async def test_an_exploration_and_a_chain_are_tables(graph: Graph) -> None:
    await graph.exploration.add("actor", "Ada", id="ada")
    walk = await graph.exploration.explore("ada", "Why <does> Ada sleep?", dry_run=True)
    assert "Why &lt;does&gt; Ada sleep?" in walk._repr_html_()
    step = ChainStep(
        id="i", session_id="s", kind="intent", by=None, anchor_index=3, actor="Ada", type="ATTACK",
        strength=None, text=HOSTILE, line_gap=None, score=None,
    )  # fmt: skip
    assert cells(Chain(steps=[step])._repr_html_())[-1] == HOSTILE


@pytest.mark.slow
async def test_a_picture_is_shown_in_a_frame_and_written_to_a_file(
    graph: Graph, tmp_path: Path
) -> None:
    await graph.stars.add("Sea", id="sea", domain="health")
    file = tmp_path / "sea.html"
    page = await graph.view.html("star", "sea", file=file)
    assert file.read_text() == page
    frame = page._repr_html_()
    source = re.search(r'srcdoc="([^"]*)"', frame)
    assert source is not None
    assert unescape(source[1]) == page
    assert 'sandbox="allow-scripts"' in frame
    with pytest.raises(InvalidInput, match="file"):
        await graph.view.html(file=tmp_path / "no" / "where.html")


@pytest.mark.slow
async def test_a_chart_is_an_svg(open_graph: OpenGraph, tmp_path: Path) -> None:
    graph = await open_graph()
    for id in ("sea", "sleep"):
        await graph.stars.add(id, id=id, domain="health")
    await graph.stars.connect("sea", "sleep", "TENSION")
    file = tmp_path / "sea.svg"
    chart = await graph.view.chart("star", "sea", file=file)
    assert file.read_text() == chart == chart._repr_html_()
    assert ElementTree.fromstring(chart).tag.endswith("svg")
    timeline = await graph.view.timeline("star", "sea")
    assert "TENSION" in cells(timeline._repr_html_())
    with pytest.raises(InvalidInput, match="svg"):
        await graph.view.chart("star", "sea", file="sea.gif")
