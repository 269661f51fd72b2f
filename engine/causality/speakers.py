"""Who speaks: the DM, one player, or nobody in particular."""

import re
from collections.abc import Iterable
from functools import cached_property

from engine.causality.transcript import Line, Player, Transcript
from engine.errors import InvalidInput

_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_TOGETHER = re.compile(r"[&,+]|\s/\s|\sand\s")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_LIKE_A_DM = re.compile(r"\b(?:dm|gm|game ?master|dungeon ?master)\b")
GROUPS = frozenset({"all", "everyone", "everybody", "group", "party", "crew", "audience", "crowd"})


class Speakers:
    """Recognises the speakers of one transcript; every distinct name is looked at once."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._players: dict[str, Player | None] = {}
        self._dm: dict[str, bool] = {}

    @cached_property
    def dm(self) -> frozenset[str]:
        """The DM's names: those given, else those that say so; an error where nobody does."""
        given = frozenset(normal(name) for name in self._transcript.dm) - {""}
        spoken = _spoken(self._transcript.lines)
        likely = sorted(name for name in spoken if _says_dm(name))
        if not given:
            if spoken and not likely:
                names = ", ".join(spoken[:8])
                raise InvalidInput(
                    "dm", None, f"no speaker is named DM; say which of {names} it is"
                )
            return frozenset(normal(name) for name in likely)
        if likely and not any(self._all_of(given, name) for name in spoken):
            remedy = f"speaks no line; {', '.join(likely)} looks like the DM"
            raise InvalidInput("dm", ", ".join(sorted(self._transcript.dm)), remedy)
        return given

    def is_dm(self, author: str) -> bool:
        """Whether a line is the DM's; one of several speakers only if all of them are."""
        if author not in self._dm:
            self._dm[author] = self._all_of(self.dm, author)
        return self._dm[author]

    def player(self, author: str) -> Player | None:
        """The player who speaks; nobody for a group or several different speakers."""
        if author not in self._players:
            self._players[author] = self._match(author)
        return self._players[author]

    def refuse_unknown(self) -> None:
        """A DM who says nothing while a stranger speaks is a name that was misspelt."""
        spoken = _spoken(self._transcript.lines)
        if any(self.is_dm(name) for name in spoken):
            return
        strangers = [
            name for name in spoken if self.player(name) is None and not _several(normal(name))
        ]
        strangers = [name for name in strangers if normal(name) not in GROUPS | {""}]
        if strangers:
            given = ", ".join(sorted(self._transcript.dm))
            remedy = f"speaks no line; is the DM one of {', '.join(strangers[:8])}?"
            raise InvalidInput("dm", given, remedy)

    def everyone(self) -> list[Player]:
        """A roster for want of one: every single speaker who is neither DM nor a group."""
        found: dict[str, Player] = {}
        for author in _spoken(self._transcript.lines):
            name = normal(author)
            alone = name and name not in GROUPS and not _several(name)
            if alone and not self.is_dm(author):
                found.setdefault(name, Player(id=name, canonical_name=author.strip()))
        return list(found.values())

    @staticmethod
    def _all_of(dm: frozenset[str], author: str) -> bool:
        name = normal(author)
        return name in dm or (bool(name) and all(part in dm for part in _parts(name)))

    def _match(self, author: str) -> Player | None:
        name = normal(author)
        if self.is_dm(author) or name in GROUPS or not name:
            return None
        if _several(name) and name not in (alias for alias, _ in self._aliases):
            return None
        for alias, player in self._aliases:
            if re.search(rf"(?<!\w){re.escape(alias)}(?!\w)", name):
                return player
        return None

    @cached_property
    def _aliases(self) -> list[tuple[str, Player]]:
        """Longest first; of equal length in the order of the roster."""
        named = [
            (normal(alias), player)
            for player in self._transcript.players
            for alias in (player.name, *player.aliases)
        ]
        return sorted((pair for pair in named if pair[0]), key=lambda pair: -len(pair[0]))


def with_roster(transcript: Transcript) -> Transcript:
    """Return the transcript with everybody but the DM as players, if none are named."""
    if transcript.players:
        return transcript
    speakers = Speakers(transcript)
    speakers.refuse_unknown()
    return transcript.model_copy(update={"players": tuple(speakers.everyone())})


def normal(name: str) -> str:
    """A name in lower case, single spaces, nothing but letters and digits at its ends."""
    plain = " ".join(name.lower().split())
    return _EDGES.sub("", plain) or plain


def _parts(name: str) -> list[str]:
    together = _ASIDE.sub(" ", name)
    return [part for part in (normal(part) for part in _TOGETHER.split(together)) if part]


def _says_dm(name: str) -> bool:
    plain = normal(name)
    return not _several(plain) and _LIKE_A_DM.search(plain.replace("_", " ")) is not None


def _several(name: str) -> bool:
    return len(set(_parts(name))) > 1


def _spoken(lines: Iterable[Line]) -> list[str]:
    return list(dict.fromkeys(line.author_name for line in lines))
