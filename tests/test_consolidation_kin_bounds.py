"""The bounds of the search for kin lose no edge: it finds what scoring every pair finds."""

import numpy as np
import pytest

from asterism.consolidation import kin_search
from asterism.consolidation.arrays import Ints, MemoryFacts, Vocabulary, build_arrays
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.kin_edges import may_join
from asterism.consolidation.kin_search import KinPairs, KinSearch, claims_of, mutual
from asterism.consolidation.realm_scale import (
    RealmSample,
    measure_realm,
    measure_texts,
    sample_rows,
)
from asterism.consolidation.shared_words import WordPairs
from asterism.embedding import Calibration
from asterism.settings import ConsolidationSettings

RULES = Rules(ConsolidationSettings(), Calibration())
COUNT, NEW, DIMENSIONS = 600, 60, 24


def world(seed: int) -> tuple[KinSearch, WordPairs]:
    """Return texts in groups, some of them equal, and what pairs of them share in words."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((COUNT // 12, DIMENSIONS))
    vectors = centres[random.integers(0, len(centres), COUNT)]
    vectors = vectors + random.uniform(0.3, 1.2) * random.standard_normal(vectors.shape)
    vectors[:20] = vectors[20:40]  # ties, which ids decide
    facts = [
        MemoryFacts(f"m{row:04}", [f"t{row % 7}"], ("plan", "note")[row % 2], row)
        for row in random.permutation(COUNT).tolist()
    ]
    arrays = build_arrays(facts, vectors.astype(np.float32), Vocabulary())
    scale = measure_realm(RealmSample(arrays.select(sample_rows(arrays.ids)), COUNT), Calibration())
    texts = arrays.with_scales(*measure_texts(arrays, arrays, scale))
    shared = np.triu(random.random((COUNT, COUNT)) ** 6 * 0.5, 1)
    shared[random.random(shared.shape) < 0.9] = 0.0
    shared += shared.T
    rows, columns = np.nonzero(shared)
    pairs = WordPairs(rows, columns, shared[rows, columns])
    return KinSearch(texts, scale, RULES.guard, RULES.settings.edge_degree_cap), pairs


def words_of(pairs: WordPairs, rows: Ints) -> WordPairs:
    """Return the pairs of some rows, which are numbered by their places."""
    chosen = np.isin(pairs.rows, rows)
    return WordPairs(
        np.searchsorted(rows, pairs.rows[chosen]), pairs.columns[chosen], pairs.words[chosen]
    )


def exhaustive(search: KinSearch, pairs: WordPairs) -> KinPairs:
    """Return the most kin of every text, each pair scored."""
    words = np.zeros((COUNT, COUNT))
    words[pairs.rows, pairs.columns] = pairs.words
    rows, columns = np.nonzero(~np.eye(COUNT, dtype=bool))
    return search._trim(search.score(rows, columns, words[rows, columns]), np.arange(COUNT))


def named(pairs: KinPairs) -> dict[tuple[int, int], float]:
    ends = zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True)
    return dict(zip(ends, pairs.kin.tolist(), strict=True))


def edges(pairs: KinPairs, search: KinSearch, new: Ints) -> dict[tuple[int, int], float]:
    """Return the mutual pairs of new texts that may reach the threshold."""
    both = mutual(pairs, COUNT)
    own = np.isin(both.rows, new) | np.isin(both.columns, new)
    return named(both.where(np.nonzero(own & may_join(search.texts, both, RULES))[0]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_same_edges_as_scoring_every_pair(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kin_search, "COLUMNS", 64)
    monkeypatch.setattr(kin_search, "ROWS", 32)
    search, words = world(seed)
    whole = exhaustive(search, words)
    every = np.arange(COUNT)
    assert named(search.best(every, words)) == pytest.approx(named(whole), abs=1e-12)

    new = np.arange(COUNT - NEW, COUNT)
    best = search.best(new, words_of(words, new))
    best = best.where(np.nonzero(may_join(search.texts, best, RULES))[0])
    claims = claims_of(best, new)
    settled = search.best(claims.rows, words_of(words, claims.rows), claims)
    columns = zip(vars(best).values(), vars(settled).values(), strict=True)
    pairs = KinPairs(*(np.concatenate(column) for column in columns))
    expected = edges(whole, search, new)
    assert edges(pairs, search, new) == pytest.approx(expected, abs=1e-12)
    assert len(expected) > 20
