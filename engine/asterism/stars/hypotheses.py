"""Hypotheses: pairs of stars that may belong together, with the reasons."""

from pydantic import computed_field

from asterism.base_model import Frozen
from asterism.database import Database
from asterism.row_types import row_of
from asterism.stars import checks
from asterism.stars.models import ConnectionType
from asterism.timestamps import epoch_day

LEAST_CORRELATION = 0.1  # a weaker one is no reason to name


@row_of("stars/hypotheses", besides=["type"])
class Hypothesis(Frozen):
    """A connection that does not exist yet, with its score and reasons.

    `score` is from 0 to 1. `excavating`: a constellation of the two is in its first days.
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
        """Reasons in words."""
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
        day=epoch_day(database.clock.now()),
        limit=checks.whole("limit", limit),
    )
    below = database.settings.stars.tension_below
    return [Hypothesis(type=_type(row["correlation"], below), **row) for row in rows]


def _type(correlation: float | None, tension_below: float) -> ConnectionType:
    apart = correlation is not None and correlation < tension_below
    return ConnectionType.TENSION if apart else ConnectionType.RESONANCE


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
