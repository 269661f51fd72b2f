"""The fast path finds what plain loops find: products in single precision lose nothing."""

import random
from typing import Any

import numpy as np
import pytest

from asterism.consolidation.arrays import MemoryArrays, MemoryFacts, Vocabulary, build_arrays
from asterism.consolidation.calibration_check import measure_spread, spread_warning
from asterism.consolidation.decision import (
    Batch,
    Decision,
    batch_pairs,
    compare,
    decide,
    wording_ids,
)
from asterism.consolidation.degree_limit import apply_degree_limit
from asterism.consolidation.edge_score import edge_id, is_certified, least_cosine
from asterism.consolidation.exact_search import ExactSearch, Rules
from asterism.embedding import Calibration
from asterism.settings import ConsolidationSettings
from asterism.text.wording import wording
from tests.support.consolidation_oracle import Oracle, Place, Text, corpus

COSINE = ConsolidationSettings(signal="cosine")
RULES = Rules(COSINE, Calibration())


def arrays(
    texts: list[Text], hours: list[float], vocabulary: Vocabulary, dimensions: int
) -> MemoryArrays:
    facts = [
        MemoryFacts(text.id, text.tags, text.category, number, at)
        for number, (text, at) in enumerate(zip(texts, hours, strict=True))
    ]
    vectors = np.array([text.vector for text in texts], np.float32)
    return build_arrays(facts, vectors.reshape(len(texts), dimensions), vocabulary)


def decided(
    new: list[Text], existing: list[Text], used: list[float], hours: float, rules: Rules = RULES
) -> Decision:
    vocabulary = Vocabulary()
    dimensions = len(new[0].vector)
    there = arrays(existing, used, vocabulary, dimensions)
    exempt = [text.category == "message" for text in new]
    batch = Batch(arrays(new, [hours] * len(new), vocabulary, dimensions), exempt, hours)
    groups, among = [compare(batch, there, rules)], batch_pairs(batch, rules)
    wordings = {text.id: wording(text.text) for text in [*existing, *new]}
    assert wordings.keys() >= set(wording_ids(batch, groups, among))
    return decide(batch, groups, rules, among, wordings)


def weights(decision: Decision) -> dict[tuple[str, str], float]:
    return {(row["low"], row["high"]): row["parts"]["weight"] for row in decision.edges}


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["seed", "peer"])
@pytest.mark.parametrize("dimensions", [8, 32, 384, 1536])
@pytest.mark.parametrize("mean", [0.0, 0.3, 0.6])
def test_random_corpora_equal_plain_loops(dimensions: int, profile: Any, mean: float) -> None:
    count = 60 if dimensions > 100 else 130
    texts = corpus(count, dimensions, seed=dimensions + int(10 * mean))
    pick = random.Random(dimensions)
    half = count // 2
    used = [pick.uniform(0, 30) for _ in range(half)]
    settings = ConsolidationSettings(signal="cosine", profile=profile)
    oracle = Oracle(settings.minimum_cosine_for_edge, settings.edge_score_threshold, mean=mean)
    oracle.active = [Place(text, at) for text, at in zip(texts[:half], used, strict=True)]
    oracle.batch(texts[half:], 31.0)
    groups = decided(texts[half:], texts[:half], used, 31.0, Rules(settings, Calibration(mean)))
    assert weights(groups) == pytest.approx(oracle.edges, abs=1e-9)
    assert {item.id: item.of for item in groups.duplicates} == oracle.rejected
    assert {(item.id, item.other) for item in groups.near_duplicates} == oracle.flagged
    assert {(item.id, item.of) for item in groups.updates} == oracle.updates


def test_a_weight_is_the_sum_of_its_four_parts() -> None:
    groups = decided(corpus(60, 16, 3), [], [], 5.0)
    assert groups.edges
    for row in groups.edges:
        parts = row["parts"]
        four = [parts[f"from_{name}"] for name in ("cosine", "tags", "category", "hours")]
        assert sum(four) == pytest.approx(parts["weight"], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("dimensions", [16, 384, 1536])
def test_a_thousand_pairs_at_the_guard_lose_none(dimensions: int) -> None:
    """Planted at g give or take 1e-7: whatever doubles accept must be there."""
    random_ = np.random.default_rng(dimensions)
    first = random_.standard_normal((1000, dimensions))
    first /= np.linalg.norm(first, axis=1)[:, None]
    across = random_.standard_normal((1000, dimensions))
    across -= (across * first).sum(axis=1)[:, None] * first
    across /= np.linalg.norm(across, axis=1)[:, None]
    cosines = 0.30 + random_.uniform(-1e-7, 1e-7, 1000)
    second = cosines[:, None] * first + np.sqrt(1 - cosines**2)[:, None] * across
    a, b = first.astype(np.float32), second.astype(np.float32)
    doubles = (a.astype(float) * b).sum(axis=1)
    doubles /= np.linalg.norm(a.astype(float), axis=1) * np.linalg.norm(b.astype(float), axis=1)
    expected = {row for row in range(1000) if doubles[row] >= 0.30 - 1e-9}
    rules = Rules(ConsolidationSettings(signal="cosine", edge_degree_cap=1000), Calibration())
    vocabulary = Vocabulary()
    ours = build_arrays([MemoryFacts(f"a{n:04}", ["x"], "c") for n in range(1000)], a, vocabulary)
    theirs = build_arrays([MemoryFacts(f"b{n:04}", ["x"], "c") for n in range(1000)], b, vocabulary)
    best = ExactSearch(ours, theirs, rules, rules.proximity(np.zeros(1000))).search().best
    own = {int(row) for row, column in zip(best.rows, best.columns, strict=True) if row == column}
    assert 0 < len(expected) < 1000
    assert own == expected


def test_ties_go_by_id_whatever_the_order() -> None:
    hub = [1.0, 0.0, 0.0, 0.0]
    texts = [Text("hub", hub, (), "", "m")]
    for number, sign in enumerate([1, -1] * 6):
        vector = [0.6, 0.8 * sign, 0.0, 0.0] if number < 6 else [0.6, 0.0, 0.8 * sign, 0.0]
        texts.append(Text(f"leaf {number}", vector, (), "message", f"l{number % 12:02}"))
    expected = weights(decided(texts, [], [], 0.0))
    assert expected[("l00", "m")] == pytest.approx(0.55 * 0.6 + 0.045 + 0.10)
    pick = random.Random(5)
    for _ in range(10):
        shuffled = [*texts]
        pick.shuffle(shuffled)
        assert weights(decided(shuffled, [], [], 0.0)) == expected


def test_a_batch_gives_its_edges_whatever_its_order() -> None:
    texts = [text for text in corpus(80, 16, 9) if text.category != ""]
    apart = Rules(ConsolidationSettings(signal="cosine", near_duplicate_exact=1.5), Calibration())
    expected = decided(texts, [], [], 0.0, apart).edges
    for seed in range(10):
        shuffled = [*texts]
        random.Random(seed).shuffle(shuffled)
        assert decided(shuffled, [], [], 0.0, apart).edges == expected


def test_the_length_of_a_vector_does_not_matter() -> None:
    texts = corpus(60, 16, 4)
    scaled = [
        Text(text.text, [x * 2.0 ** (n % 7 - 3) for x in text.vector], text.tags, text.category,
             text.id)
        for n, text in enumerate(texts)
    ]  # fmt: skip
    assert decided(scaled, [], [], 0.0).edges == decided(texts, [], [], 0.0).edges


def test_ten_thousand_shared_tags() -> None:
    tags = [f"tag {number}" for number in range(10_000)]
    texts = [
        Text("a", [1.0, 0.0], tags, "", "a"),
        Text("b", [0.5, 0.75**0.5], tags[:5000], "", "b"),
    ]
    [row] = decided(texts, [], [], 0.0).edges
    assert row["parts"]["from_tags"] == pytest.approx(0.20 * 0.5)


def test_a_ceiling_lets_the_best_in_and_moves_only_what_was_never_used() -> None:
    def edge(a: str, b: str, weight: float) -> dict[str, Any]:
        parts = {"weight": weight}
        return {"low": a, "high": b, "edge_id": edge_id(a, b), "parts": parts}

    edges = [edge("a", "h", 0.5), edge("b", "h", 0.7), edge("c", "h", 0.6)]
    fitting, displaced = apply_degree_limit(edges, {}, 2)
    assert ([row["low"] for row in fitting], displaced) == (["b", "c"], [])
    weak = {"edge_id": "weak", "other": "x", "weight": 0.42, "used": False}
    used = {"edge_id": "used", "other": "y", "weight": 0.41, "used": True}
    fitting, displaced = apply_degree_limit(edges, {"h": [weak, used]}, 2)
    assert ([row["low"] for row in fitting], displaced) == (["b"], ["weak"])


@pytest.mark.slow
def test_the_certificate_never_certifies_an_incomplete_set() -> None:
    """With exact neighbours: a hundred thousand trials, tight contexts included."""
    settings = COSINE
    random_ = np.random.default_rng(3)
    trials, fine = 100_000, 0
    for _ in range(trials // 1000):
        cosines = np.sort(random_.uniform(-0.2, 1.0, (1000, 40)))[:, ::-1]
        cosines = np.where(random_.random((1000, 1)) < 0.5, cosines * 0.45, cosines)
        context = random_.choice([0.45, 0.25, 0.151, 0.046])
        extra = random_.uniform(0.0, context, (1000, 40))
        scores = np.where(cosines >= 0.30, 0.55 * cosines + extra, 0.0)
        scores = np.where(scores >= 0.40, scores, 0.0)
        for row, k in enumerate(random_.integers(1, 40, 1000).tolist()):
            first_scores = sorted((s for s in scores[row, :k].tolist() if s), reverse=True)
            if not is_certified(float(cosines[row, k - 1]), first_scores, float(context), settings):
                continue
            fine += 1
            everything = sorted((s for s in scores[row].tolist() if s), reverse=True)
            assert everything[:5] == first_scores[:5]
    assert fine > trials * 0.1


@pytest.mark.slow
@pytest.mark.parametrize("common", [0.0, 0.25, 0.45])
def test_fifty_neighbours_are_certified_once_tags_and_hours_are_enumerated(common: float) -> None:
    """Corpora whose random pairs sit at a cosine of 0, 0.25 and 0.45."""
    settings = COSINE
    random_ = np.random.default_rng(17)
    count, questions, dimensions = 20_300, 150, 256
    centres = random_.standard_normal((2000, dimensions))
    apart = centres[random_.integers(0, 2000, count)]
    apart = apart + 0.8 * random_.standard_normal((count, dimensions))
    apart /= np.linalg.norm(apart, axis=1)[:, None]
    vectors = np.sqrt(1 - common) * apart
    vectors[:, 0] += np.sqrt(common)
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    hours = random_.uniform(0, 2000, count)
    tags, kinds = random_.integers(0, 400, (count, 2)), random_.integers(0, 3, count)
    context = 0.45 - 0.20 - 0.10 * 0.99
    sure = 0
    for row in range(questions):
        cosines = vectors @ vectors[row]
        cosines[row] = -1.0
        nearest = np.argpartition(-cosines, 50)[:50]
        shared = (tags[:, :, None] == tags[row][None, None, :]).any(axis=(1, 2))
        recent = np.abs(hours - 2000) < 24.279
        pool = np.unique(np.concatenate([nearest, np.nonzero(shared | recent)[0]]))
        nearness = np.exp(-((2000 - hours[pool]) ** 2) / 128)
        alike = np.where(shared[pool], 0.20 / 3, 0.0)
        kind = np.where(kinds[pool] == kinds[row], 0.15, 0.045)
        scores = np.where(
            cosines[pool] >= 0.30, 0.55 * cosines[pool] + alike + kind + 0.10 * nearness, 0.0
        )
        best = np.sort(scores[scores >= 0.40])[::-1].tolist()
        sure += is_certified(float(cosines[nearest].min()), best, context, settings)
    assert sure >= 0.99 * questions


def test_the_bounds_of_the_certificate() -> None:
    seed, peer = COSINE, ConsolidationSettings(profile="peer")
    printed = [
        (0.45, 0.30, 0.50),
        (0.25, 0.30, 0.50),
        (0.151, 0.452727, 0.543636),
        (0.046, 0.643636, 0.734545),
    ]
    for context, ours, theirs in printed:
        assert least_cosine(context, seed) == pytest.approx(ours, abs=1e-6)
        assert least_cosine(context, peer) == pytest.approx(theirs, abs=1e-6)


def test_a_model_whose_unrelated_texts_pass_the_guard_is_warned_about() -> None:
    random_ = np.random.default_rng(1)
    vectors = random_.standard_normal((300, 256)).astype(np.float32)
    facts = [MemoryFacts(f"m{number}", (), "") for number in range(300)]
    apart = build_arrays(facts, vectors, Vocabulary())
    shifted = build_arrays(facts, vectors + np.float32(0.9), Vocabulary())
    nobody = apart.select(np.zeros(0, np.int64))
    quiet, loud = measure_spread(apart, nobody, RULES), measure_spread(nobody, shifted, RULES)
    assert quiet is not None
    assert spread_warning(quiet, COSINE) is None
    assert abs(quiet.p50) < 0.05
    wordings = spread_warning(loud, COSINE)
    assert wordings is not None
    assert "minimum_cosine_for_edge is 0.30" in wordings
    assert measure_spread(apart.select(np.arange(3)), nobody, RULES) is None
