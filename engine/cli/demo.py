"""`asterism demo`: a small world that uses every part, and its story told in figures."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import output
from engine.cli.output import AsJson

if TYPE_CHECKING:
    from engine.exploration import Exploration
    from engine.graph import Graph

STATEMENTS = [
    "MATCH p = (:Star {realm: 'demo'})-[]-(:Star) RETURN p",
    "MATCH p = (:Actor {realm: 'demo', id: 'ada'})-[:ATTEMPTED]->()-[:CAUSES]->() RETURN p",
    "MATCH p = (:Actor {realm: 'demo', id: 'ada'})-[:ATTEMPTED]->()-[:CAUSES]->()-[:LINK]->(:Star)"
    "--(:Star)-[:LINK]->(:Memory)-[:SIMILAR]-() RETURN p LIMIT 50",
]
Chapter = tuple[str, list[str]]
WIDTH = 110


def demo(
    reset: Annotated[
        bool, typer.Option("--reset", help="Delete the realm 'demo' and build it anew.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Build a small town in the realm "demo", with every part at work, and tell what came of it.

    Under a minute once the server is there. A second time it only tells.
    """
    import asyncio

    chapters, browser = asyncio.run(_built_and_told(reset))
    if json:
        output.as_json(
            {
                "chapters": [{"title": title, "lines": lines} for title, lines in chapters],
                "browser": browser,
                "statements": STATEMENTS,
            }
        )
        return
    for title, lines in chapters:
        output.say(f"\n[bold]{title}[/bold]")
        for line in lines:
            output.say(f"  {output.plain(line)}")
    output.say(f"\n[bold]Look at it in Neo4j Browser[/bold]  {browser}")
    output.say("[dim]User and password: asterism status --show-password. Paste one of these:[/dim]")
    for statement in STATEMENTS:
        output.say(f"  {output.plain(statement)}")


async def _built_and_told(reset: bool) -> tuple[list[Chapter], str]:
    from engine import demo as world
    from engine.clock import FixedClock
    from engine.errors import Conflict, NotFound
    from engine.graph import Graph

    clock = FixedClock(world.NOON)
    if reset:
        async with Graph.open(realm=world.REALM) as graph:
            await graph.realms.delete(world.REALM)
    async with Graph.open(realm=world.REALM, clock=clock) as graph:
        if await world.standing(graph):
            walk = await graph.exploration.explore(**world.QUESTION, dry_run=True)
        else:
            walk = await _build(graph, clock)
        try:
            return await tell(graph, walk), _browser(graph)
        except (LookupError, ValueError, NotFound) as error:
            remedy = "start over with `asterism demo --reset`"
            raise Conflict(f"a part of the demo is gone ({error}): {remedy}") from error


async def _build(graph: "Graph", clock: Any) -> "Exploration":
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from engine.demo import build

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("")
        return await build(graph, clock, lambda what: progress.update(task, description=what))


def _browser(graph: "Graph") -> str:
    """Where Browser is: the local server's, or that of the server in NEO4J_URI."""
    from engine.local import server
    from engine.local.home import home

    state = server.running(home())
    if state is not None and state.uri == graph.uri:
        return state.browser
    return f"the Browser of {graph.uri}"


async def tell(graph: "Graph", walk: "Exploration") -> list[Chapter]:
    """One chapter a part; `walk` is the exploration of the last one."""
    return [
        await _memories(graph),
        await _recall(graph),
        await _stars(graph),
        await _causality(graph),
        await _market(graph),
        await _exploration(graph, walk),
    ]


async def _memories(graph: "Graph") -> Chapter:
    stats = await graph.realms.stats()
    twin = await graph.memories.get("piet-scales-again")
    edges = await graph.consolidation.edges("meridian-lost", limit=3)
    apart = await graph.consolidation.explain("piet-scales", "oil-sold")
    return _chapter(
        "A year of texts finds its order",
        f"{stats.nodes['Text']} texts, {stats.relationships['SIMILAR']} edges that nobody drew.",
        f"“{twin.text}” says what {twin.duplicate_of} said: archived.",
        "“The Meridian was lost with all hands…” stands next to",
        *(f"  {edge.effective_weight:.2f}  {edge.text}" for edge in edges),
        f"Why are {apart.a} and {apart.b} not joined? {apart.reason}.",
    )


async def _recall(graph: "Graph") -> Chapter:
    asked = "Who let the lamp go out?"
    found = await graph.recall.find(asked, k=2)
    told = [line for hit in found.hits for line in (f"  {hit.text}", f"    {hit.why}")]
    return _chapter("A question is answered, with the reason", asked, *told)


async def _stars(graph: "Graph") -> Chapter:
    found = await graph.stars.list()
    lines = [f"  {star.brightness:.2f}  {star.state:<10}  {star.name}" for star in found]
    bond = await graph.stars.connection("lamp", "sea")
    told = []
    if bond is not None:
        weeks = (await graph.stars.history("lamp", "sea")).weekly
        told = [f"lamp → sea by week  {output.bars(weeks)}  {bond.strength:.2f}", f"  {bond.why}"]
    feared = await graph.stars.history("dark", "sleep")
    told += [
        f"dark → sleep fell asleep on {change.at:%d %B}: {change.rule}"
        for change in feared.changes
        if change.after == "DORMANT"
    ]
    return _chapter("Ten weeks of what Lyra cares about", *lines, *told)


async def _causality(graph: "Graph") -> Chapter:
    lines = [
        f"{told.id}: {told.lines} lines, {told.claimed} of {told.intents} attempts answered"
        for told in await graph.causality.sessions()
    ]
    links = await graph.causality.links("lighthouse", actor="ada", strength="strong")
    [lit, *_] = [link for link in links if link.intent_text == "I light the lamp."]
    lines.append(f"  Ada, line {lit.intent_anchor_index}: {lit.intent_text}")
    lines.append(f"  line {lit.consequence_anchor_index}, {lit.score:.2f}: {lit.consequence_text}")
    return _chapter("Two evenings: who attempted what, and what came of it", *lines)


async def _market(graph: "Graph") -> Chapter:
    from engine.demo import NOON

    lines = []
    for minutes in (0, 30, 90):
        then = NOON + timedelta(minutes=minutes)
        levels = await graph.memories.levels("HERRING", at=then)
        told = "  ".join(f"{level.center} ({level.strength:.2f})" for level in levels)
        lines.append(f"{then:%H:%M}  {told}")
    lines.append("What is not seen again fades; levels that faded are gone from the list.")
    return _chapter(
        "What the market remembers: prices of herring, and how strong each still is", *lines
    )


async def _exploration(graph: "Graph", walk: "Exploration") -> Chapter:
    """The way as it can be walked now, the figures of the walk that changed the graph."""
    from engine.demo import WALK

    [first] = [run for run in await graph.exploration.runs(1000) if run.id == WALK]
    told = {node.id: node.content or node.name for node in walk.nodes}
    ways = [path for finding in walk.narratives for path in finding.paths]
    way = max(ways, key=lambda path: (len({step.type for step in path.steps}), -len(path.steps)))
    lines = [f"Ada asks: {walk.query} To {walk.intention}.", f"  {told[way.start]}"]
    lines += [f"  -{step.type}→ {told.get(step.node, step.name)}" for step in way.steps]
    lines.append(f"{first.hops} hops in {first.reads} reads, {first.created} new narratives")
    return _chapter("One walk crosses causes, stars, links and memories", *lines)


def _chapter(title: str, *lines: str) -> Chapter:
    return title, [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in lines]
