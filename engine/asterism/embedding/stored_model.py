"""The model that a realm's vectors are of, as it is stored there."""

from dataclasses import dataclass

from asterism.database import Database
from asterism.row_types import row_of


@row_of("embedding/state")
@dataclass(frozen=True)
class StoredModel:
    """Row of embedding/state."""

    name: str
    dimensions: int
    mean: float
    spread: float
    next_name: str | None = None
    swapping: bool = False
    rescore: bool = False


async def read_stored(database: Database) -> StoredModel | None:
    """Return the model of a realm's vectors, None where there are none."""
    row = await database.row("embedding/state")
    return None if row is None else StoredModel(**row)
