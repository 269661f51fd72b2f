"""Checks of a transcript, made before anything is extracted from it."""

from collections.abc import Container, Iterable
from typing import Any

from asterism.causality.transcripts.models import GivenIntent, Line, Player, Transcript
from asterism.errors import InvalidInput
from asterism.validation import require_encodable

LARGEST_INDEX = 2**53


def refuse_unusable(transcript: Transcript) -> None:
    """Refuse a transcript that breaks a rule, naming the line that does."""
    refuse_session_id(transcript.session_id)
    _refuse_lines(transcript.lines)
    _refuse_ranges(transcript)
    _refuse_roster(transcript.players)


def refuse_empty(transcript: Transcript) -> None:
    """Refuse a transcript without lines, which would wipe out a recorded session."""
    if not transcript.lines:
        remedy = "a transcript without lines can't be recorded; `forget` deletes a session"
        raise InvalidInput("lines", [], remedy)


def refuse_session_id(session_id: Any, argument: str = "session_id") -> None:
    """Refuse a value that can't be the id of a session."""
    usable = isinstance(session_id, str) and session_id.isprintable() and session_id
    if not usable or session_id.strip() != session_id or len(session_id) > 200:
        remedy = "a session's id is 1 to 200 printable characters without spaces around it"
        raise InvalidInput(argument, session_id, remedy)


def refuse_misplaced_intents(
    intents: Iterable[GivenIntent], lines: Iterable[Line], dm_lines: Container[int]
) -> None:
    """Refuse intents that do not stand on the line of a player, one each, in any order."""
    indices = {line.line_index for line in lines}
    used: set[int] = set()
    for intent in intents:
        if intent.index not in indices:
            raise InvalidInput("intents", intent.index, "there is no line of this index")
        if intent.index in dm_lines:
            remedy = "this line is the DM's; an intent stands on the line of a player"
            raise InvalidInput("intents", intent.index, remedy)
        if intent.index in used:
            raise InvalidInput("intents", intent.index, "a line holds at most one intent")
        used.add(intent.index)


def refuse_text(argument: str, text: str) -> None:
    """Refuse half a surrogate pair, which no database and no file can hold."""
    remedy = "it is not valid Unicode; read the file in its own encoding"
    require_encodable(argument, text, remedy)


def _refuse_lines(lines: tuple[Line, ...]) -> None:
    before = -1
    for line in lines:
        if not before < line.line_index < LARGEST_INDEX:
            remedy = f"it must be whole, from 0, and greater than the one before ({before})"
            remedy = "it must not be negative" if line.line_index < 0 else remedy
            raise InvalidInput("line_index", line.line_index, remedy)
        before = line.line_index
        refuse_text(f"author_name of line {line.line_index}", line.author_name)
        refuse_text(f"content of line {line.line_index}", line.content)


def _refuse_ranges(transcript: Transcript) -> None:
    lines = transcript.lines
    first, last = (lines[0].line_index, lines[-1].line_index) if lines else (0, -1)
    for mask in transcript.masks:
        fields = (mask.start_index, mask.end_index, mask.reason.value)
        if mask.start_index > mask.end_index:
            raise InvalidInput("masks", fields, "a range must not end before it starts")
        if mask.start_index < first or mask.end_index > last:
            remedy = f"outside the transcript, whose lines are {first} to {last}"
            raise InvalidInput("masks", fields, remedy if lines else "the transcript has no lines")


def _refuse_roster(players: tuple[Player, ...]) -> None:
    ids: set[str] = set()
    for player in players:
        if not player.id.strip() or player.id in ids:
            raise InvalidInput("players", player.id, "every player needs an id of its own")
        for name in (player.id, player.name, *player.aliases):
            refuse_text("players", name)
        ids.add(player.id)
