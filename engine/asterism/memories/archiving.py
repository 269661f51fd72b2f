"""Archives memories that have faded below their end, on either clock."""

from datetime import datetime

from asterism.database import Database
from asterism.timestamps import to_micros


async def archive_due(database: Database, time: datetime, active: int) -> int:
    """Mark what is due at a time on the wall clock and one on the active clock, and count it."""
    total = 0
    for clock, moment in (("wall", to_micros(time)), ("active", active)):
        due = {"clock": clock, "moment": moment}
        while archived := (await database.one("memories/archive_due", **due))["archived"]:
            total += archived
    return total
