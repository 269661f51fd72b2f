"""Draws strength over time, as SVG or PNG. Needs the extra `asterism[charts]`."""

from collections.abc import Sequence
from datetime import UTC
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import AsterismError, InvalidInput
from engine.private_files import PRIVATE, replacing
from engine.view import style
from engine.view.drawing import short, writable
from engine.view.model import Line, Mark, Timeline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = (".svg", ".png")
DASHES = ("-", "--", ":", "-.")
MARKS = {"persistence": "o", "execution": "^", "liquidation": "v", "rejection": "s"}
INK, FAINT = "#1B1F2A", "#D8DCE2"
LEAST_GAP = 0.055  # of the axis, between names at the end of their lines


def check(file: Path) -> None:
    """Refuses what can't be drawn, before anything is asked of the graph."""
    if file.suffix.lower() not in FORMATS:
        raise InvalidInput("chart", str(file), f"its name ends with {' or '.join(FORMATS)}")
    try:
        import_module("matplotlib")
    except ImportError as error:
        raise AsterismError(
            "charts need the extra: run `pip install 'asterism[charts]'`"
        ) from error
    writable(file, "chart")


def draw(timeline: Timeline, file: Path, mode: int = PRIVATE) -> str:
    """Write a chart; one that is there is replaced. Says which of the two happened."""
    check(file)
    import matplotlib
    from matplotlib.figure import Figure

    replaced = file.exists()
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.add_subplot()
    _frame(axes, timeline.title)
    for at, line in enumerate(timeline.lines):
        _line(axes, line, _dash(timeline.lines, at))
    _evidence(axes, timeline.evidence)
    if not timeline.evidence:
        _name_ends(axes, timeline.lines)
    dated = {"Date": None} if file.suffix.lower() == ".svg" else {}
    kind = file.suffix.lower().removeprefix(".")
    fixed = matplotlib.rc_context({"svg.hashsalt": "asterism", "svg.fonttype": "none"})
    with fixed, replacing(file, mode) as opened:
        figure.savefig(opened, format=kind, dpi=110, metadata=dated)
    return "Replaced" if replaced else "Wrote"


def _frame(axes: "Axes", title: str) -> None:
    from matplotlib import dates

    axes.set_title(title, loc="left", color=INK)
    axes.set_ylabel("strength", color=INK)
    axes.set_ylim(0, 1.02)
    axes.grid(axis="y", color=FAINT, linewidth=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    untyped: Any = dates
    places = untyped.AutoDateLocator(tz=UTC)
    axes.xaxis.set_major_locator(places)
    axes.xaxis.set_major_formatter(untyped.ConciseDateFormatter(places, tz=UTC))


def _line(axes: "Axes", line: Line, dash: str) -> None:
    moments: list[Any] = [point.at for point in line.points]
    strengths = [point.strength for point in line.points]
    axes.plot(moments, strengths, dash, color=_color(line), linewidth=1.8)


def _evidence(axes: "Axes", evidence: Sequence[Mark]) -> None:
    for kind in dict.fromkeys(mark.kind for mark in evidence):
        marks = [mark for mark in evidence if mark.kind == kind]
        moments: list[Any] = [mark.at for mark in marks]
        strengths = [mark.strength for mark in marks]
        shape = MARKS.get(kind, "D")
        axes.plot(moments, strengths, shape, color=INK, markersize=4, linestyle="", label=kind)
    if evidence:
        axes.legend(frameon=False, loc="upper left", ncols=4)


def _name_ends(axes: "Axes", lines: Sequence[Line]) -> None:
    """Each name at the end of its line, moved apart where lines end close together."""
    for line, height in zip(lines, _apart(lines), strict=True):
        end: Any = (line.points[-1].at, height)
        axes.annotate(
            f"{short(line.name)}  {line.type}",
            end,
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=_color(line),
        )


def _apart(lines: Sequence[Line]) -> list[float]:
    """Where the names stand: at their line's end, but never on one another."""
    ends = [line.points[-1].strength for line in lines]
    heights, top = dict[int, float](), 1.0
    order = sorted(range(len(ends)), key=lambda at: ends[at], reverse=True)
    for at in order:
        heights[at] = min(ends[at], top)
        top = heights[at] - LEAST_GAP
    bottom = 0.0
    for at in reversed(order):
        heights[at] = max(heights[at], bottom)
        bottom = heights[at] + LEAST_GAP
    return [heights[at] for at in range(len(ends))]


def _color(line: Line) -> str:
    """The colour of the type in Browser; a price level's is that of its node."""
    if line.type == "MarketLevel":
        return style.node(["Memory", line.type]).color
    return style.relationship(line.type).color


def _dash(lines: Sequence[Line], at: int) -> str:
    """Lines of one type share its colour, so they differ in their dashes."""
    same = [line.type for line in lines[:at]].count(lines[at].type)
    return DASHES[same % len(DASHES)]
