"""`asterism demo`: a small world that uses every part, and its story told in figures."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

from asterism.cli import output
from asterism.cli.options import option
from asterism.cli.progress import columns_bar
from asterism.cli.runner import Answer, command

if TYPE_CHECKING:
    from asterism.clock import FixedClock
    from asterism.exploration import Exploration
    from asterism.graph import Graph

STATEMENTS = [
    "MATCH p = (:Star {realm: 'demo'})-[]-(:Star) RETURN p",
    "MATCH p = (:Actor {realm: 'demo', id: 'ada'})-[:ATTEMPTED]->()-[:CAUSES]->() RETURN p",
    "MATCH p = (:Actor {realm: 'demo', id: 'ada'})-[:ATTEMPTED]->()-[:CAUSES]->()-[:LINK]->(:Star)"
    "--(:Star)-[:LINK]->(:Memory)-[:SIMILAR]-() RETURN p LIMIT 50",
]
Chapter = tuple[str, list[str]]
WIDTH = 110


@command()
def demo(
    answer: Answer,
    reset: Annotated[bool, option("Delete the realm 'demo' and build it anew.", "--reset")] = False,
) -> None:
    """Build a small town in the realm "demo", with every part at work, and tell what came of it.

    Under a minute once the server is there. A second time it only tells.
    """
    import asyncio

    chapters, browser = asyncio.run(_build_and_tell(reset))
    document = {
        "chapters": [{"title": title, "lines": lines} for title, lines in chapters],
        "browser": browser,
        "statements": STATEMENTS,
    }
    answer.show(document, lambda: _print_story(chapters, browser))


def _print_story(chapters: list[Chapter], browser: str) -> None:
    for title, lines in chapters:
        output.print_markup(f"\n[bold]{title}[/bold]")
        for line in lines:
            output.print_text(f"  {line}")
    output.print_markup(f"\n[bold]Look at it in Neo4j Browser[/bold]  {browser}")
    output.print_dim("User and password: asterism status --show-password. Paste one of these:")
    for statement in STATEMENTS:
        output.print_text(f"  {statement}")


async def _build_and_tell(reset: bool) -> tuple[list[Chapter], str]:
    from asterism import demo as world
    from asterism.clock import FixedClock
    from asterism.errors import Conflict, NotFound
    from asterism.graph import Graph

    clock = FixedClock(world.NOON)
    if reset:
        async with Graph.open(realm=world.REALM) as graph:
            await graph.realms.delete(world.REALM)
    async with Graph.open(realm=world.REALM, clock=clock) as graph:
        if await world.is_built(graph):
            walk = await graph.exploration.explore(**world.QUESTION, dry_run=True)
        else:
            walk = await _build(graph, clock)
        try:
            return await tell(graph, walk), _browser(graph)
        except (LookupError, ValueError, NotFound) as error:
            remedy = "start over with `asterism demo --reset`"
            raise Conflict(f"a part of the demo is gone ({error}): {remedy}") from error


async def _build(graph: "Graph", clock: "FixedClock") -> "Exploration":
    from rich.progress import TimeElapsedColumn

    from asterism.demo import build

    with columns_bar("", TimeElapsedColumn()) as update:
        return await build(graph, clock, lambda stage: update(description=stage))


def _browser(graph: "Graph") -> str:
    """Return the address of Browser: the local server's, or that of the server in NEO4J_URI."""
    from asterism.local import server
    from asterism.local.home import home

    state = server.running(home())
    if state is not None and state.uri == graph.uri:
        return state.browser
    return f"the Browser of {graph.uri}"


async def tell(graph: "Graph", walk: "Exploration") -> list[Chapter]:
    """Return one chapter a part. `walk` is the exploration of the last one."""
    return [
        await _memories(graph),
        await _recall(graph),
        await _exploration(graph),
        await _stars(graph),
        await _causality(graph),
        await _market(graph),
        await _walk(graph, walk),
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
        *(
            f"  {edge.effective_weight:.2f}  {edge.text} Both say: {', '.join(edge.shared)}."
            for edge in edges
        ),
        f"Why are {apart.a} and {apart.b} not joined? {apart.reason}.",
    )


async def _recall(graph: "Graph") -> Chapter:
    question = "Who let the lamp go out?"
    answers = await graph.recall.find(question, k=2)
    lines = [line for hit in answers.hits for line in (f"  {hit.text}", f"    {hit.why}")]
    return _chapter("A question is answered, with the reason", question, *lines)


async def _stars(graph: "Graph") -> Chapter:
    stars = await graph.stars.list()
    lines = [f"  {star.brightness:.2f}  {star.state:<10}  {star.name}" for star in stars]
    connection = await graph.stars.connection("lamp", "sea")
    if connection is not None:
        weeks = output.bars((await graph.stars.history("lamp", "sea")).weekly)
        lines.append(f"lamp → sea by week  {weeks}  {connection.strength:.2f}")
        lines.append(f"  {connection.why}")
    fear = await graph.stars.history("dark", "sleep")
    lines += [
        f"dark → sleep fell asleep on {change.at:%d %B}: {change.rule}"
        for change in fear.changes
        if change.after == "DORMANT"
    ]
    return _chapter("Ten weeks of what Lyra cares about", *lines)


async def _causality(graph: "Graph") -> Chapter:
    lines = [
        f"{each.id}: {each.lines} lines, {each.claimed} of {each.intents} attempts answered"
        for each in await graph.causality.sessions()
    ]
    links = await graph.causality.links("lighthouse", actor="ada", strength="strong")
    [link, *_] = [link for link in links if link.intent_text == "I light the lamp."]
    lines.append(f"  Ada, line {link.intent_anchor_index}: {link.intent_text}")
    lines.append(
        f"  line {link.consequence_anchor_index}, {link.score:.2f}: {link.consequence_text}"
    )
    return _chapter("Two evenings: who attempted what, and what came of it", *lines)


async def _market(graph: "Graph") -> Chapter:
    from asterism.demo import NOON

    lines = []
    for minutes in (0, 30, 90):
        time = NOON + timedelta(minutes=minutes)
        levels = await graph.memories.levels("HERRING", at=time)
        prices = "  ".join(f"{level.center} ({level.strength:.2f})" for level in levels)
        lines.append(f"{time:%H:%M}  {prices}")
    lines.append("What is not seen again fades; levels that faded are gone from the list.")
    return _chapter(
        "What the market remembers: prices of herring, and how strong each still is", *lines
    )


async def _exploration(graph: "Graph") -> Chapter:
    question = "Where is the second key?"
    exploration = await graph.exploration.explore(None, question, dry_run=True)
    lines = [f"  {finding.content}" for finding in exploration.narratives[:2]]
    for connection in exploration.connections[:1]:
        lines.append(f"joined by: {', '.join(connection.joined_by)}")
    return _chapter("An exploration adds what joins the answers", question, *lines)


async def _walk(graph: "Graph", walk: "Exploration") -> Chapter:
    """Return the path as it can be walked now, with the figures of the walk that was committed."""
    from asterism.demo import WALK

    [run] = [run for run in await graph.exploration.runs(1000) if run.id == WALK]
    texts = {node.id: node.content or node.name for node in walk.nodes}
    paths = [path for finding in walk.narratives for path in finding.paths]
    path = max(paths, key=lambda path: (len({step.type for step in path.steps}), -len(path.steps)))
    lines = [f"Ada asks: {walk.query} To {walk.intention}.", f"  {texts[path.start]}"]
    lines += [f"  -{step.type}→ {texts.get(step.node, step.name)}" for step in path.steps]
    lines.append(f"{run.hops} hops in {run.reads} reads, {run.created} new narratives")
    return _chapter("One walk crosses causes, stars, links and memories", *lines)


def _chapter(title: str, *lines: str) -> Chapter:
    return title, [output.shorten(line, WIDTH) for line in lines]
