"""Parts of a graph as pictures and charts, and `asterism view`."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from asterism import demo, statements
from asterism.clock import FixedClock
from asterism.errors import AsterismError, InvalidInput, NotFound
from asterism.exploration.render import html_page
from asterism.graph import Graph
from asterism.view import (
    Kind,
    Node,
    Relationship,
    Subgraph,
    charts,
    drawing,
    style_sheet,
)
from tests.conftest import OpenGraph

ASTERISM = (sys.executable, "-c", "from asterism.cli import main; main()")
LEVEL = "HERRING@10.5"


class Loads(HTMLParser):
    """Collects the addresses that a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        fetching = {"src", "href", "srcset", "data", "poster", "action"}
        self.fetched += [f"{tag} {name}={value}" for name, value in attributes if name in fetching]


def page_data(page: str) -> Any:
    """The data that a page draws."""
    match = re.search(r'<script type="application/json" id="neo4j-viz-data">(.*?)</script>', page)
    assert match is not None
    return json.loads(match[1])


@pytest.mark.slow
async def test_a_star_is_shown_with_what_it_is_joined_to(demo_graph: Graph) -> None:
    subgraph = await demo_graph.view.look("star", "lamp")
    assert subgraph.nodes[0].id == "lamp"
    by_key = {node.key: node for node in subgraph.nodes}
    bonds = await demo_graph.stars.connections("lamp")
    others = {bond.b if bond.a == "lamp" else bond.a for bond in bonds}
    assert others <= {node.id for node in subgraph.nodes if "Star" in node.labels}
    strengths = {
        (by_key[each.start].id, by_key[each.end].id): each.strength
        for each in subgraph.relationships
        if each.type in {bond.type.value for bond in bonds}
    }
    for bond in bonds:
        assert strengths[bond.a, bond.b] == pytest.approx(bond.strength, abs=1e-9)
    assert all(each.start in by_key and each.end in by_key for each in subgraph.relationships)
    assert subgraph.nodes[0].strength == pytest.approx(await _brightness(demo_graph, "lamp"))


@pytest.mark.slow
async def test_a_limit_keeps_the_strongest(demo_graph: Graph) -> None:
    everything = await demo_graph.view.look("star", "lamp")
    start = everything.nodes[0].key
    neighbours = [each for each in everything.relationships if start in (each.start, each.end)]
    best = max(neighbours, key=lambda each: each.strength)
    subgraph = await demo_graph.view.look("star", "lamp", limit=2)
    assert {node.key for node in subgraph.nodes} == {best.start, best.end}


async def test_memories_are_as_strong_as_they_are_now(demo_graph: Graph) -> None:
    for id in ("meridian-lost", LEVEL):
        subgraph = await demo_graph.view.look("memory", id)
        memory = await demo_graph.memories.get(id)
        assert subgraph.nodes[0].id == id
        assert subgraph.nodes[0].strength == pytest.approx(memory.strength, abs=1e-6)
    assert subgraph.nodes[0].labels == ("Memory", "MarketLevel")


async def test_a_run_shows_what_it_crossed_and_created(demo_graph: Graph) -> None:
    [run] = await demo_graph.exploration.runs(1)
    subgraph = await demo_graph.view.look("run", run.id)
    types = {each.type for each in subgraph.relationships}
    assert {"ATTEMPTED", "CAUSES", "LINK", "SIMILAR", "GROWTH_EDGE"} <= types
    created = [node for node in subgraph.nodes if "Narrative" in node.labels]
    assert len(created) == run.created


async def test_a_session_shows_attempts_and_answers(demo_graph: Graph) -> None:
    subgraph = await demo_graph.view.look("session", "lighthouse", limit=40)
    assert len(subgraph.nodes) == 40
    labels = {label for node in subgraph.nodes for label in node.labels}
    assert {"Actor", "Intent", "Consequence"} <= labels
    assert {each.type for each in subgraph.relationships} <= {
        "ATTEMPTED",
        "CAUSES",
        "PROMPTS",
        "LINK",
    }


@pytest.mark.slow
async def test_the_whole_realm_shows_the_strongest_of_each_kind(demo_graph: Graph) -> None:
    subgraph = await demo_graph.view.look(limit=60)
    assert len(subgraph.nodes) == 60
    labels = {label for node in subgraph.nodes for label in node.labels}
    assert {"Star", "Text", "MarketLevel", "Actor", "Intent", "Consequence"} <= labels
    stars = [node.id for node in subgraph.nodes if "Star" in node.labels]
    brightest = [star.id for star in await demo_graph.stars.list(limit=len(stars))]
    assert set(stars) == set(brightest)
    few = await demo_graph.view.look(limit=5)
    assert len({node.labels[:1] for node in few.nodes}) >= 4


async def test_texts_of_a_conversation_are_its_session(graph: Graph) -> None:
    for text in ("The boat is green.", "The oars are red."):
        await graph.memories.remember(text, session="talk")
    subgraph = await graph.view.look("session", "talk")
    assert sorted(label for node in subgraph.nodes for label in node.labels[:1]) == [
        "Memory",
        "Memory",
        "Session",
    ]
    assert {each.type for each in subgraph.relationships} == {"IN_SESSION", "NEXT"}


@pytest.mark.slow
async def test_a_session_without_attempts_is_shown_alone(graph: Graph) -> None:
    lines = [{"line_index": 0, "author_name": "DM", "content": "You see a door."}]
    await graph.causality.record("quiet", lines, dm="DM", players=[])
    subgraph = await graph.view.look("session", "quiet")
    assert [node.id for node in subgraph.nodes] == ["quiet"]


@pytest.mark.slow
async def test_a_level_that_was_archived_keeps_its_chart(graph: Graph, clock: FixedClock) -> None:
    observation = {
        "symbol": "OIL",
        "price": "10",
        "kind": "execution",
        "side": "bid",
        "quantity": 500_000,
    }
    ts = clock.now()
    await graph.memories.observe([observation | {"event_id": "e", "ts": ts}], source="chart")
    [level] = await graph.memories.levels("OIL")
    clock.advance(days=30)
    before = await graph.view.timeline("memory", level.id)
    assert await graph.memories.archive() == 1
    after = await graph.view.timeline("memory", level.id)
    assert after.lines == before.lines
    assert after.lines[0].points[-1].at < ts + timedelta(days=1)


@pytest.mark.slow
async def test_realms_do_not_mix(open_graph: OpenGraph, demo_graph: Graph) -> None:
    other = await open_graph()
    empty = await other.view.look()
    assert (empty.nodes, empty.relationships) == ([], [])
    for kind, id in ((Kind.STAR, "lamp"), (Kind.SESSION, "lighthouse"), (Kind.MEMORY, LEVEL)):
        with pytest.raises(NotFound, match=f"no {kind} '{id}'"):
            await other.view.look(kind, id)
    with pytest.raises(NotFound):
        await other.view.timeline("star", "lamp")
    with pytest.raises(NotFound):
        await other.view.timeline("memory", LEVEL)


async def test_a_wrong_kind_or_id_is_refused_with_a_remedy(demo_graph: Graph) -> None:
    view = demo_graph.view
    for arguments, remedy in (
        (("comet", "x"), "kind='comet': give star, memory, run, session"),
        (("star", None), "id=None: give a kind and an id"),
        ((None, "lamp"), "id='lamp': give a kind and an id"),
    ):
        with pytest.raises(InvalidInput, match=remedy):
            await view.look(*arguments)
    with pytest.raises(InvalidInput, match="limit=0"):
        await view.look(limit=0)
    with pytest.raises(NotFound, match="asterism exploration runs"):
        await view.look("run", "none")
    with pytest.raises(InvalidInput, match="a chart is of a star or a memory"):
        await view.timeline("run", "none")
    with pytest.raises(NotFound, match="a chart of a memory is of a price level"):
        await view.timeline("memory", "meridian-lost")


@pytest.mark.slow
async def test_a_page_needs_nothing_else_and_has_browsers_colours(demo_graph: Graph) -> None:
    subgraph = await demo_graph.view.look("star", "lamp")
    page = drawing.subgraph_page(subgraph)
    loads = Loads()
    loads.feed(page)
    assert loads.fetched == []
    assert not re.search(r"@import|url\(['\"]?(?:https?:)?//", page)
    assert "<title>Asterism: star lamp</title>" in page
    data = page_data(page)
    colours = {node["id"]: node["color"].upper() for node in data["nodes"]}
    assert colours == {
        node.key: style_sheet.node_style(node.labels).color for node in subgraph.nodes
    }
    drawn = {(each["caption"], each["color"].upper()) for each in data["relationships"]}
    types = {each.type for each in subgraph.relationships}
    assert drawn == {(type, style_sheet.relationship_style(type).color) for type in types}


def test_a_caption_cannot_break_out_of_the_page() -> None:
    wild = "</script><script>alert(1)</script>"
    node = Node(key="1", id=wild, labels=("Star",), caption=wild, strength=1.0, text=wild)
    joined = Relationship(start="1", end="1", type="LINK", strength=1.0)
    page = drawing.subgraph_page(
        Subgraph(realm=wild, kind=None, id=None, nodes=[node], relationships=[joined])
    )
    assert "<script>alert" not in page
    assert page_data(page)["nodes"][0]["properties"]["text"] == wild


async def test_a_walk_is_drawn_with_the_same_colours(demo_graph: Graph) -> None:
    walk = await demo_graph.exploration.explore(**demo.QUESTION, dry_run=True)
    data = page_data(html_page(walk))
    colours = {node["id"]: node["color"].upper() for node in data["nodes"]}
    assert colours["ada"] == style_sheet.node_style(["Actor"]).color
    assert colours["lamp"] == style_sheet.node_style(["Star"]).color
    assert len(colours) == len(data["nodes"])
    sizes = {node["id"]: node["size"] for node in data["nodes"]}
    existing = next(f.id for f in walk.narratives if f.id in sizes and f.status == "existing")
    assert sizes[existing] > style_sheet.node_style(["Memory"]).size / 2


async def test_a_levels_strength_over_time_is_what_it_was(demo_graph: Graph) -> None:
    timeline = await demo_graph.view.timeline("memory", LEVEL)
    [line] = timeline.lines
    moments = [point.at for point in line.points]
    assert moments == sorted(moments)
    for point in line.points[:: len(line.points) // 12]:
        memory = await demo_graph.memories.level(LEVEL, at=point.at)
        assert point.strength == pytest.approx(memory.strength, abs=1e-9)
    history = await demo_graph.memories.history(LEVEL)
    counted = [entry.at for entry in history if entry.strength > 0]  # the rest came before it stood
    assert len(timeline.evidence) == len(counted)
    assert moments[0] == min(counted)


@pytest.mark.slow
async def test_connections_over_time_pass_through_every_week_and_change(demo_graph: Graph) -> None:
    timeline = await demo_graph.view.timeline("star", "lamp")
    bonds = await demo_graph.stars.connections("lamp", limit=8)
    assert [line.type for line in timeline.lines] == [bond.type for bond in bonds]
    for line, bond in zip(timeline.lines, bonds, strict=True):
        history = await demo_graph.stars.history(bond.a, bond.b)
        strengths = [point.strength for point in line.points]
        assert set(history.weekly) <= set(strengths)
        assert {change.strength for change in history.changes} <= set(strengths)
        assert strengths[-1] == bond.strength
        moments = [point.at for point in line.points]
        assert moments == sorted(moments)
        assert moments[0] >= bond.created_at
        assert moments[-1] == demo.NOON
    assert len((await demo_graph.view.timeline("star", "lamp", limit=1)).lines) == 1


@pytest.mark.slow
async def test_a_weekly_close_stands_on_its_day(graph: Graph, clock: FixedClock) -> None:
    await graph.stars.add("Sea", id="sea", domain="soul")
    await graph.stars.add("Sail", id="sail", domain="soul")
    await graph.stars.connect("sea", "sail", "RESONANCE")
    clock.advance(days=20)
    await graph.stars.close_day(clock.now().date())
    [line] = (await graph.view.timeline("star", "sea")).lines
    closes = [point.at for point in line.points if point.at.time() == datetime.min.time()]
    thursdays = datetime(1970, 1, 1, tzinfo=UTC)
    assert [(at - timedelta(days=1) - thursdays).days % 7 for at in closes] == [0, 0, 0]


@pytest.mark.slow
async def test_charts_are_svg_or_png(demo_graph: Graph, tmp_path: Path) -> None:
    bonds = await demo_graph.view.timeline("star", "lamp")
    level = await demo_graph.view.timeline("memory", LEVEL)
    drawn = tmp_path / "lamp.svg"
    assert charts.draw(bonds, drawn) == "Wrote"
    text = drawn.read_text()
    for line in bonds.lines:
        assert drawing.short_caption(line.name) in text
        assert style_sheet.relationship_style(line.type).color.lower() in text
    assert charts.draw(bonds, drawn) == "Replaced"
    assert drawn.read_text() == text
    image = tmp_path / "level.PNG"
    charts.draw(level, image)
    assert image.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InvalidInput, match=r"its name ends with \.svg or \.png"):
        charts.refuse_undrawable(tmp_path / "chart.gif")


@pytest.mark.slow
def test_without_the_extra_a_chart_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; from pathlib import Path;"
        "from asterism.view import charts; charts.refuse_undrawable(Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "chart.svg")]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert AsterismError.__name__ in completed.stderr
    assert "pip install 'asterism[charts]'" in completed.stderr


async def _brightness(graph: Graph, id: str) -> float:
    return next(star.brightness for star in await graph.stars.list() if star.id == id)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "names"),
    [
        (
            "CASE WHEN idle <= 0 THEN 1.0 WHEN node.decay = 'exp' THEN exp(-node.rate * idle) "
            "WHEN node.rate * idle < 1 THEN 1 - node.rate * idle ELSE 0.0 END",
            ("view/drawing", "view/strongest"),
        ),
        (
            "WHEN link:LINK THEN 1 - 1 / (1.0 + coalesce(link.weight, 1.0))",
            ("view/drawing", "view/around"),
        ),
        ("CASE WHEN lost < 1 THEN 1 - lost ELSE 0.0 END", ("view/level", "inspect/price_levels")),
    ],
)
def test_statements_share_the_formulas_of_strength(formula: str, names: tuple[str, ...]) -> None:
    for name in names:
        assert formula in " ".join(statements.load(name).text.split()), name
