"""`asterism observe`: a file of evidence, of trades or of a raw capture into the memories."""

import math
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output
from asterism.cli.options import OptionGroup, argument, option
from asterism.cli.progress import columns_bar
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.graph import Graph
    from asterism.memories import Receipt
    from asterism.memories.market.formats import Reader
    from asterism.settings import MemoriesSettings

LARGEST_TABLE = 10


def column(help: str) -> Any:
    """Return an option of the group that names columns."""
    return option(help, rich_help_panel="Columns of trades")


@dataclass(frozen=True)
class ReadingOptions(OptionGroup):
    """Options of reading a file of evidence."""

    format: Annotated[
        str | None, option("capture, trades or evidence; without it, the first line tells.")
    ] = None
    symbol: Annotated[str | None, option("Only this symbol, or whose trades these are.")] = None
    source: Annotated[
        str | None, option("Whose event ids these are; without it, the file's own.")
    ] = None
    contract_usd: Annotated[
        str | None, option("USD a contract, where quantities count contracts.")
    ] = None
    minimum_usd: Annotated[
        float | None, option("Leave out an order book's levels of less.", min=0)
    ] = None


@dataclass(frozen=True)
class TradeColumns(OptionGroup):
    """Names of the columns of trades."""

    time: Annotated[str, column("Its time.")] = "time"
    time_unit: Annotated[str, column("auto, s, ms, us or ns, of numbers.")] = "auto"
    price: Annotated[str, column("Its price.")] = "price"
    quantity: Annotated[str, column("Its quantity.")] = "quantity"
    side: Annotated[
        str,
        column("The taker's side, buy or sell; or, true or false, whether the buyer was maker."),
    ] = "side"
    symbol_column: Annotated[str, column("Its symbol.")] = "symbol"


@command()
def observe(
    runner: Runner,
    file: Annotated[Path, argument("What to read, gzipped or plain.")],
    *,
    options: ReadingOptions,
    trades: TradeColumns,
) -> None:
    """Take in evidence from a file. The same file again changes nothing."""
    from asterism.memories.market.formats import feed_name

    with _reading_bar(file) as on_bytes:
        read = _reader(file, options, trades, lambda count: on_bytes(count, read))
        name = feed_name(options.source, file, read)

        async def work(graph: "Graph") -> tuple["Receipt", float]:
            start = clock.monotonic()
            receipt = await graph.memories.observe(read, source=name)
            return receipt, clock.monotonic() - start

        receipt, seconds = runner.run(work, may_create=True)
    facts = _facts(read, name, receipt, seconds)
    runner.show(facts | _details(read, receipt), lambda: _print_facts(facts, read, receipt))
    if _is_refused(read, receipt):
        raise typer.Exit(1)


def _reader(
    file: Path, options: ReadingOptions, trades: TradeColumns, on_bytes: Callable[[int], None]
) -> "Reader":
    from asterism.memories.market.formats import reader
    from asterism.memories.market.trade_table import Columns

    names = (trades.time, trades.price, trades.quantity, trades.side, trades.symbol_column)
    return reader(
        file,
        _format(options.format),
        symbol=options.symbol,
        columns=Columns(*names, trades.time_unit),
        contract_usd=_contract(options.contract_usd),
        settings=_settings(options.minimum_usd),
        on_bytes=on_bytes,
    )


def _facts(read: "Reader", name: str, receipt: "Receipt", seconds: float) -> dict[str, Any]:
    from asterism.message_text import printable
    from asterism.timestamps import from_micros

    last_event = getattr(read, "clock", 0)
    return {
        "file": printable(str(read.lines.path)),
        "format": read.format,
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
        "newest": from_micros(last_event) if last_event else None,
    }


def _details(read: "Reader", receipt: "Receipt") -> dict[str, Any]:
    return {
        "rejected_items": receipt.rejected,
        "changed_items": receipt.changed,
        "bad": [{"line": bad.line, "reason": bad.reason} for bad in read.lines.bad],
    }


def _print_facts(facts: dict[str, Any], read: "Reader", receipt: "Receipt") -> None:
    title = f"{receipt.accepted} of {receipt.received} items of evidence are new"
    rows = {key: value for key, value in facts.items() if value not in ({}, None)}
    output.print_fields(title, rows)
    refused = [[f"line {bad.line}", bad.reason] for bad in read.lines.bad]
    refused += [
        [f"item {item.index + 1} {item.event_id}", item.reason] for item in receipt.rejected
    ]
    refused += [[f"known id {item.event_id}", item.reason] for item in receipt.changed]
    if refused:
        output.print_table(["refused", "why"], refused, LARGEST_TABLE)
    for remedy in _remedies(read, receipt):
        output.print_markup(f"[bold yellow]{output.escape(remedy)}[/bold yellow]")


def _is_refused(read: "Reader", receipt: "Receipt") -> bool:
    """Tell whether most of a file was refused, or all of its items."""
    recorded = receipt.accepted + receipt.duplicate
    return read.lines.bad_count * 2 > read.lines.count or (receipt.received > 0 and not recorded)


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


def _format(text: str | None) -> Any:
    from asterism.errors import InvalidInput
    from asterism.memories.market.formats import Format

    if text is not None and text not in set(Format):
        raise InvalidInput("format", text, f"give {', '.join(Format)}, or leave it out")
    return None if text is None else Format(text)


def _settings(minimum_usd: float | None) -> "MemoriesSettings":
    """Return the settings, with this minimum of an order book's levels if one is given."""
    from asterism.errors import InvalidInput
    from asterism.settings import valid_settings

    settings = valid_settings(None).memories
    if minimum_usd is None:
        return settings
    if not math.isfinite(minimum_usd):
        raise InvalidInput("minimum-usd", minimum_usd, "give USD from 0, such as 250000")
    return settings.model_copy(update={"book_minimum_usd": minimum_usd})


def _contract(text: str | None) -> Decimal | None:
    from asterism.errors import InvalidInput

    try:
        value = None if text is None else Decimal(text)
    except InvalidOperation:
        value = Decimal(0)
    if value is not None and not (value.is_finite() and value > 0):
        raise InvalidInput("contract-usd", text, "give USD above 0, such as 100")
    return value


@contextmanager
def _reading_bar(file: Path) -> Iterator[Callable[[int, "Reader"], None]]:
    """Show how much of the file is read, and how fast."""
    from rich.progress import BarColumn, TaskProgressColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), "{task.fields[rate]}", TimeRemainingColumn())
    size = file.stat().st_size if file.is_file() else None
    with columns_bar("Observing", *columns, total=size, rate="") as update:
        start = clock.monotonic()

        def on_bytes(count: int, read: "Reader") -> None:
            rate = read.events / max(clock.monotonic() - start, 1e-9)
            update(completed=count, rate=f"{rate:,.0f} events/s")

        yield on_bytes
