"""The composite score: every printed vector, its properties, its settings. No database."""

import math
import random
from itertools import pairwise

import pytest
from pydantic import ValidationError

from asterism.consolidation import composite_score
from asterism.consolidation.edge_score import (
    edge_id,
    jaccard,
    least_cosine,
    reaches_threshold,
    temporal_proximity,
)
from asterism.errors import InvalidInput
from asterism.settings import ConsolidationSettings, valid_settings

SEED = ConsolidationSettings(signal="cosine")
PEER = ConsolidationSettings(profile="peer")
FAR = 90.0
VECTORS = [
    ("V-01", 1.00, "a b", "b a", True, 0, 1.000000, True, True),
    ("V-02", 0.60, "", "", False, FAR, 0.375000, False, False),
    ("V-03", 0.70, "", "", False, FAR, 0.430000, True, False),
    ("V-04", 0.70, "", "", True, FAR, 0.535000, True, True),
    ("V-05", 0.70, "", "", False, 0, 0.530000, True, True),
    ("V-06", 0.70, "", "", True, 0, 0.635000, True, True),
    ("V-07", 0.50, "a b", "a b", True, 0, 0.725000, True, True),
    ("V-08", 0.50, "a b", "a", True, 0, 0.625000, True, True),
    ("V-09", 0.45, "a b c d e", "a b c d e", True, 0, 0.697500, True, False),
    ("V-10", 0.45, "async python", "async database", True, 0, 0.5641666667, True, False),
    ("V-11", 0.60, "", "", True, FAR, 0.480000, True, True),
    ("V-12", 0.28, "a", "a", True, 0, 0.0, False, False),
    ("V-13", 0.2999999, "a", "a", True, 0, 0.0, False, False),
    ("V-14", 0.30, "", "", True, 0, 0.415000, True, False),
    ("V-15", 0.30, "", "", False, FAR, 0.210000, False, False),
    ("V-16", 0.62, "", "", False, 0, 0.486000, True, True),
    ("V-17", 0.62, "", "", False, FAR, 0.386000, False, False),
    ("V-18", 0.78, "a", "a", True, 0, 0.879000, True, True),
    ("V-19", 0.78, "", "", False, FAR, 0.474000, True, True),
    ("V-20", 0.50, "a", "a", False, FAR, 0.520000, True, True),
    ("V-21", 0.50, "", "", False, FAR, 0.320000, False, False),
    ("V-22", 0.45, "", "", True, FAR, 0.397500, False, False),
    ("V-23", -0.40, "a", "a", True, 0, 0.0, False, False),
    ("V-24", 0.00, "", "", False, 0, 0.0, False, False),
    ("V-25", 0.55, "a b c", "b c d", False, 8, 0.508153066, True, True),
    ("V-26", 0.65, "x", "", True, 24, 0.508610900, True, True),
    ("V-27", 0.6455, "", "", False, FAR, 0.400025, True, False),
    ("V-27b", 0.6454, "", "", False, FAR, 0.399970, False, False),
    ("V-28", 0.40, "a b c d", "a e f g", True, 16, 0.412104957, True, False),
]


def cosine_needed(
    shared_tags: float, same_category: bool, nearness: float, settings: ConsolidationSettings
) -> float:
    """The least cosine that makes an edge, given everything else."""
    context = (
        settings.weight_tags * shared_tags
        + settings.weight_category * (1.0 if same_category else settings.cross_category_score)
        + settings.weight_hours * nearness
    )
    return least_cosine(context, settings)


@pytest.mark.parametrize(
    ("cosine", "a", "b", "same", "apart", "score", "seed", "peer"),
    [vector[1:] for vector in VECTORS],
    ids=[vector[0] for vector in VECTORS],
)
def test_the_printed_vectors_in_both_profiles(
    cosine: float, a: str, b: str, same: bool, apart: float, score: float, seed: bool, peer: bool
) -> None:
    for settings, edge in ((SEED, seed), (PEER, peer)):
        result = composite_score(cosine, a.split(), b.split(), same, apart, settings)
        expected = score if cosine >= settings.minimum_cosine_for_edge else 0.0
        assert result == pytest.approx(expected, abs=1e-9)
        assert reaches_threshold(result, settings) is edge


@pytest.mark.parametrize(
    ("apart", "proximity"),
    [
        (0, 1.0),
        (1, 0.992217938),
        (4, 0.882496903),
        (8, 0.606530660),
        (9.419280, 0.5),
        (12, 0.324652467),
        (16, 0.135335283),
        (24, 0.011108997),
        (24.278834, 0.01),
        (40, 3.726653e-6),
    ],
)
def test_nearness_in_hours(apart: float, proximity: float) -> None:
    assert temporal_proximity(apart, 8.0) == pytest.approx(proximity, abs=1e-6, rel=1e-6)
    assert temporal_proximity(-apart, 8.0) == temporal_proximity(apart, 8.0)


def test_shared_tags_are_counted_as_sets() -> None:
    assert jaccard([], []) == 0.0
    assert jaccard([], ["x"]) == 0.0
    assert jaccard(["a", "b"], ["b", "c"]) == pytest.approx(1 / 3)
    assert jaccard(["a", "a", "b"], ["b"]) == 0.5


@pytest.mark.parametrize(
    ("shared", "row"),
    [
        (0, "0.3000/0.5000 0.344267/0.5000 0.454545/0.545455 0.463636/0.554545 0.535176/0.626085"
            " 0.645455/0.736364"),
        (1 / 3, "0.3000/0.5000 0.3000/0.5000 0.333333/0.5000 0.342424/0.5000 0.413964/0.504873"
            " 0.524242/0.615152"),
        (1 / 2, "0.3000/0.5000 0.3000/0.5000 0.3000/0.5000 0.3000/0.5000 0.353358/0.5000"
            " 0.463636/0.554545"),
        (1, "0.3000/0.5000 0.3000/0.5000 0.3000/0.5000 0.3000/0.5000 0.3000/0.5000 0.3000/0.5000"),
    ],
)  # fmt: skip
def test_the_cosine_that_an_edge_needs(shared: float, row: str) -> None:
    contexts = [(True, 0), (True, 8), (True, FAR), (False, 0), (False, 8), (False, FAR)]
    for (same, apart), printed in zip(contexts, row.split(), strict=True):
        proximity = temporal_proximity(apart, 8.0)
        for settings, expected in zip((SEED, PEER), printed.split("/"), strict=True):
            needed = cosine_needed(shared, same, proximity, settings)
            assert needed == pytest.approx(float(expected), abs=1e-6)


def test_properties_of_ten_thousand_random_pairs() -> None:
    pick = random.Random(11)
    words = "abcdefgh"
    for _ in range(10_000):
        a = [pick.choice(words) for _ in range(pick.randrange(5))]
        b = [pick.choice(words) for _ in range(pick.randrange(5))]
        cosine, apart, same = pick.uniform(-1, 1), pick.uniform(0, 60), pick.random() < 0.5
        score = composite_score(cosine, a, b, same, apart, SEED)
        assert score == composite_score(cosine, b, a, same, -apart, SEED)
        assert score == composite_score(cosine, a[::-1] + a, set(b), same, apart, SEED)
        assert (score == 0) == (cosine < 0.30 - 1e-9)
        assert score == 0 or 0.21 - 1e-9 <= score <= 1.0
        assert composite_score(min(1, cosine + 0.1), a, b, same, apart, SEED) >= score
        assert composite_score(cosine, a, b, True, apart, SEED) >= score
        assert composite_score(cosine, a, b, same, apart / 2, SEED) >= score
        assert composite_score(cosine, a, a, same, apart, SEED) >= score or not a


def test_the_guard_comes_before_everything() -> None:
    for cosine, edge in ((0.28, False), (0.3001, True)):
        assert reaches_threshold(composite_score(cosine, "a", "a", True, 0, SEED), SEED) is edge


@pytest.mark.parametrize("cosine", [math.nan, math.inf, -math.inf])
def test_a_cosine_that_is_no_number_is_no_resemblance(cosine: float) -> None:
    assert composite_score(cosine, "a", "a", True, 0, SEED) == 0.0


def test_scores_rise_with_the_cosine_and_end_at_one() -> None:
    scores = [composite_score(c / 100, "a", "a", True, 0, SEED) for c in range(30, 101)]
    assert all(a < b for a, b in pairwise(scores))
    assert scores[-1] == 1.0 == composite_score(1.0000001, "a", "a", True, 0, SEED)


def test_an_edges_id_is_that_of_its_pair() -> None:
    assert edge_id("a1", "b2") == "8a859e514a4be4ef6ae5808c06b1ce0c" == edge_id("b2", "a1")


def test_the_defaults_are_the_seeds_and_the_peers_are_a_profile() -> None:
    assert (SEED.edge_score_threshold, SEED.edge_degree_cap) == (0.40, 5)
    assert (SEED.minimum_cosine_for_edge, SEED.temporal_sigma_hours) == (0.30, 8.0)
    assert (PEER.minimum_cosine_for_edge, PEER.edge_score_threshold) == (0.50, 0.45)
    own = ConsolidationSettings(profile="peer", edge_score_threshold=0.5)
    assert (own.minimum_cosine_for_edge, own.edge_score_threshold) == (0.50, 0.5)


def test_weights_share_out_exactly_one() -> None:
    with pytest.raises(ValidationError, match=r"must be 1, not 0\.95: change them together"):
        ConsolidationSettings(weight_cosine=0.50)
    ConsolidationSettings(weight_cosine=0.50, weight_tags=0.25)
    ConsolidationSettings(weight_tags=0.2 + 5e-10)
    with pytest.raises(ValidationError):
        ConsolidationSettings(weight_tags=0.2 + 2e-9)


@pytest.mark.parametrize("name", ["similarity_edge_threshold", "similarity_threshold"])
def test_the_old_name_is_refused_with_the_new_one(name: str) -> None:
    with pytest.raises(ValidationError, match="set edge_score_threshold"):
        ConsolidationSettings.model_validate({name: 0.6})
    with pytest.raises(InvalidInput, match="set edge_score_threshold"):
        valid_settings({"consolidation": {name: 0.6}})


def test_each_number_of_the_score_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    def score(**settings: float) -> float:
        chosen = ConsolidationSettings.model_validate(settings)
        return composite_score(0.5, ["a", "b"], ["a"], False, 8, chosen)

    plain = score()
    assert score(temporal_sigma_hours=16) > plain
    assert score(cross_category_score=0.5) > plain
    assert score(weight_cosine=0.65, weight_hours=0.0) != plain
    assert score(minimum_cosine_for_edge=0.6) == 0.0
    monkeypatch.setenv("ASTERISM_CONSOLIDATION_EDGE_DEGREE_CAP", "7")
    monkeypatch.setenv("ASTERISM_CONSOLIDATION_PROFILE", "peer")
    result = valid_settings(None).consolidation
    assert (result.edge_degree_cap, result.minimum_cosine_for_edge) == (7, 0.50)


def test_near_comes_before_exact() -> None:
    with pytest.raises(ValidationError, match="must not exceed near_duplicate_exact"):
        ConsolidationSettings(near_duplicate_near=0.97)
