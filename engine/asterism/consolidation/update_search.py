"""Search for changed facts: which texts of a batch may update which earlier ones, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from asterism.consolidation.arrays import Floats, MemoryArrays, stored_vector
from asterism.consolidation.decision import Batch, ComparedGroup, Decision
from asterism.consolidation.exact_search import Rules
from asterism.consolidation.models import PossibleUpdate
from asterism.consolidation.rare_words import READ, RareWords, Reader
from asterism.database import Row
from asterism.row_types import row_of
from asterism.text import change_rule
from asterism.text.change_profile import change_profile
from asterism.text.change_rule import Rarities, Statement

MOST_OF_ONE = 3  # proposals of one later text
SURE = change_rule.ENOUGH + 3.0  # points that end a fact which is told in the same words twice
NEAR_COSINE = 0.6  # calibrated cosine from which common words are compared
CERTAIN = 0.9  # confidence of a reworded text of the same speaker
SAMPLE = 50  # weight of the model's own mean cosine beside those of the realm
LAST = 2**31 - 1


@row_of("consolidation/read_statements")
class StatementRow(NamedTuple):
    """Row of consolidation/read_statements."""

    id: str
    text: str
    speaker: str | None
    about: str | None
    session: str | None
    at: int
    arrival: int


@dataclass(frozen=True)
class Candidate:
    """A pair of texts in order of time, with how near they are and what the rule gives it."""

    earlier: Statement
    later: Statement
    cosine: float
    near: bool
    points: float

    @property
    def proposed(self) -> bool:
        return self.near or self.points >= change_rule.ENOUGH

    @property
    def confidence(self) -> float:
        least = CERTAIN if self.near and self.earlier.speaker is not None else 0.0
        return max(least, change_rule.confidence(self.points))


async def find_updates(
    reader: Reader, batch: Batch, groups: Sequence[ComparedGroup], rules: Rules, decision: Decision
) -> list[PossibleUpdate]:
    """Return the proposals for the accepted texts of a batch, in the order of the batch."""
    ids = [batch.arrays.ids[row] for row in decision.accepted]
    search = UpdateSearch(reader, rules, [batch.arrays, *(group.arrays for group in groups)])
    return await search.find(ids, decision.updates)


class UpdateSearch:
    """Compares texts of a batch with those of the same speaker that share rare words with them."""

    def __init__(self, reader: Reader, rules: Rules, arrays: Sequence[MemoryArrays]) -> None:
        self._reader = reader
        self._rules = rules
        self._vectors = _Vectors(arrays, rules)
        self._statements: dict[str, Statement] = {}

    async def find(
        self, ids: Sequence[str], near: Sequence[PossibleUpdate]
    ) -> list[PossibleUpdate]:
        """Return proposals about these memories, and about pairs that are near in other words."""
        await self._read(ids)
        close = {_ordered(pair.id, pair.of) for pair in near}
        words = RareWords(
            self._reader, [self._statements[id] for id in ids if id in self._statements]
        )
        pairs = close | {_ordered(id, other) for id, other in await words.pairs()}
        ends = {id for pair in pairs for id in pair}
        await self._read(sorted(ends))
        await self._read_vectors(ends)
        rarities = words.rarities()
        candidates = [
            candidate
            for pair in sorted(pairs)
            if (candidate := self._candidate(pair, pair in close, rarities)) is not None
        ]
        return await self._without_proposed([_proposal(each) for each in _chosen(candidates)])

    async def _without_proposed(self, updates: list[PossibleUpdate]) -> list[PossibleUpdate]:
        """Return the updates that no run has proposed before, and no correction has made."""
        rows = [{"id": update.id, "of": update.of} for update in updates]
        if not rows:
            return updates
        proposed = await self._reader.rows("consolidation/find_proposed", rows=rows)
        pairs = {(row["id"], row["other"]) for row in proposed}
        return [update for update in updates if (update.id, update.of) not in pairs]

    def _candidate(self, pair: tuple[str, str], near: bool, rarities: Rarities) -> Candidate | None:
        """Return what the rule says about a pair, or None if it compares no such texts."""
        statements = [self._statements[id] for id in pair if id in self._statements]
        if len(statements) < 2 or not statements[0].comparable(statements[1]):
            return None
        earlier, later = sorted(statements, key=lambda statement: statement.order)
        if change_rule.same_words(earlier, later):
            return None
        cosine, nearness = self._vectors.compare(earlier.id, later.id)
        near = near or (cosine >= NEAR_COSINE and change_rule.rewords(earlier, later))
        points = change_rule.score(earlier, later, nearness, rarities)
        candidate = Candidate(earlier, later, cosine, near, points)
        return candidate if candidate.proposed else None

    async def _read(self, ids: Sequence[str]) -> None:
        missing = [id for id in ids if id not in self._statements]
        for first in range(0, len(missing), READ):
            rows = await self._reader.rows(
                "consolidation/read_statements", ids=missing[first : first + READ]
            )
            self._statements |= {row["id"]: _statement(StatementRow(**row)) for row in rows}

    async def _read_vectors(self, ids: set[str]) -> None:
        missing = self._vectors.missing(ids)
        for first in range(0, len(missing), READ):
            rows = await self._reader.rows(
                "consolidation/read_by_id", ids=missing[first : first + READ], last_seq=LAST
            )
            self._vectors.add(rows)


class _Vectors:
    """Unit vectors of memories by id, and the mean cosine of each to all of them."""

    def __init__(self, arrays: Sequence[MemoryArrays], rules: Rules) -> None:
        self._arrays = arrays
        self._places = {
            id: (part, row) for part, each in enumerate(arrays) for row, id in enumerate(each.ids)
        }
        self._others: dict[str, Floats] = {}
        self._rules = rules
        self._total = sum(
            (each.unit.sum(axis=0, dtype=np.float64) for each in arrays),
            np.zeros(arrays[0].dimensions),
        )
        self._count = sum(map(len, arrays))

    def missing(self, ids: set[str]) -> list[str]:
        return sorted(ids - self._places.keys())

    def add(self, rows: Sequence[Row]) -> None:
        for row in rows:
            vector = np.asarray(stored_vector(row["embedding"], len(self._total)), np.float64)
            length = float(np.linalg.norm(vector))
            self._others[row["id"]] = vector / length if length else vector

    def compare(self, a: str, b: str) -> tuple[float, float]:
        """Return the calibrated cosine, and by how many spreads it is above what is usual."""
        first, second = self._vector(a), self._vector(b)
        cosine = float(first @ second)
        usual = (self._usual(first) + self._usual(second)) / 2
        nearness = (cosine - usual) / self._rules.calibration.spread
        return float(self._rules.calibrated(cosine)), nearness

    def _vector(self, id: str) -> Floats:
        if id not in self._places:
            return self._others.get(id, np.zeros(len(self._total)))
        part, row = self._places[id]
        vector: Floats = self._arrays[part].unit[row].astype(np.float64)
        return vector

    def _usual(self, vector: Floats) -> float:
        """Return the mean cosine to all others, drawn towards the model's where they are few."""
        total = float(vector @ self._total) - 1.0 + SAMPLE * self._rules.calibration.mean
        return total / (max(0, self._count - 1) + SAMPLE)


def _ordered(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


def _statement(row: StatementRow) -> Statement:
    return Statement(
        id=row.id,
        text=row.text,
        speaker=row.speaker,
        about=row.about,
        session=row.session,
        order=(row.at, row.arrival, row.id),
        profile=change_profile(row.text),
    )


def _chosen(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the proposals of each later text: near ones, and the best of the others.

    A second one is kept only where the first is proposed to update it: a fact that changed twice.
    """
    by_later: dict[str, list[Candidate]] = {}
    for candidate in _sure_enough(candidates):
        by_later.setdefault(candidate.later.id, []).append(candidate)
    best = {
        id: max(pairs, key=lambda pair: (pair.points, pair.earlier.order))
        for id, pairs in by_later.items()
    }
    linked = {frozenset((id, pair.earlier.id)) for id, pair in best.items()}
    chosen: list[Candidate] = []
    for first in sorted(best.values(), key=lambda pair: pair.later.order):
        pairs = [
            pair
            for pair in by_later[first.later.id]
            if pair is first
            or pair.near
            or frozenset((pair.earlier.id, first.earlier.id)) in linked
        ]
        pairs.sort(key=lambda pair: (pair is not first, -pair.points, pair.earlier.order))
        chosen += pairs[:MOST_OF_ONE]
    return chosen


def _sure_enough(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out what ends a fact in quite other words, where it is told in the same words twice.

    Who repeats a sentence with another value tends to do so again.
    """
    reworded = {id for pair in candidates if pair.near for id in (pair.earlier.id, pair.later.id)}
    return [
        pair
        for pair in candidates
        if pair.near or pair.earlier.id not in reworded or pair.points >= SURE
    ]


def _proposal(candidate: Candidate) -> PossibleUpdate:
    difference = change_rule.difference(candidate.earlier, candidate.later)
    return PossibleUpdate(
        id=candidate.later.id,
        of=candidate.earlier.id,
        cosine=candidate.cosine,
        differs=difference.differs,
        before=difference.before,
        after=difference.after,
        confidence=round(candidate.confidence, 4),
        reason=_reason(candidate),
        own=candidate.earlier.speaker is not None
        and change_rule.says_change(candidate.earlier, candidate.later),
    )


def _reason(candidate: Candidate) -> str:
    earlier, later = candidate.earlier.profile, candidate.later.profile
    if candidate.near:
        return "nearly the same words"
    names = sorted(earlier.frames & later.frames)
    subject = f"the same subject ({', '.join(names)})" if names else "rare words in common"
    return (
        f"{subject}, said by the same speaker, with a word of change" if later.marker else subject
    )
