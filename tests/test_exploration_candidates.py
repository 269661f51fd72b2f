"""The score of a link, as the database computes it: exploration/candidates by the vectors."""

import random
from typing import Any

import pytest

from asterism.embedding import pack_vector
from asterism.exploration.formulas import novelty
from asterism.graph import Graph
from tests.conftest import OpenGraph
from tests.support import exploration_formulas as source
from tests.support.comparison import approximately
from tests.support.exploration_oracle import Link
from tests.support.exploration_world import Toy, load, node
from tests.support.raw import run_cypher

QUERY, INTENTION = [1.0, 0, 0, 0], [0.6, 0.8, 0, 0]
E1, E2 = [0.8, 0.6, 0, 0], [0.5, 0.5, 0.5, 0.5]
E3, E4 = [0, 0, 0.6, 0.8], [-0.8, 0.6, 0, 0]
S1, S2 = [0.28, 0.96, 0, 0], [0, 0.6, 0, 0.8]


@pytest.fixture
async def graph(open_graph: OpenGraph) -> Graph:
    opened: Graph = await open_graph(embedder=Toy(4))
    return opened


async def load_links(graph: Graph, *links: Link) -> None:
    """Load links of the node `here`."""
    ends = {end for link in links for end in (link.a, link.b)}
    await load(graph, ([node(id, "thing", [0, 0, 0, 1]) for id in sorted(ends)], links))


async def candidates(
    graph: Graph,
    path: list[list[float]] | None = None,
    siblings: list[list[float]] | None = None,
    baseline: float = 0.0,
    **settings: Any,
) -> dict[str, Any]:
    """Return the scored links of the node `here`, best first, by their ids."""
    path, siblings = path or [], siblings or []
    walker = {
        "key": "0",
        "best": 0,
        "nodes": [],
        "start": "here",
        "label": None,
        "used_links": [],
        "path": list(range(len(path))),
        "siblings": [len(path) + at for at in range(len(siblings))],
    }
    walk = {
        "walkers": [walker],
        "vectors": [pack_vector(vector) for vector in (*path, *siblings)],
        "query": pack_vector(QUERY),
        "intention": pack_vector(INTENTION),
        "shared_basis": [],
        "baseline_cosine": baseline,
        "lowest_cosine": 0.0 if baseline else -1.0,
        "sample_size": 100,
    }
    changed = graph.settings.exploration.model_copy(update=settings)
    [row] = await graph.database.rows(
        "exploration/candidates", settings=changed.model_dump(mode="json"), walk=walk
    )
    return {candidate["link"]: candidate for candidate in row["sample"]}


def factor(links: dict[str, Any], name: str) -> dict[str, float]:
    return {id: link["factors"][name] for id, link in links.items()}


async def test_alignment_mixes_query_and_intention_within_zero_and_one(graph: Graph) -> None:
    """E-2."""
    vectors = {"e1": E1, "e2": E2, "e3": E3, "e4": E4}
    await load_links(graph, *(Link(id, "here", id, vector) for id, vector in vectors.items()))
    alignments = factor(await candidates(graph), "alignment")
    assert alignments == approximately({"e1": 0.84, "e2": 0.55, "e3": 0, "e4": 0})


@pytest.mark.slow
@pytest.mark.parametrize(("path", "expected"), [([E2, E3], 0.3), ([E4], 1.0), ([], 1.0)])
async def test_novelty_is_measured_against_the_path(
    graph: Graph, path: list[list[float]], expected: float
) -> None:
    """E-3."""
    await load_links(graph, Link("e1", "here", "there", E1))
    assert factor(await candidates(graph, path), "novelty") == approximately({"e1": expected})


async def test_divergence_is_measured_against_active_siblings(graph: Graph) -> None:
    """E-4."""
    await load_links(graph, Link("e1", "here", "there", E1))
    assert factor(await candidates(graph, [], [S1, S2]), "divergence") == approximately({"e1": 0.2})
    assert factor(await candidates(graph), "divergence") == {"e1": 1.0}


async def test_polarity_depends_on_the_direction(graph: Graph) -> None:
    """E-5."""
    ways = {"forward": ("here", "there"), "backward": ("there", "here")}
    links = [Link(id, *ends, E1, (0.9, 0.3)) for id, ends in ways.items()]
    for name in ("scalar", "missing", "wide"):
        links += [Link(f"{name} {id}", *ends, E1) for id, ends in ways.items()]
    await load_links(graph, *links)
    await run_cypher(
        graph,
        "MATCH ()-[link:LINK {realm: $realm}]->() "
        "SET link.polarity = CASE WHEN link.id STARTS WITH 'scalar' THEN 0.7 "
        "WHEN link.id STARTS WITH 'missing' THEN null "
        "WHEN link.id STARTS WITH 'wide' THEN [1.4, -1.0] ELSE link.polarity END",
    )
    assert factor(await candidates(graph), "polarity") == {
        "forward": 0.9,
        "backward": 0.3,
        "scalar forward": 0.7,
        "scalar backward": 0.7,
        "missing forward": 0.5,
        "missing backward": 0.5,
        "wide forward": 1.0,
        "wide backward": 0.0,
    }


async def test_a_missing_permanence_follows_from_the_weight(graph: Graph) -> None:
    """E-6."""
    await load_links(
        graph,
        Link("stored", "here", "there", E1, permanence=0.2),
        Link("missing", "here", "there", E1, weight=3.0),
    )
    await run_cypher(
        graph, "MATCH ()-[link:LINK {realm: $realm, id: 'missing'}]->() REMOVE link.permanence"
    )
    factors = factor(await candidates(graph), "permanence")
    assert factors == approximately({"stored": 0.8, "missing": 0.25})


async def test_a_score_is_the_product_of_its_factors(graph: Graph) -> None:
    """E-7."""
    await load_links(
        graph,
        Link("forward", "here", "there", E1, (0.9, 0.3), 0.2),
        Link("backward", "there", "here", E1, (0.9, 0.3), 0.2),
    )
    free = await candidates(graph)
    assert free["forward"]["score"] == approximately(0.6048)
    assert free["backward"]["score"] == approximately(0.2016)
    compared = await candidates(graph, [E2, E3], [S1, S2])
    assert compared["forward"]["score"] == approximately(0.036288)


async def test_equal_scores_are_ordered_by_id(graph: Graph) -> None:
    """E-8."""
    await load_links(
        graph,
        Link("b", "here", "there", E1),
        Link("a", "here", "there", E1),
        Link("c", "here", "there", E1, (1.0, 1.0)),
    )
    assert list(await candidates(graph)) == ["c", "a", "b"]


async def test_a_link_leads_to_its_other_end(graph: Graph) -> None:
    """E-9."""
    await load_links(
        graph,
        Link("on", "here", "there", E1),
        Link("back", "there", "here", E1),
        Link("loop", "here", "here", E1),
        Link("elsewhere", "there", "far", E1),
    )
    ends = {id: link["node"] for id, link in (await candidates(graph)).items()}
    assert ends == {"on": "there", "back": "there"}
    assert list(await candidates(graph, directed=True)) == ["on"]


@pytest.mark.slow
@pytest.mark.parametrize("baseline", [0.0, 0.4])
async def test_the_database_scores_as_the_formulas_say(graph: Graph, baseline: float) -> None:
    rng = random.Random(7)

    def vector() -> list[float]:
        return [rng.gauss(0.3, 1) for _ in range(4)]

    path, siblings = [vector() for _ in range(3)], [vector() for _ in range(2)]
    links = []
    for at in range(40):
        pair = (rng.random(), rng.random())
        links.append(Link(f"k{at:02}", "here", f"n{at}", vector(), pair, rng.random()))
    await load_links(graph, *links)
    scored = await candidates(graph, path, siblings, baseline)
    expected = {
        link.id: source.score(
            source.alignment(QUERY, INTENTION, link.embedding, baseline=baseline),
            source.polarity(link.polarity, forward=True),
            source.permanence_factor(link.permanence),
            novelty(link.embedding, path, baseline),
            novelty(link.embedding, siblings, baseline),
        )
        for link in links
    }
    assert {id: link["score"] for id, link in scored.items()} == approximately(expected, 1e-5)
