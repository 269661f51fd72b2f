"""Renewal of text memories that an older version indexed: their languages, words and names.

Older versions took every text for English, and verbs for names. A batch is one transaction, and
what it has renewed has words, so a renewal that was killed goes on where it was.
"""

from functools import partial

from asterism import search_index
from asterism.database import Database, Row, Transaction
from asterism.text.languages import detect

BATCH = 500


async def renew_all(database: Database) -> int:
    """Renew the texts of every realm, and return how many."""
    realms = [database.within(row["name"]) for row in await database.rows("realms/list")]
    return sum([await renew_realm(realm) for realm in realms])


async def renew_realm(database: Database) -> int:
    """Renew the texts of a realm that have no words yet, and return how many."""
    count, after = 0, ""
    while rows := await database.rows("search_index/texts_without_words", after=after, limit=BATCH):
        ids = [row["id"] for row in rows]
        work = partial(_renew, ids=ids)
        count += await database.transaction(work, name="search_index/renew_texts")
        after = ids[-1]
    return count


async def _renew(tx: Transaction, ids: list[str]) -> int:
    """Renew some texts, under the lock of all texts of the realm."""
    turn = await tx.one("memories/lock_to_change", ids=ids, session=None)
    before = [row for row in turn["memories"] if row.get("words") is None]
    expected = tx.database.settings.memories.language
    after = [memory | _properties(memory, expected) for memory in before]
    await search_index.remove_texts(tx, _indexed(before), stays=True)
    names = ("language", "words", "word_count", "subject")
    rows: list[Row] = [
        {
            "id": row["id"],
            "properties": {name: row[name] for name in names},
            "returns": bool(row.get("indexed")),
        }
        for row in sorted(after, key=lambda row: str(row["id"]))
    ]
    if rows:
        await tx.rows("search_index/renew_texts", rows=rows)
    if indexed := _indexed(after):
        await search_index.add(tx, indexed)
    return len(rows)


def _indexed(memories: list[Row]) -> list[Row]:
    """Return the parts of those that are in the index, or were until now."""
    return [search_index.parts(row) for row in memories if row.get("indexed")]


def _properties(memory: Row, expected: str) -> Row:
    about, speaker, text = (memory.get(name) for name in ("about", "speaker", "text"))
    code = detect(search_index.passage(about, speaker, str(text)), expected)
    passage = memory.get("passage") or search_index.passage(about, speaker, str(text))
    return {
        "subject": search_index.subject(about, speaker, str(text), code),
        **search_index.word_properties(passage, code),
    }
