"""Sessions of selected memories: each one row, in which the gaps are closed."""

from collections.abc import Iterator

Place = tuple[bool, int, str]  # where no neighbour tells the order: came back, arrival, id


class SessionRows:
    """Members of sessions, put in the order that they have in the realm."""

    def __init__(self, next_ids: dict[str, str]) -> None:
        self._next_ids = next_ids
        self._members: dict[str, dict[str, Place]] = {}

    def add(self, session: str, id: str, place: Place) -> None:
        """Add a memory to its session."""
        self._members.setdefault(session, {})[id] = place

    def rows(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each session with its memories in order."""
        for session, places in sorted(self._members.items()):
            yield session, self._row(places)

    def _row(self, places: dict[str, Place]) -> list[str]:
        """Return one row, even of a session that is damaged: piece by piece, each memory once."""
        after = {id: self._nearest(id, places) for id in sorted(places)}
        followers = set(after.values())
        starts = sorted(places, key=lambda id: (id in followers, places[id]))
        row: dict[str, None] = {}
        for start in starts:
            id: str | None = start
            while id is not None and id not in row:
                row[id] = None
                id = after[id]
        return list(row)

    def _nearest(self, id: str, places: dict[str, Place]) -> str | None:
        """Return the next memory that is a member. Each step is walked once."""
        while (following := self._next_ids.pop(id, None)) is not None:
            if following in places:
                return following
            id = following
        return None
