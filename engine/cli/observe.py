"""`asterism observe`: a file of evidence, of trades or of a raw capture into the memories."""

import asyncio
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
        str | None, typer.Option(help="Where it comes from; without it, the file's name.")
    ] = None,
    contract_usd: Annotated[
        str | None, typer.Option(help="USD a contract, where quantities count contracts.")
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


def _tell(read: "Reader", name: str, receipt: "Receipt", seconds: float, *, json: bool) -> None:
    facts = {
        "file": str(read.lines.path),
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
        "ignored": dict(getattr(read, "ignored", {})),
        "seconds": round(seconds, 3),
        "events_per_second": round(read.events / max(seconds, 1e-9)),
        "newest": _newest(read),
    }
    if json:
        details = {
            "rejected_items": [item.model_dump() for item in receipt.rejected],
            "bad": [{"line": bad.line, "reason": bad.reason} for bad in read.lines.bad],
        }
        output.as_json(facts | details)
        return
    title = f"{receipt.accepted} of {receipt.received} items of evidence are new"
    output.pairs(title, {key: value for key, value in facts.items() if value not in ({}, None)})
    problems = [[f"line {bad.line}", bad.reason] for bad in read.lines.bad]
    problems += [
        [f"item {item.index + 1} {item.event_id}", item.reason] for item in receipt.rejected
    ]
    if problems:
        output.table(["refused", "why"], problems[:SHOWN])
        if len(problems) > SHOWN:
            output.say(f"[dim]and {len(problems) - SHOWN} more; --json tells them all[/dim]")


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
