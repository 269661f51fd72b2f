"""Trades in a table: columns, times, sides, and what each file gives."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.memories import Evidence, Kind, Side
from asterism.memories.market.exchange_capture import Capture
from asterism.memories.market.formats import Format, feed_name, guess, reader
from asterism.memories.market.trade_table import Columns, Trades, micros_of
from asterism.timestamps import from_micros
from tests.support.captures import Recording, at, milliseconds

HEADING = "time,price,quantity,side"


def table(folder: Path, *rows: str, heading: str = HEADING) -> Path:
    path = folder / "trades.csv"
    path.write_text("\n".join([heading, *rows, ""]))
    return path


def read(path: Path, columns: Columns | None = None, symbol: str | None = "X") -> list[Evidence]:
    return list(Trades(path, columns, symbol=symbol))


def test_rows_of_one_visit_are_one_execution(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "2026-03-01T00:00:00Z,100.00,2,buy",
        "2026-03-01T01:00:05+01:00,100.05,1,SELL",
        "2026-03-01T00:00:10.000001Z,99.95,1,buy",  # a microsecond too late
    )
    first, second = read(path)
    assert (first.kind, str(first.price), first.side) == (Kind.EXECUTION, "100.00", Side.ASK)
    assert (first.quantity, first.taker_buy_usd, first.ts) == (300.05, 200, at(5))
    assert (first.symbol, second.quantity) == ("X", 99.95)


def test_trades_give_what_a_capture_of_them_gives(tmp_path: Path) -> None:
    recording, rows = Recording("X"), []
    for n in range(60):
        t, price, quantity, buy = n * 1.7, f"{100 + n % 5 * 0.03:.2f}", f"{n % 7 + 1}", n % 3 > 0
        recording.trade(t, price, quantity, buy=buy)
        rows.append(f"{milliseconds(t)},{price},{quantity},{'buy' if buy else 'sell'}")
    capture = Capture(recording.write(tmp_path / "x.gz"))
    expected = [item for item in capture if item.kind == Kind.EXECUTION]
    made = {"event_id", "sequence"}
    assert [item.model_dump(exclude=made) for item in read(table(tmp_path, *rows))] == [
        item.model_dump(exclude=made) for item in expected
    ]


def test_columns_have_the_names_you_say(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        '"1772323200.5","p, q",100,"3",true',
        heading="when,what,cost,size,is_buyer_maker",
    )
    columns = Columns("when", "cost", "size", "is_buyer_maker", "what")
    [item] = read(path, columns, symbol=None)
    assert (item.symbol, item.side, item.quantity) == ("p, q", Side.BID, 300)
    assert item.ts == at(0.5)


def test_json_lines_do_as_well(tmp_path: Path) -> None:
    row = {"time": milliseconds(1), "price": 0.1, "quantity": "3", "side": "b", "symbol": "Y"}
    path = tmp_path / "trades.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps(row | {"symbol": "Z"}) + "\n")
    assert [(item.symbol, str(item.price)) for item in read(path, symbol=None)] == [
        ("Y", "0.1"),
        ("Z", "0.1"),
    ]
    assert [item.symbol for item in read(path, symbol="Z")] == ["Z"]


@pytest.mark.parametrize(
    ("value", "unit"),
    [
        ("1772323200.25", "s"),
        ("1772323200250", "ms"),
        ("1772323200250000", "us"),
        ("1772323200250000000", "ns"),
        (1772323200250, "ms"),
    ],
)
def test_times_are_numbers_of_any_unit(value: Any, unit: str) -> None:
    expected = datetime(2026, 3, 1, 0, 0, 0, 250_000, tzinfo=UTC)
    assert from_micros(micros_of(value, "auto")) == expected
    assert from_micros(micros_of(value, unit)) == expected


def test_a_time_without_a_zone_is_utc() -> None:
    assert micros_of("2026-03-01 00:00:01", "auto") == micros_of("2026-03-01T00:00:01Z", "auto")


def test_bad_rows_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    good = f"{milliseconds(0)},100,1,buy"
    bad = [
        "never,100,1,buy",
        "nan,100,1,buy",
        "5,100,1,buy",
        f"{milliseconds(0)},x,1,buy",
        f"{milliseconds(0)},-1,1,buy",
        f"{milliseconds(0)},0,1,buy",
        f"{milliseconds(0)},NaN,1,buy",
        f"{milliseconds(0)},100,inf,buy",
        f"{milliseconds(0)},100,1,up",
        f"{milliseconds(0)},100,1",
        f"{milliseconds(0)},100,1,buy,more",
        f'{milliseconds(0)},100,1,"buy',
        f"{milliseconds(-60)},100,1,buy",
    ]
    trades = Trades(table(tmp_path, good, *bad, good), symbol="X")
    [item] = list(trades)
    assert (item.quantity, trades.events) == (200, 2)
    assert [line.line for line in trades.lines.bad] == list(range(3, 3 + len(bad)))
    assert all(line.reason for line in trades.lines.bad)


@pytest.mark.parametrize(
    ("heading", "symbol", "reason"),
    [
        ("time,cost,quantity,side", "X", r"column='price': line 1 names only time, cost"),
        ("time,price,quantity,side", None, r"column='symbol'"),
    ],
)
def test_a_column_that_is_not_there_is_named(
    heading: str, symbol: str | None, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        read(table(tmp_path, "1,1,1,buy", heading=heading), symbol=symbol)


def test_a_file_without_trades_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="line 2: time"):
        read(table(tmp_path, "soon,1,1,buy"))
    with pytest.raises(InvalidInput, match="unit='days'"):
        Columns(unit="days")


def test_a_heading_may_begin_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"\xef\xbb\xbf" + f"{HEADING}\r\n{milliseconds(0)},1,1,sell\r\n".encode())
    assert [item.side for item in read(path)] == [Side.BID]


@pytest.mark.parametrize(
    ("line", "format"),
    [
        ('1723161255088156767 {"stream":"x"}', Format.CAPTURE),
        ('{"event_id": "e", "ts": "2026-03-01T00:00:00Z"}', Format.EVIDENCE),
        ('{"time": 5, "price": "1"}', Format.TRADES),
        (HEADING, Format.TRADES),
    ],
)
def test_the_first_line_tells_what_a_file_holds(line: str, format: Format, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(f"\n{line}\n")
    assert guess(path) is format


def test_a_first_line_of_no_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello\n")
    with pytest.raises(InvalidInput, match="say with --format"):
        guess(tmp_path / "x")


@pytest.mark.slow
async def test_two_files_of_one_source_are_both_taken_and_each_once(
    graph: Graph, tmp_path: Path
) -> None:
    for number, expected in ((0, (1, 0)), (1, (1, 0)), (0, (0, 1)), (1, (0, 1))):
        path = table(tmp_path, f"{milliseconds(100 * number)},100,20,buy")
        read_ = reader(path, Format.TRADES, symbol="X")
        receipt = await graph.memories.observe(read_, source=feed_name("desk", path, read_))
        assert (receipt.accepted, receipt.duplicate) == expected
    level = await graph.memories.level("X@100", at=at(100))
    assert (level.execution_count, level.volume_usd) == (2, 4000)
