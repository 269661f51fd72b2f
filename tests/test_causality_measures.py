"""Measures that are equal in Python and in the graph, to the last digit."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings

from asterism.causality import Metrics, Transcript
from asterism.causality import extract as extract_by_default
from asterism.causality.metrics import quantiles
from asterism.cli.causal import measures
from asterism.graph import Graph
from asterism.view import causal_chart
from tests.support.raw import run_cypher
from tests.support.sessions import dialogue, extract, literally, sessions, written

PUBLISHED = Transcript.of(
    {
        "session_id": "random",
        "dm": "DM",
        "players": ["Ann", "Bob"],
        "lines": [
            (1, "Ann", "Can I see the old door?"),
            (2, "Ann", "Is the door locked?"),
            (3, "DM", "The old door is locked."),
            (4, "DM", "The old door is locked."),
            (5, "Ann", "I open the old door."),
            (6, "Ann", "Is the door locked?"),
            (7, "DM", "I grab the rope and climb."),
            (8, "Ann", "I open the old door."),
        ],
    }
)


async def stored(graph: Graph, transcript: Transcript) -> tuple[Metrics, Metrics]:
    """The measures of a session as Python and as the graph has them."""
    report = await graph.causality.record(
        transcript.session_id,
        transcript.lines,
        dm=transcript.dm,
        players=transcript.players,
        masks=transcript.masks,
        params=literally(),
        embed=False,
        replace=True,
    )
    return report.metrics, await graph.causality.metrics(transcript.session_id)


@pytest.mark.slow
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(sessions())
@example(PUBLISHED)
async def test_python_and_the_graph_measure_alike(graph: Graph, transcript: Transcript) -> None:
    assume(any(line.author_name == "DM" for line in transcript.lines))
    python, cypher = await stored(graph, transcript)
    assert python.model_dump_json() == cypher.model_dump_json()


@pytest.mark.slow
async def test_quantiles_equal_the_servers_to_the_last_digit(graph: Graph) -> None:
    rng = random.Random(7)
    lists = [
        [round(rng.uniform(0.04, 1.4), 6) for _ in range(rng.randrange(1, 40))] for _ in range(2000)
    ]
    lists += [[0.821262, 1.10967, 1.110757, 1.110758], [0.5], [0.0, 0.0]]
    answer = await run_cypher(
        graph,
        "UNWIND range(0, size($lists) - 1) AS at UNWIND $lists[at] AS x "
        "WITH at, percentileCont(x, 0.1) AS p10, percentileCont(x, 0.5) AS p50, "
        "percentileCont(x, 0.9) AS p90 ORDER BY at "
        "RETURN p10, p50, p90",
        lists=lists,
    )
    for values, row in zip(lists, answer, strict=True):
        measured = quantiles(values)
        rounded = tuple(round(row[name], 6) for name in ("p10", "p50", "p90"))
        assert (measured.p10, measured.p50, measured.p90) == rounded


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bell", "lighthouse"])
async def test_scores_by_distance_join_both_histograms(graph: Graph, name: str) -> None:
    transcript, _ = written(name)
    python, cypher = await stored(graph, transcript)
    assert python == cypher
    assert python.scores_by_distance.keys() == python.distances.keys()
    links = [link for link in extract(transcript).links if link.claimed]
    for distance, spread in cypher.scores_by_distance.items():
        scores = [link.score or 0.0 for link in links if link.distance == distance]
        assert (spread.minimum, spread.maximum) == (min(scores), max(scores))


def test_measures_for_people_show_distances_gaps_and_fanout() -> None:
    table = measures(extract(written("lighthouse")[0]).metrics)
    measured: Any = extract(written("lighthouse")[0]).metrics
    first = measured.scores_by_distance[1]
    assert table["  at distance 1"] == (
        f"{measured.distances[1]} links, {first.p10:.3f} / {first.p50:.3f} / {first.p90:.3f}"
    )
    assert table["line gap: links"].startswith(f"1: {measured.line_gaps[1]}, ")
    assert table["fanout: consequences"].startswith(f"1: {measured.fanout[1]}")
    nothing = measures(extract(dialogue(("DM", "Hm."))).metrics)
    assert nothing["score p10/p50/p90"] == "no scores"
    assert "None" not in "".join(map(str, nothing.values()))


@pytest.mark.slow
def test_measures_are_drawn_with_every_panel(tmp_path: Path) -> None:
    file = tmp_path / "measures.svg"
    metrics = extract_by_default(written("lighthouse")[0]).metrics
    assert sum(share.intents for share in metrics.by_actor.values()) == metrics.intents
    assert causal_chart.draw(metrics, "lighthouse", file) == "Wrote"
    text = file.read_text()
    for part in ("line gap", "by distance", "fanout", "contested", "by player", "chiara"):
        assert part in text
    assert causal_chart.draw(extract(dialogue(("DM", "Hm."))).metrics, "none", file) == "Replaced"
