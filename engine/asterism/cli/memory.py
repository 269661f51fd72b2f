"""`asterism memory`: texts to remember, and the price levels of markets."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from asterism.cli import output
from asterism.cli.filter_options import Filter, parse_metadata_options
from asterism.cli.options import TIMES, AtLeast, AtMost, AtTime, argument, option, parse_time
from asterism.cli.runner import Runner, command, print_items

if TYPE_CHECKING:
    from asterism.memories import MarketLevel, Memory, Page
    from asterism.settings.memories import Lasts

app = typer.Typer(no_args_is_help=True, help="What is remembered, and how strong it still is.")

BAR = 32
LONGEST_TEXT = 70
OF_TEXTS = ("waiting",)  # a field that has no meaning for market levels
WIDTH_OF_OTHER_COLUMNS = 62
COLOURS = {"bid": "green", "ask": "red", "both": "cyan"}
Id = Annotated[str, argument("The memory's id, such as ETHUSDT@2681.62.")]
Symbol = Annotated[str, argument("The symbol, such as ETHUSDT.")]
Side = Annotated[str | None, option("bid, ask or both.")]


@command(app)
def add(
    runner: Runner,
    text: Annotated[str, argument("What to remember.")],
    tag: Annotated[list[str] | None, option("A tag; may be repeated.")] = None,
    category: Annotated[str, option("What kind of text it is.")] = "",
    actor: Annotated[str | None, option("Whose memory it is.")] = None,
    session: Annotated[str | None, option("The conversation it is from.")] = None,
    speaker: Annotated[str | None, option("Who said it.")] = None,
    about: Annotated[str | None, option("What it is about.")] = None,
    at: Annotated[str | None, option(f"When it was said; none: now. {TIMES}")] = None,
    id: Annotated[str | None, option("An id of your own.")] = None,
    lasts: Annotated[
        str | None, option("ephemeral, standard, durable or permanent; none: durable.")
    ] = None,
    meta: Annotated[
        list[str] | None, option("A fact of your own, such as page=3; may be repeated.")
    ] = None,
    valid_from: Annotated[str | None, option(f"Since when it is true. {TIMES}", "--from")] = None,
    valid_to: Annotated[
        str | None, option("Until when it is true; a date: to its end.", "--to")
    ] = None,
) -> None:
    """Remember a text. The same again is the same memory."""
    fields: dict[str, Any] = {"category": category, "actor": actor, "session": session}
    fields["metadata"] = parse_metadata_options(meta or [])
    fields["valid_from"] = parse_time("from", valid_from)
    fields["valid_to"] = parse_time("to", valid_to, end=True)
    fields |= {"speaker": speaker, "about": about, "at": parse_time("at", at), "id": id}
    memory = runner.run(
        lambda graph: graph.memories.remember(
            text, tags=tag or [], lasts=cast("Lasts | None", lasts), **fields
        ),
        may_create=True,
    )
    facts = {"id": memory.id, "text": memory.text, "lasts": _lifetime(memory)}
    title = "Stored before: nothing changed" if memory.unchanged else "Remembered"
    runner.show(memory, lambda: output.print_fields(title, facts))


@command(app, "list")
def list_(
    runner: Runner,
    limit: AtMost = 20,
    after: Annotated[str | None, option("Go on here: the word that ended the page before.")] = None,
    order: Annotated[str, option("newest or oldest first, or by id.")] = "newest",
    *,
    filter: Filter,
) -> None:
    """List texts, all or those that pass a filter, page by page."""
    arguments: dict[str, Any] = {"limit": limit, "after": after, "order": order}
    arguments |= filter.conditions()
    page = runner.run(lambda graph: graph.memories.list(**arguments))
    runner.show(page, lambda: _print_page(page))


@command(app)
def count(runner: Runner, filter: Filter) -> None:
    """Count texts, all or those that pass a filter."""
    number = runner.run(lambda graph: graph.memories.count(**filter.conditions()))
    runner.show({"count": number}, str(number))


@command(app)
def show(runner: Runner, id: Id, at: AtTime = None) -> None:
    """Show one memory, as strong as it is."""
    time = parse_time("at", at)
    memory = runner.run(lambda graph: graph.memories.get(id, at=time))
    facts = memory.model_dump(mode="json")
    hidden = OF_TEXTS if memory.kind == "market" else ()
    rows = {
        key: value
        for key, value in facts.items()
        if key not in (*hidden, "unchanged") and value not in (None, "", [], {})
    }
    title = f"{_bar(memory.strength, BAR)} {memory.strength:.4f}"
    runner.show(facts, lambda: output.print_fields(title, rows))


@command(app, "near")
def levels_around(
    runner: Runner,
    symbol: Symbol,
    price: Annotated[str, argument("The price to look around.")],
    bps: Annotated[float, option("How far, in basis points of the price.")] = 50.0,
    side: Side = None,
    minimum: AtLeast = 0.0,
    at: AtTime = None,
    limit: AtMost = 20,
) -> None:
    """Chart the strongest levels near a price."""
    around = {"near": price, "bps": bps}
    _show_levels(runner, symbol, at, around | {"side": side, "minimum": minimum, "limit": limit})


@command(app)
def levels(
    runner: Runner,
    symbol: Symbol,
    side: Side = None,
    minimum: AtLeast = 0.0,
    at: AtTime = None,
    limit: AtMost = 20,
) -> None:
    """Chart a symbol's strongest levels."""
    _show_levels(runner, symbol, at, {"side": side, "minimum": minimum, "limit": limit})


@command(app)
def history(runner: Runner, id: Id, limit: AtMost = 50) -> None:
    """List what a memory was made of, newest first, and its strength after each."""
    columns = {
        "at": lambda entry: f"{entry.at:%Y-%m-%d %H:%M:%S.%f}"[:-3],
        "kind": "kind",
        "quantity": lambda entry: f"{entry.quantity:,.10g}",
        "strength": lambda entry: f"{entry.strength:.4f}",
        "effect": lambda entry: " ".join(filter(None, (entry.effect, entry.other, entry.reason))),
        "source": "source",
    }
    entries = runner.run(lambda graph: graph.memories.history(id, limit=limit))
    runner.table(entries, columns, "Nothing has changed or confirmed it since it was remembered.")


@command(app)
def reinforce(
    runner: Runner,
    id: Id,
    kind: Annotated[
        str, argument("recall, repetition, confirmation, contradiction or outcome.")
    ] = "recall",
    quantity: Annotated[float, option("Of an outcome: from 0, bad, to 1, good.")] = 1.0,
    at: Annotated[str | None, option(f"When it was. {TIMES}")] = None,
    event_id: Annotated[str | None, option("The same event counts once.")] = None,
) -> None:
    """Say that a text was of use, or was wrong."""
    time = parse_time("at", at)
    memory = runner.run(
        lambda graph: graph.memories.reinforce(
            id, kind, quantity=quantity, at=time, event_id=event_id
        )
    )
    state = f"{memory.state.value} at {memory.strength:.4f}, confidence {memory.confidence:.2f}"
    runner.show(memory, f"{id} is {state}.")


def _print_page(page: "Page") -> None:
    columns = {
        "id": "id",
        "at": "first_seen",
        "strength": "strength",
        "state": lambda memory: memory.state.value,
        "text": excerpt,
    }
    print_items(page.items, columns, "No text passes.")
    if page.next:
        output.print_dim(f"Go on with --after {page.next}")


def excerpt(memory: "Memory") -> str:
    """Return the beginning of a text in one line."""
    return output.shorten(" ".join((memory.text or "").split()), LONGEST_TEXT)


def _lifetime(memory: "Memory") -> str:
    if memory.archive_in_hours is None:
        return f"{memory.lasts}, archived"
    hours = "hours" if memory.archive_at else "active hours"
    return f"{memory.lasts}, archived after {memory.archive_in_hours:,.0f} {hours} without use"


def _show_levels(runner: Runner, symbol: str, at: str | None, filters: dict[str, Any]) -> None:
    filters["at"] = parse_time("at", at)
    levels = runner.run(lambda graph: graph.memories.levels(symbol, **filters))
    runner.show(levels, lambda: _print_chart(levels) if levels else _print_no_level(symbol))


def _print_no_level(symbol: str) -> None:
    hint = "[dim]Levels fade within three hours: --at TIME shows them as they were.[/dim]"
    output.print_markup(f"No active level of {output.escape(symbol)} there. {hint}")


def _print_chart(levels: "list[MarketLevel]") -> None:
    """Print a bar per level, strongest first."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    width = max(BAR // 4, min(BAR, console.width - WIDTH_OF_OTHER_COLUMNS))
    table = Table(box=None, header_style="bold")
    for name in ("price", "side", "strength", "", "sure", "made by", "items"):
        table.add_column(name, justify="right" if name in ("price", "items") else "left")
    for level in levels:
        bar = _bar(level.strength, width, plain=console.options.ascii_only)
        table.add_row(
            f"{level.center:f}",
            level.side.value,
            f"[{COLOURS[level.side.value]}]{bar}[/]",
            f"{level.strength:.4f}",
            f"{level.confidence:.2f}",
            level.creation_reason.value if level.creation_reason else "",
            str(level.interaction_count),
        )
    console.print(table)


def _bar(strength: float, width: int, *, plain: bool = True) -> str:
    filled = round(width * strength)
    return ("#" if plain else "█") * filled + ("." if plain else "░") * (width - filled)
