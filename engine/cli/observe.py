"""`asterism observe`: a file of evidence, of trades or of a raw capture into the memories."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import output
from engine.cli.output import AsJson, InRealm

if TYPE_CHECKING:
    from engine.memories import Receipt
    from engine.memories.files import Reader
    from engine.settings import MemoriesSettings

SHOWN = 10
PANEL = "Columns of trades"


def observe(
    file: Annotated[Path, typer.Argument(help="What to read, gzipped or plain.")],
    format: Annotated[
        str | None,
        typer.Option(help="capture, trades or evidence; without it, the first line tells."),
    ] = None,
    symbol: Annotated[
        str | None, typer.Option(help="Only this symbol, or whose trades these are.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(help="Whose event ids these are; without it, the file's own.")
    ] = None,
    contract_usd: Annotated[
        str | None, typer.Option(help="USD a contract, where quantities count contracts.")
    ] = None,
    minimum_usd: Annotated[
        float | None, typer.Option(min=0, help="Leave out an order book's levels of less.")
    ] = None,
    time: Annotated[str, typer.Option(help="Its time.", rich_help_panel=PANEL)] = "time",
    time_unit: Annotated[
        str, typer.Option(help="auto, s, ms, us or ns, of numbers.", rich_help_panel=PANEL)
    ] = "auto",
    price: Annotated[str, typer.Option(help="Its price.", rich_help_panel=PANEL)] = "price",
    quantity: Annotated[
        str, typer.Option(help="Its quantity.", rich_help_panel=PANEL)
    ] = "quantity",
    side: Annotated[
        str,
        typer.Option(
            help="The taker's side, buy or sell; or, true or false, whether the buyer was maker.",
            rich_help_panel=PANEL,
        ),
    ] = "side",
    symbol_column: Annotated[
        str, typer.Option(help="Its symbol.", rich_help_panel=PANEL)
    ] = "symbol",
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Take in evidence from a file; the same file again changes nothing."""
    from engine.graph import Graph
    from engine.memories.files import feed_name, reader
    from engine.memories.trades import Columns

    columns = Columns(time, price, quantity, side, symbol_column, time_unit)
    with _progress(file) as on_bytes:
        read = reader(
            file,
            _format(format),
            symbol=symbol,
            columns=columns,
            contract_usd=_contract(contract_usd),
            settings=_with_minimum(minimum_usd),
            on_bytes=lambda count: on_bytes(count, read),
        )
        name = feed_name(source, file, read)

        async def work() -> tuple["Receipt", float]:
            async with Graph.open(realm=realm) as graph:
                start = asyncio.get_running_loop().time()
                receipt = await graph.memories.observe(read, source=name)
                return receipt, asyncio.get_running_loop().time() - start

        receipt, seconds = asyncio.run(work())
    _tell(read, name, receipt, seconds, json=json)
    if _is_refused(read, receipt):
        raise typer.Exit(1)


def _tell(read: "Reader", name: str, receipt: "Receipt", seconds: float, *, json: bool) -> None:
    from engine.memories import problems

    facts = {
        "file": problems.printable(str(read.lines.path)),
        "format": type(read).__name__.lower().replace("items", "evidence"),
        "source": name,
        "lines": read.lines.count,
        "bad_lines": read.lines.bad_count,
        "events": read.events,
        "received": receipt.received,
        "accepted": receipt.accepted,
        "duplicate": receipt.duplicate,
        "late": receipt.late,
        "rejected": len(receipt.rejected),
        "changed": len(receipt.changed),
        "ignored": dict(getattr(read, "ignored", {})),
        "seconds": round(seconds, 3),
        "events_per_second": round(read.events / max(seconds, 1e-9)),
        "newest": _newest(read),
    }
    if json:
        details = {
            "rejected_items": [item.model_dump() for item in receipt.rejected],
            "changed_items": [item.model_dump() for item in receipt.changed],
            "bad": [{"line": bad.line, "reason": bad.reason} for bad in read.lines.bad],
        }
        output.as_json(facts | details)
        return
    title = f"{receipt.accepted} of {receipt.received} items of evidence are new"
    output.pairs(title, {key: value for key, value in facts.items() if value not in ({}, None)})
    refused = [[f"line {bad.line}", bad.reason] for bad in read.lines.bad]
    refused += [
        [f"item {item.index + 1} {item.event_id}", item.reason] for item in receipt.rejected
    ]
    refused += [[f"known id {item.event_id}", item.reason] for item in receipt.changed]
    if refused:
        output.table(["refused", "why"], refused[:SHOWN])
        if len(refused) > SHOWN:
            output.say(f"[dim]and {len(refused) - SHOWN} more; --json tells them all[/dim]")
    for remedy in _remedies(read, receipt):
        output.say(f"[bold yellow]{output.plain(remedy)}[/bold yellow]")


def _is_refused(read: "Reader", receipt: "Receipt") -> bool:
    """Return whether most of a file was refused, or all of its items."""
    taken = receipt.accepted + receipt.duplicate
    return read.lines.bad_count * 2 > read.lines.count or (receipt.received > 0 and not taken)


def _remedies(read: "Reader", receipt: "Receipt") -> Iterator[str]:
    bad, lines = read.lines.bad_count, read.lines.count
    if bad * 2 > lines:
        yield f"Most lines were refused, {bad} of {lines}: correct them, or say --format."
    if receipt.rejected and not receipt.accepted + receipt.duplicate:
        yield "No item was taken: the reasons above say what to change."
    if receipt.changed:
        yield (
            f"{len(receipt.changed)} ids are known with other content, and were left as they were: "
            "if this is another venue or another reading, name it with --source."
        )


def _newest(read: "Reader") -> datetime | None:
    """The time a file ends at: to read levels as of then."""
    from engine.memories.model import moment

    clock = getattr(read, "clock", 0)
    return moment(clock) if clock else None


def _format(text: str | None) -> Any:
    from engine.errors import InvalidInput
    from engine.memories.files import Format

    if text is not None and text not in set(Format):
        raise InvalidInput("format", text, f"give {', '.join(Format)}, or leave it out")
    return None if text is None else Format(text)


def _with_minimum(usd: float | None) -> "MemoriesSettings":
    from engine.errors import InvalidInput
    from engine.settings import valid_settings

    settings = valid_settings(None).memories
    if usd is None:
        return settings
    if not math.isfinite(usd):
        raise InvalidInput("minimum-usd", usd, "give USD from 0, such as 250000")
    return settings.model_copy(update={"book_minimum_usd": usd})


def _contract(text: str | None) -> Decimal | None:
    from engine.errors import InvalidInput

    try:
        value = None if text is None else Decimal(text)
    except InvalidOperation:
        value = Decimal(0)
    if value is not None and not (value.is_finite() and value > 0):
        raise InvalidInput("contract-usd", text, "give USD above 0, such as 100")
    return value


@contextmanager
def _progress(file: Path) -> Iterator[Callable[[int, "Reader"], None]]:
    """A bar on stderr: how much of the file is read, and how fast."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("Observing"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    size = file.stat().st_size if file.is_file() else None
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=size, rate="")
        start = time.monotonic()

        def on_bytes(count: int, read: "Reader") -> None:
            rate = read.events / max(time.monotonic() - start, 1e-9)
            progress.update(task, completed=count, rate=f"{rate:,.0f} events/s")

        yield on_bytes
