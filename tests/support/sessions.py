"""Sessions to test causality with: built, random, and written by a person."""

import csv
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from asterism.causality import CausalParams, Extraction, Transcript
from asterism.causality import extract as extract_by_default
from asterism.causality.transcripts import readers
from asterism.settings.causality import LITERAL

HERE = Path(__file__).parents[1]
SESSIONS = {
    "bell": (HERE / "transcripts" / "drowned_bell.csv", "Petra"),
    "lighthouse": (HERE.parent / "seed" / "lighthouse_session.csv", None),
}
TEXTS = (
    "I open the old door.",
    "I grab the rope and climb.",
    "Can I see the old door?",
    "Let's climb the rope.",
    "Is the door locked?",
    "What do we see?",
    "The old door is locked.",
    "You see a rope and an old door.",
    "Yes, you can climb the rope.",
    "Now the rope breaks.",
    "No.",
    "[laughs]",
    "",
    "Good.",
)
REASONS = ("ooc_hard", "ooc_soft", "combat", "transition", "noise")


@st.composite
def sessions(draw: Any) -> Transcript:
    """Lines of two players, a stranger and a DM, with gaps in the numbering, and some masks."""
    count = draw(st.integers(0, 40))
    steps = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    authors = st.sampled_from(("Ann", "Bob", "Eve", "DM", "DM", "Ann & Bob"))
    spoken = [(draw(authors), draw(st.sampled_from(TEXTS))) for _ in range(count)]
    indices = [sum(steps[: at + 1]) for at in range(count)]
    masks = []
    for _ in range(draw(st.integers(0, 2)) if count else 0):
        ends = sorted((draw(st.sampled_from(indices)), draw(st.sampled_from(indices))))
        masks.append((*ends, draw(st.sampled_from(REASONS))))
    lines = [(index, *pair) for index, pair in zip(indices, spoken, strict=True)]
    return Transcript.of(("random", lines, "DM", ["Ann", "Bob"], masks))


def dialogue(
    *lines: tuple[str, str], dm: Any = "DM", players: Any = None, **more: Any
) -> Transcript:
    """Return a transcript of (speaker, text) pairs, in which every other speaker plays."""
    numbered_lines = [(index, author, content) for index, (author, content) in enumerate(lines)]
    others = {author: None for author, _ in lines if author != dm}
    fields = {"session_id": "test", "dm": dm, "players": list(others)}
    fields |= {} if players is None else {"players": players}
    return Transcript.of({**fields, "lines": numbered_lines, **more})


CHEST = dialogue(
    ("Ann", "I search the old chest."),
    ("Bob", "I open the heavy door."),
    ("Cy", "What do we hear?"),
    ("DM", "The old chest is locked."),
    ("DM", "The heavy door opens slowly."),
)


def extract(transcript: Transcript, params: Any = None, **more: Any) -> Extraction:
    """Extract by the letter of the source, with other parameters over it."""
    if isinstance(params, CausalParams):
        params = params.model_dump(exclude_unset=True)
    literal = literally(params) if params is None or isinstance(params, dict) else params
    return extract_by_default(transcript, literal, **more)


def literally(params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return parameters over those that follow the letter of the source."""
    return LITERAL | (params or {})


def written(name: str) -> tuple[Transcript, dict[int, set[int]]]:
    """A session that a person wrote, and which DM lines really answer which lines."""
    path, dm = SESSIONS[name]
    lines = readers.read(path)
    players = sorted({line.author_name for line in lines} - {"Petra", "Rowan (DM)"})
    answers: dict[int, set[int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for answered in row["answers"].split():
                answers.setdefault(int(answered), set()).add(int(row["line_index"]))
    fields = {"session_id": name, "lines": lines, "dm": dm, "players": players}
    return Transcript.of(fields), answers
