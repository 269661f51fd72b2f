"""`asterism memory`: texts to remember, and price levels that were."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm, Unasked

if TYPE_CHECKING:
    from engine.graph import Graph
    from engine.memories import Forgotten, HistoryEntry, MarketLevel, Memory
    from engine.settings.memories import Lasts

app = typer.Typer(no_args_is_help=True, help="What is remembered, and how strong it still is.")

BAR = 32
OF_TEXTS = ("waiting",)  # said of texts alone
BESIDE_BAR = 62
COLOURS = {"bid": "green", "ask": "red", "both": "cyan"}
Id = Annotated[str, typer.Argument(help="The memory's id, such as ETHUSDT@2681.62.")]
Symbol = Annotated[str, typer.Argument(help="The symbol, such as ETHUSDT.")]
At = Annotated[str | None, typer.Option(help=f"As of this time; none: now. {output.TIMES}")]
OfSide = Annotated[str | None, typer.Option(help="bid, ask or both.")]
Minimum = Annotated[float, typer.Option(help="Only what is at least this strong.")]
Limit = Annotated[int, typer.Option(min=1, help="At most so many.")]


@app.command()
def add(
    text: Annotated[str, typer.Argument(help="What to remember.")],
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be repeated.")] = None,
    category: Annotated[str, typer.Option(help="What kind of text it is.")] = "",
    actor: Annotated[str | None, typer.Option(help="Whose memory it is.")] = None,
    session: Annotated[str | None, typer.Option(help="The conversation it is from.")] = None,
    speaker: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    about: Annotated[str | None, typer.Option(help="What it is about.")] = None,
    at: Annotated[
        str | None, typer.Option(help=f"When it was said; none: now. {output.TIMES}")
    ] = None,
    id: Annotated[str | None, typer.Option(help="An id of your own.")] = None,
    lasts: Annotated[
        str | None, typer.Option(help="ephemeral, standard, durable or permanent; none: durable.")
    ] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Remember a text; the same again is the same memory."""
    when = asking.time("at", at)

    async def ask(graph: "Graph") -> None:
        memory = await graph.memories.remember(
            text,
            tags=tag or [],
            category=category,
            actor=actor,
            session=session,
            speaker=speaker,
            about=about,
            at=when,
            id=id,
            lasts=cast("Lasts | None", lasts),
        )
        if json:
            output.as_json(memory)
        else:
            facts = {"id": memory.id, "text": memory.text, "lasts": _lifetime(memory)}
            output.pairs("Remembered", facts)

    asking.run(realm, ask, may_be_new=True)


@app.command()
def show(id: Id, at: At = None, realm: InRealm = "default", json: AsJson = False) -> None:
    """Show one memory, as strong as it is."""
    when = asking.time("at", at)

    async def ask(graph: "Graph") -> None:
        memory = await graph.memories.get(id, at=when)
        facts = memory.model_dump(mode="json")
        if json:
            output.as_json(facts)
            return
        title = f"{_bar(memory.strength, BAR)} {memory.strength:.4f}"
        left_out = OF_TEXTS if memory.kind == "market" else ()
        shown = {key: value for key, value in facts.items() if key not in left_out}
        output.pairs(title, {key: value for key, value in shown.items() if value not in (None, [])})

    asking.run(realm, ask)


@app.command()
def near(
    symbol: Symbol,
    price: Annotated[str, typer.Argument(help="The price to look around.")],
    bps: Annotated[float, typer.Option(help="How far, in basis points of the price.")] = 50.0,
    side: OfSide = None,
    minimum: Minimum = 0.0,
    at: At = None,
    limit: Limit = 20,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Chart the strongest levels near a price."""
    wanted = {"near": price, "bps": bps, "side": side, "minimum": minimum, "limit": limit}
    _levels(symbol, wanted | {"at": asking.time("at", at)}, realm, json=json)


@app.command()
def levels(
    symbol: Symbol,
    side: OfSide = None,
    minimum: Minimum = 0.0,
    at: At = None,
    limit: Limit = 20,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Chart a symbol's strongest levels."""
    wanted = {"side": side, "minimum": minimum, "limit": limit, "at": asking.time("at", at)}
    _levels(symbol, wanted, realm, json=json)


@app.command()
def history(id: Id, limit: Limit = 50, realm: InRealm = "default", json: AsJson = False) -> None:
    """List what a memory was made of, newest first, and its strength after each."""

    async def ask(graph: "Graph") -> None:
        entries = await graph.memories.history(id, limit=limit)
        if json:
            output.as_json(entries)
            return
        rows = [_entry(entry) for entry in entries]
        output.table(["at", "kind", "quantity", "strength", "effect", "source"], rows)

    asking.run(realm, ask)


@app.command()
def reinforce(
    id: Id,
    kind: Annotated[
        str, typer.Argument(help="recall, repetition, confirmation, contradiction or outcome.")
    ] = "recall",
    quantity: Annotated[float, typer.Option(help="Of an outcome: from 0, bad, to 1, good.")] = 1.0,
    at: Annotated[str | None, typer.Option(help=f"When it was. {output.TIMES}")] = None,
    event_id: Annotated[str | None, typer.Option(help="The same event counts once.")] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Say that a text was of use, or was wrong."""
    when = asking.time("at", at)
    found = asking.run(
        realm,
        lambda graph: graph.memories.reinforce(
            id, kind, quantity=quantity, at=when, event_id=event_id
        ),
    )
    if json:
        output.as_json(found)
    else:
        left = f"{found.state.value} at {found.strength:.4f}, confidence {found.confidence:.2f}"
        output.say(f"{output.plain(id)} is {left}.")


@app.command()
def forget(
    id: Id,
    yes: Unasked = False,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Remove a memory and all that names it, its vector too."""
    if not yes:
        typer.confirm(f"Forget {id!r} and all it was made of?", abort=True, err=True)

    async def work(graph: "Graph") -> None:
        gone = await graph.memories.forget(id)
        if json:
            output.as_json(gone)
        elif gone.memories:
            relationships = sum(gone.relationships.values()) + sum(gone.ties.values())
            output.say(
                f"Forgot {output.plain(id)}: {gone.evidence} pieces of evidence, "
                f"{relationships} relationships, {gone.names} names and {gone.terms} words went "
                "with it. " + _left(gone)
            )
            if gone.repeats:
                said = ", ".join(map(output.plain, gone.repeats))
                output.say(f"The same words are still remembered as {said}.")
        else:
            output.say(f"There was no memory {output.plain(id)} in this realm.")

    asking.run(realm, work)


@app.command()
def archive(at: At = None, realm: InRealm = "default", json: AsJson = False) -> None:
    """Mark what has faded below its end; what you read never depends on it."""
    when = asking.time("at", at)

    async def work(graph: "Graph") -> None:
        count = await graph.memories.archive(when)
        if json:
            output.as_json({"archived": count})
        else:
            output.say(f"Archived {count} memories; new evidence brings one back.")

    asking.run(realm, work)


def _lifetime(memory: "Memory") -> str:
    if memory.archive_in_hours is None:
        return f"{memory.lasts}, archived"
    hours = "hours" if memory.archive_at else "active hours"
    return f"{memory.lasts}, archived after {memory.archive_in_hours:,.0f} {hours} without use"


def _entry(entry: "HistoryEntry") -> list[str]:
    at = f"{entry.at:%Y-%m-%d %H:%M:%S.%f}"[:-3]
    strength = f"{entry.strength:.4f}"
    return [at, entry.kind, f"{entry.quantity:,.10g}", strength, entry.effect, entry.source]


def _levels(symbol: str, wanted: dict[str, Any], realm: str, *, json: bool) -> None:
    async def ask(graph: "Graph") -> None:
        found = await graph.memories.levels(symbol, **wanted)
        if json:
            output.as_json(found)
        elif found:
            _chart(found)
        else:
            output.say(
                f"No active level of {output.plain(symbol)} there. "
                "[dim]Levels fade within three hours: --at TIME shows them as they were.[/dim]"
            )

    asking.run(realm, ask)


def _chart(found: "list[MarketLevel]") -> None:
    """A bar per level, strongest first."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    width = max(BAR // 4, min(BAR, console.width - BESIDE_BAR))
    drawn = Table(box=None, header_style="bold")
    for name in ("price", "side", "strength", "", "sure", "made by", "items"):
        drawn.add_column(name, justify="right" if name in ("price", "items") else "left")
    for level in found:
        bar = _bar(level.strength, width, plain=console.options.ascii_only)
        drawn.add_row(
            f"{level.center:f}",
            level.side.value,
            f"[{COLOURS[level.side.value]}]{bar}[/]",
            f"{level.strength:.4f}",
            f"{level.confidence:.2f}",
            level.creation_reason.value if level.creation_reason else "",
            str(level.interaction_count),
        )
    console.print(drawn)


def _bar(strength: float, width: int, *, plain: bool = True) -> str:
    filled = round(width * strength)
    return ("#" if plain else "█") * filled + ("." if plain else "░") * (width - filled)


def _left(gone: "Forgotten") -> str:
    """What a second look after forgetting still saw."""
    if not gone.left:
        return "Nothing that names it is left."
    left = ", ".join(f"{count} {name}" for name, count in gone.left.items())
    return f"Still there: {left}. Run `asterism consolidate`, then forget it again."
