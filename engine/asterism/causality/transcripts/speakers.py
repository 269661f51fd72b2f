"""Recognition of speakers: the DM, one player, or nobody in particular."""

import re
from collections.abc import Iterable
from functools import cached_property

from asterism.causality.transcripts.models import Line, Player, Transcript
from asterism.errors import InvalidInput

_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_TOGETHER = re.compile(r"[&,+]|\s/\s|\sand\s")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_DM_TITLE = re.compile(r"\b(?:dm|gm|game ?master|dungeon ?master)\b")
GROUPS = frozenset({"all", "everyone", "everybody", "group", "party", "crew", "audience", "crowd"})


class Speakers:
    """The speakers of one transcript, each distinct name recognised once."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._players: dict[str, Player | None] = {}
        self._dm: dict[str, bool] = {}

    @cached_property
    def dm(self) -> frozenset[str]:
        """The DM's names, or without any the names that contain a DM's title."""
        dm = frozenset(normalized(name) for name in self._transcript.dm) - {""}
        authors = _authors(self._transcript.lines)
        likely = sorted(name for name in authors if _has_dm_title(name))
        if not dm:
            if authors and not likely:
                names = ", ".join(authors[:8])
                raise InvalidInput(
                    "dm", None, f"no speaker is named DM; say which of {names} it is"
                )
            return frozenset(normalized(name) for name in likely)
        if likely and not any(_all_among(dm, name) for name in authors):
            remedy = f"speaks no line; {', '.join(likely)} looks like the DM"
            raise InvalidInput("dm", ", ".join(sorted(self._transcript.dm)), remedy)
        return dm

    def is_dm(self, author: str) -> bool:
        """Return whether a line is the DM's, for several speakers only if all of them are."""
        if author not in self._dm:
            self._dm[author] = _all_among(self.dm, author)
        return self._dm[author]

    def player(self, author: str) -> Player | None:
        """Return the player who speaks, or None for a group or several different speakers."""
        if author not in self._players:
            self._players[author] = self._match(author)
        return self._players[author]

    def refuse_silent_dm(self) -> None:
        """Refuse a DM who says nothing while a stranger speaks: the name is misspelt."""
        authors = _authors(self._transcript.lines)
        if any(self.is_dm(name) for name in authors):
            return
        strangers = [
            name for name in authors if self.player(name) is None and _is_single(normalized(name))
        ]
        if strangers:
            names = ", ".join(sorted(self._transcript.dm))
            remedy = f"speaks no line; is the DM one of {', '.join(strangers[:8])}?"
            raise InvalidInput("dm", names, remedy)

    def roster(self) -> list[Player]:
        """Return every single speaker who is neither the DM nor a group as a player."""
        players: dict[str, Player] = {}
        for author in _authors(self._transcript.lines):
            name = normalized(author)
            if _is_single(name) and not self.is_dm(author):
                players.setdefault(name, Player(id=name, canonical_name=author.strip()))
        return list(players.values())

    def _match(self, author: str) -> Player | None:
        name = normalized(author)
        if self.is_dm(author) or name in GROUPS or not name:
            return None
        if _is_several(name) and name not in (alias for alias, _ in self._aliases):
            return None
        for alias, player in self._aliases:
            if re.search(rf"(?<!\w){re.escape(alias)}(?!\w)", name):
                return player
        return None

    @cached_property
    def _aliases(self) -> list[tuple[str, Player]]:
        """The aliases with their players, longest first, then in the order of the roster."""
        aliases = [
            (normalized(alias), player)
            for player in self._transcript.players
            for alias in (player.name, *player.aliases)
        ]
        return sorted((pair for pair in aliases if pair[0]), key=lambda pair: -len(pair[0]))


def with_roster(transcript: Transcript) -> Transcript:
    """Return the transcript with everybody but the DM as players, if none are named."""
    if transcript.players:
        return transcript
    speakers = Speakers(transcript)
    speakers.refuse_silent_dm()
    return transcript.model_copy(update={"players": tuple(speakers.roster())})


def normalized(name: str) -> str:
    """Return a name in lower case, single spaces, nothing but letters and digits at its ends."""
    plain = " ".join(name.lower().split())
    return _EDGES.sub("", plain) or plain


def _parts(name: str) -> list[str]:
    together = _ASIDE.sub(" ", name)
    return [part for part in (normalized(part) for part in _TOGETHER.split(together)) if part]


def _all_among(dm: frozenset[str], author: str) -> bool:
    name = normalized(author)
    return name in dm or (bool(name) and all(part in dm for part in _parts(name)))


def _has_dm_title(name: str) -> bool:
    plain = normalized(name)
    return not _is_several(plain) and _DM_TITLE.search(plain.replace("_", " ")) is not None


def _is_several(name: str) -> bool:
    return len(set(_parts(name))) > 1


def _is_single(name: str) -> bool:
    return bool(name) and name not in GROUPS and not _is_several(name)


def _authors(lines: Iterable[Line]) -> list[str]:
    return list(dict.fromkeys(line.author_name for line in lines))
