"""Chart of the measures of causal links: distances, gaps, scores, fanout, contests, players."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asterism.private_files import PRIVATE
from asterism.view import charts
from asterism.view.charts import FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from asterism.causality.models import Metrics

BAR = "#3B6FB6"
LAST_BAR = 12  # greater values share one bar


def draw(metrics: "Metrics", title: str, file: Path, mode: int = PRIVATE) -> str:
    """Write or replace a chart of measures, and return "Wrote" or "Replaced"."""
    charts.refuse_undrawable(file)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 6), layout="constrained")
    figure.suptitle(f"{title}: {metrics.claimed} of {metrics.intents} intents claimed", color=INK)
    panels: Any = figure.subplots(2, 3)
    gaps, distances, scores, fanout, contested, actors = panels.flat
    _draw_histogram(gaps, metrics.line_gaps, "links by line gap")
    _draw_histogram(distances, metrics.distances, "links by distance")
    _draw_scores(scores, metrics)
    _draw_histogram(fanout, metrics.fanout, "consequences by fanout")
    counts = {
        "contested": metrics.contested,
        "by one": max(0, metrics.consequences - metrics.contested),
        **{str(reason): count for reason, count in metrics.unclaimed_reasons.items()},
    }
    _draw_bars(contested, counts, "contested, and why unclaimed")
    _draw_actors(actors, metrics)
    return charts.save(figure, file, mode)


def _draw_histogram(axes: "Axes", histogram: Mapping[int, int], title: str) -> None:
    _frame(axes, title)
    heights: dict[str, int] = {}
    for value, count in histogram.items():
        name = str(value) if value < LAST_BAR else f"{LAST_BAR}+"
        heights[name] = heights.get(name, 0) + count
    axes.bar(list(heights), list(heights.values()), color=BAR)


def _draw_scores(axes: "Axes", metrics: "Metrics") -> None:
    _frame(axes, "score by distance: p10, p50, p90")
    for distance, spread in metrics.scores_by_distance.items():
        if spread.p10 is not None and spread.p50 is not None and spread.p90 is not None:
            axes.vlines(distance, spread.p10, spread.p90, color=BAR, linewidth=3)
            axes.plot([distance], [spread.p50], "o", color=INK)
    axes.set_xticks(list(metrics.scores_by_distance))


def _draw_actors(axes: "Axes", metrics: "Metrics") -> None:
    _frame(axes, "intents by player, claimed ones dark")
    names = list(metrics.by_actor)
    shares = list(metrics.by_actor.values())
    axes.barh(names, [share.intents for share in shares], color=FAINT)
    axes.barh(names, [share.claimed for share in shares], color=BAR)


def _draw_bars(axes: "Axes", counts: Mapping[str, int], title: str) -> None:
    _frame(axes, title)
    axes.barh(list(counts), list(counts.values()), color=BAR)


def _frame(axes: "Axes", title: str) -> None:
    axes.set_title(title, loc="left", color=INK, fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
