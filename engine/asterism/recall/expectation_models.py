"""Pinned questions, and how they are answered."""

from datetime import datetime
from typing import Any

from pydantic import Field, computed_field

from asterism.base_model import Frozen


class Expectation(Frozen):
    """A question with the memories that must, and must not, be among its first `k` hits.

    `holds` is what the latest work on memories recorded, at `checked_at`. `forgotten` counts its
    memories that were forgotten since: they are expected no more.
    """

    id: str
    question: str
    k: int
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    filter: dict[str, Any] = Field(default_factory=dict)
    holds: bool
    forgotten: int = 0
    created_at: datetime
    checked_at: datetime


class ExpectedMemory(Frozen):
    """A memory of a pinned question: its rank among the first hits, now and as recorded before.

    One that must come back and does not has its rank beyond them, if it has any, with the reasons.
    """

    id: str
    must: bool
    holds: bool
    rank: int | None = None
    rank_before: int | None = None
    reasons: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = f"at rank {self.rank}" if self.rank else "not ranked"
        moved = self.rank_before and self.rank_before != self.rank
        before = f", before at {self.rank_before}" if moved else ""
        reasons = f": {'; '.join(self.reasons)}" if self.reasons else ""
        return f"{self.id} is {place}{before}{reasons}"


class ExpectationCheck(Frozen):
    """A pinned question as it is answered now, beside what was recorded before."""

    expectation: Expectation
    holds: bool
    memories: tuple[ExpectedMemory, ...] = ()
    error: str = ""  # why it could not be asked

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def held_before(self) -> bool:
        return self.expectation.holds

    @property
    def reason(self) -> str:
        """Return in words what is not as expected."""
        broken = "; ".join(str(memory) for memory in self.memories if not memory.holds)
        return self.error or broken
