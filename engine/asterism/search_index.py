"""Search index of text memories: the properties, names, words and counts that recall reads."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, cast

from asterism.database import Row, Transaction
from asterism.realm_names import realm_key
from asterism.row_types import row_of
from asterism.text.languages import ENGLISH, detect
from asterism.text.names import names
from asterism.text.tokens import first_words, rare_stems, stems, stems_in_order

MOST_REPEATS = 8  # of a word that a score counts


@row_of("search_index/indexed_texts")
class IndexedText(TypedDict):
    """Parts of a text that its names and words are taken from."""

    id: str
    about: str | None
    speaker: str | None
    text: str
    indexed_words: int | None
    language: str | None


@row_of("memories/reopen_repeats", "consolidation/restore_duplicates")
class ArrivingText(IndexedText):
    """Text that enters the index, and the session that it arrives in."""

    session: str | None


@row_of("search_index/unindex_texts")
class Unindexed(NamedTuple):
    """Counts of what left the index."""

    withdrawn: int = 0
    names: int = 0
    terms: int = 0


def search_properties(
    text: str,
    *,
    about: str | None,
    speaker: str | None,
    at: datetime | None,
    most_words: int,
    language: str | None = None,
    expected: str = ENGLISH,
) -> Row:
    """Return the properties of a memory that searches read.

    `indexed_words` is set where names and words come from the first `most_words` words alone.
    Without a language, it is the expected one unless the text says otherwise.
    """
    plain = passage(about, speaker, text)
    longer = first_words(plain, most_words) is not None
    whole = passage(about, speaker, text, at)
    code = language or detect(plain, expected)
    return {
        "passage": whole,
        "subject": subject(about, speaker, text, code),
        "indexed": True,
        "indexed_words": most_words if longer else None,
        **word_properties(whole, code),
    }


def word_properties(passage: str, language: str) -> Row:
    """Return the language of a passage and its words, as searches count them.

    Two spaces are between two words, so that each has its own on both sides.
    """
    counts = Counter(stems_in_order(passage, language))
    often = (f" {stem} " * min(count, MOST_REPEATS) for stem, count in sorted(counts.items()))
    return {"language": language, "words": "".join(often), "word_count": counts.total()}


def passage(about: str | None, speaker: str | None, text: str, at: datetime | None = None) -> str:
    """Return the one string that is embedded and indexed: title, date, speaker and text."""
    title = f"{about}\n" if about else ""
    date = f"[{at.day} {at:%B %Y, %H:%M}] " if at else ""
    return f"{title}{date}{speaker + ': ' if speaker else ''}{text}"


def subject(
    about: str | None, speaker: str | None, text: str, language: str = ENGLISH
) -> str | None:
    """Return the first name in a memory's title, else the first one at all."""
    whole = passage(about, speaker, text)
    return next(iter(names(whole, language, heading=_heading(about, speaker))), None)


def tag_keys(realm: str, tags: Sequence[str]) -> list[str]:
    """Return tags as words that no other realm has, for the fulltext index."""
    return ["t" + _digest(f"{realm}\x1f{tag}", 20) for tag in sorted(tags)]


def index_rows(rows: Sequence[Mapping[str, Any]]) -> Row:
    """Return the names and words of memories as parameters of search_index/index_texts.

    Both are in order of their keys, each with the places of the memories that hold it: a name also
    with those of the memories that are about it, a word with those in which it is no function word.
    """
    mentions: dict[str, list[int]] = defaultdict(list)
    subjects: dict[str, list[int]] = defaultdict(list)
    terms: dict[str, list[int]] = defaultdict(list)
    rare: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        text, language = _indexed_part(row), language_of(row)
        keys = names(text, language, heading=_heading(row["about"], row["speaker"]))
        for key in keys:
            mentions[key].append(place)
        for key in keys[:1]:
            subjects[key].append(place)
        for stem in stems(text, language):
            terms[stem].append(place)
        for stem in rare_stems(text, language):
            rare[stem].append(place)
    return {
        "ids": [row["id"] for row in rows],
        "names": [
            {"key": key, "places": places, "subject": subjects.get(key, [])}
            for key, places in sorted(mentions.items())
        ],
        "terms": [
            {"stem": stem, "places": places, "rare": rare.get(stem, [])}
            for stem, places in sorted(terms.items())
        ],
        "languages": sorted({language_of(row) for row in rows}),
    }


async def add(tx: Transaction, rows: Sequence[Mapping[str, Any]], index: Row | None = None) -> None:
    """Index new text memories, and put them at the end of their sessions.

    `index` is what `index_rows` returns for them, where it is at hand.
    """
    arrivals: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["session"] is not None:
            arrivals[row["session"]].append(row["id"])
    if arrivals:
        sessions = [{"id": id, "ids": ids} for id, ids in sorted(arrivals.items())]
        await tx.rows("search_index/add_to_sessions", sessions=sessions)
    key = realm_key(tx.database.realm)
    index = index or index_rows(rows)
    await tx.rows("search_index/index_texts", realm_key=key, count=len(rows), **index)


async def remove(tx: Transaction, ids: Sequence[str]) -> None:
    """Take memories out of the index, where they are in it."""
    texts = await tx.rows("search_index/indexed_texts", ids=list(ids))
    await remove_texts(tx, cast("list[IndexedText]", texts))


async def remove_texts(
    tx: Transaction, texts: Sequence[Mapping[str, Any]], *, stays: bool = False
) -> Unindexed:
    """Take indexed texts out of the index, and return how many names and words go with them.

    With `stays` they keep their places in their sessions, to be indexed again.
    """
    ids = [text["id"] for text in texts]
    terms = [
        {"stem": stem, "ids": [ids[place] for place in places]}
        for stem, places in _places_by_stem(texts)
    ]
    if not ids:
        return Unindexed()
    row = await tx.row("search_index/unindex_texts", ids=sorted(ids), terms=terms, stays=stays)
    return Unindexed(**row) if row else Unindexed()


def _places_by_stem(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[int]]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        for stem in stems(_indexed_part(row), language_of(row)):
            places[stem].append(place)
    return sorted(places.items())


def parts(memory: Mapping[str, Any]) -> Row:
    """Return what of a memory its entries in the index follow from, in no session."""
    names = ("about", "speaker", "text", "indexed_words", "language")
    return {"id": memory["id"], "session": None} | {name: memory.get(name) for name in names}


def language_of(row: Mapping[str, Any]) -> str:
    """Return the language that a text is indexed in, which was always English once."""
    return row.get("language") or ENGLISH


def _indexed_part(row: Mapping[str, Any]) -> str:
    """Return the text of names and words: the passage without its date, cut if it is long."""
    text = passage(row["about"], row["speaker"], row["text"])
    most = row.get("indexed_words")
    return (first_words(text, most) if most else None) or text


def _heading(about: str | None, speaker: str | None) -> int:
    """Return how many letters stand before the text: title and speaker."""
    return len(passage(about, speaker, ""))


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]
