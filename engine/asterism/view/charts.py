"""Charts of strength over time, as SVG or PNG, which need the extra `asterism[charts]`."""

from collections.abc import Sequence
from datetime import UTC
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asterism.errors import AsterismError, InvalidInput
from asterism.private_files import PRIVATE, replacing
from asterism.view import style_sheet
from asterism.view.drawing import short_caption
from asterism.view.models import EvidencePoint, Line, Timeline
from asterism.view.output_files import refuse_unwritable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png")
DASHES = ("-", "--", ":", "-.")
MARKERS = {"persistence": "o", "execution": "^", "liquidation": "v", "rejection": "s"}
INK, FAINT = "#1B1F2A", "#D8DCE2"
LEAST_GAP = 0.055  # of the axis, between names at the end of their lines


def refuse_undrawable(file: Path) -> None:
    """Refuse a file that can't be drawn, before anything is asked of the graph."""
    if file.suffix.lower() not in FORMATS:
        raise InvalidInput("chart", str(file), f"its name ends with {' or '.join(FORMATS)}")
    require_matplotlib()
    refuse_unwritable(file, "chart")


def require_matplotlib() -> None:
    """Refuse a chart where matplotlib is missing."""
    try:
        import_module("matplotlib")
    except ImportError as error:
        raise AsterismError(
            "charts need the extra: run `pip install 'asterism[charts]'`"
        ) from error


def draw(timeline: Timeline, file: Path, mode: int = PRIVATE) -> str:
    """Write or replace a chart, and return "Wrote" or "Replaced"."""
    refuse_undrawable(file)
    return save(_figure(timeline), file, mode)


def picture(timeline: Timeline, format: str) -> bytes:
    """Return a chart as svg or png."""
    require_matplotlib()
    return _content(_figure(timeline), format)


def save(figure: "Figure", file: Path, mode: int = PRIVATE) -> str:
    """Write or replace the file of a figure, and return "Wrote" or "Replaced"."""
    replaced = file.exists()
    content = _content(figure, file.suffix.lower().removeprefix("."))
    with replacing(file, mode) as draft:
        draft.write(content)
    return "Replaced" if replaced else "Wrote"


def _content(figure: "Figure", format: str) -> bytes:
    """Return a figure as svg or png, the same bytes for the same figure."""
    import matplotlib

    metadata = {"Date": None} if format == "svg" else {}
    content = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "asterism", "svg.fonttype": "none"}):
        figure.savefig(content, format=format, dpi=110, metadata=metadata)
    return content.getvalue()


def _figure(timeline: Timeline) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.add_subplot()
    _draw_frame(axes, timeline.title)
    for at, line in enumerate(timeline.lines):
        _draw_line(axes, line, _dash(timeline.lines, at))
    _draw_evidence(axes, timeline.evidence)
    if not timeline.evidence:
        _draw_names(axes, timeline.lines)
    return figure


def _draw_frame(axes: "Axes", title: str) -> None:
    from matplotlib import dates

    axes.set_title(title, loc="left", color=INK)
    axes.set_ylabel("strength", color=INK)
    axes.set_ylim(0, 1.02)
    axes.grid(axis="y", color=FAINT, linewidth=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    untyped: Any = dates
    locator = untyped.AutoDateLocator(tz=UTC)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(untyped.ConciseDateFormatter(locator, tz=UTC))


def _draw_line(axes: "Axes", line: Line, dash: str) -> None:
    times: list[Any] = [point.at for point in line.points]
    strengths = [point.strength for point in line.points]
    axes.plot(times, strengths, dash, color=_color(line), linewidth=1.8)


def _draw_evidence(axes: "Axes", evidence: Sequence[EvidencePoint]) -> None:
    for kind in dict.fromkeys(point.kind for point in evidence):
        points = [point for point in evidence if point.kind == kind]
        times: list[Any] = [point.at for point in points]
        strengths = [point.strength for point in points]
        marker = MARKERS.get(kind, "D")
        axes.plot(times, strengths, marker, color=INK, markersize=4, linestyle="", label=kind)
    if evidence:
        axes.legend(frameon=False, loc="upper left", ncols=4)


def _draw_names(axes: "Axes", lines: Sequence[Line]) -> None:
    """Write each name at the end of its line, apart from those that end close by."""
    for line, height in zip(lines, _name_heights(lines), strict=True):
        end: Any = (line.points[-1].at, height)
        axes.annotate(
            f"{short_caption(line.name)}  {line.type}",
            end,
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=_color(line),
        )


def _name_heights(lines: Sequence[Line]) -> list[float]:
    """Return the height of each name: its line's end, but never on another name."""
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
    """Return the colour of the type in Browser, for a price level that of its node."""
    if line.type == "MarketLevel":
        return style_sheet.node_style(["Memory", line.type]).color
    return style_sheet.relationship_style(line.type).color


def _dash(lines: Sequence[Line], at: int) -> str:
    """Return the dash of a line, which differs among lines of one type and colour."""
    same = [line.type for line in lines[:at]].count(lines[at].type)
    return DASHES[same % len(DASHES)]
