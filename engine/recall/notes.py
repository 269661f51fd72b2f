"""What is set down about a text memory, so that questions find it."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from engine.database import Row, Transaction
from engine.recall import words


class Told(Protocol):
    """What of a memory its notes follow from."""

    @property
    def text(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def session(self) -> str | None: ...
    @property
    def speaker(self) -> str | None: ...
    @property
    def about(self) -> str | None: ...
    @property
    def at(self) -> datetime | None: ...


def searched(told: Told) -> Row:
    """The properties of a memory that searches read."""
    subjects = subject(told.about, told.speaker, told.text)
    return {
        "passage": passage(told.about, told.speaker, told.text, told.at),
        "subject": subjects,
        "marks": marks(told.tags, told.session),
        "noted": True,
    }


def passage(about: str | None, speaker: str | None, text: str, at: datetime | None = None) -> str:
    """The one string that is embedded and indexed: title, date, speaker and text."""
    title = f"{about}\n" if about else ""
    date = f"[{at.day} {at:%B %Y, %H:%M}] " if at else ""
    return f"{title}{date}{speaker + ': ' if speaker else ''}{text}"


def limit(told: Told, most: int) -> int | None:
    """Return how many words of a memory are noted, None for all of them."""
    text = passage(told.about, told.speaker, told.text)
    return most if words.first_words(text, most) is not None else None


def subject(about: str | None, speaker: str | None, text: str) -> str | None:
    """What a memory is about: the first name in its title, else the first one at all."""
    return next(iter(words.names(passage(about, speaker, text))), None)


def marks(tags: Iterable[str], session: str | None) -> list[str]:
    """Tags and session as words that no text contains and no stemming changes."""
    found = [_mark("t", tag) for tag in tags]
    return [*found, _mark("s", session)] if session is not None else found


def tag_keys(realm: str, tags: Sequence[str]) -> list[str]:
    """Tags as words that no other realm has, for the fulltext index."""
    return [
        "t" + hashlib.sha256(f"{realm}\x1f{tag}".encode()).hexdigest()[:20] for tag in sorted(tags)
    ]


def day(at: datetime) -> str:
    """A day as a word that sorts by time."""
    return f"d{at:%Y%m%d}"


def noted(rows: Sequence[Mapping[str, Any]]) -> Row:
    """Names and words of memories in order of their keys, each with the places of those that hold
    it, a name also with those that are about it."""
    names: dict[str, list[int]] = defaultdict(list)
    subjects: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        found = words.names(_said(row))
        for key in found:
            names[key].append(place)
        for key in found[:1]:
            subjects[key].append(place)
    return {
        "ids": [row["id"] for row in rows],
        "names": [
            {"key": key, "places": places, "subject": subjects[key]}
            for key, places in sorted(names.items())
        ],
        "terms": [{"stem": stem, "places": places} for stem, places in _stems(rows)],
    }


def sessions(rows: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Which memories arrived in which session, in their order."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["session"] is not None:
            found[row["session"]].append(row["id"])
    return [{"id": id, "ids": ids} for id, ids in sorted(found.items())]


async def withdraw(tx: Transaction, ids: Sequence[str]) -> None:
    """Take memories out of what questions ask; those that are out already stay so."""
    await withdraw_texts(tx, await tx.rows("recall/told", ids=list(ids)))


async def withdraw_texts(tx: Transaction, texts: Sequence[Mapping[str, Any]]) -> Row:
    """Take noted texts out of what questions ask; returns how many names and words go as well."""
    ids = [text["id"] for text in texts]
    terms = [
        {"stem": stem, "ids": [ids[place] for place in places]} for stem, places in _stems(texts)
    ]
    row = await tx.row("recall/withdraw", ids=sorted(ids), terms=terms) if ids else None
    return row or {"names": 0, "terms": 0}


def _stems(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[int]]]:
    """The word stems of memories in their order, each with the places of those that hold it."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        for stem in words.stems(_said(row)):
            found[stem].append(place)
    return sorted(found.items())


def _said(row: Mapping[str, Any]) -> str:
    """What names and words are taken from: the passage without its date, cut if it is long."""
    text = passage(row["about"], row["speaker"], row["text"])
    most = row.get("noted_words")
    return (words.first_words(text, most) if most else None) or text


def _mark(kind: str, word: str) -> str:
    return kind + hashlib.sha256(word.encode()).hexdigest()[:12]
