"""Pairs of stars that may belong together, and why."""

from typing import Any

from pydantic import computed_field

from engine.database import Database
from engine.frozen import Frozen
from engine.stars import checks, days
from engine.stars.model import ConnectionType

LEAST_CORRELATION = 0.1  # a weaker one is no reason to name


class Hypothesis(Frozen):
    """A connection that does not exist yet, with what speaks for it.

    `score` is from 0 to 1; `excavating` says that a constellation of the two is in its first days.
    """

    a: str
    b: str
    a_name: str
    b_name: str
    type: ConnectionType
    score: float
    correlation: float | None
    mentions: int
    shared: int
    excavating: bool

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def why(self) -> str:
        """The reasons in words."""
        r = self.correlation or 0.0
        moved = "together" if r > 0 else "in opposite directions"
        reasons = (
            (abs(r) >= LEAST_CORRELATION, f"their brightness moves {moved} (r = {r:.2f})"),
            (self.mentions > 0, f"mentioned together {_times(self.mentions)}"),
            (self.shared > 0, f"both linked to {self.shared} of your memories or intents"),
        )
        return "; ".join(text for holds, text in reasons if holds)


async def hypotheses(database: Database, limit: int) -> list[Hypothesis]:
    """Return the pairs most likely to belong together, best first."""
    rows = await database.rows(
        "stars/hypotheses",
        day=days.number(database.clock.now()),
        limit=checks.whole("limit", limit),
    )
    below = database.settings.stars.tension_below
    return [Hypothesis(type=_type(row, below), **row) for row in rows]


def _type(row: dict[str, Any], tension_below: float) -> ConnectionType:
    apart = row["correlation"] is not None and row["correlation"] < tension_below
    return ConnectionType.TENSION if apart else ConnectionType.RESONANCE


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
