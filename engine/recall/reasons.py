"""Why a memory is not among the hits."""

from engine.database import Row
from engine.recall.found import Found, paths
from engine.recall.model import Parts, WhyNot


def why_not(id: str, query: str, k: int, every: Found, told: Row) -> WhyNot:
    """Rank, parts and what is missing, from every rank there is."""
    rows, only = every.rows, every.only
    excluded = _excluded(told, only)
    place = next((i for i, row in enumerate(rows) if row["memory"]["id"] == id), None)
    found = rows[place] if place is not None else None
    if found and found["strength"] < only["minimum"]:
        excluded.append("it is weaker than asked for")
    needed = rows[k - 1]["score"] if len(rows) >= k else None
    parts = Parts(**found["parts"]) if found else None
    rank = place + 1 if place is not None and not excluded else None
    return WhyNot(
        id=id,
        query=query,
        rank=rank,
        score=found["score"] if found else None,
        needed=needed,
        parts=parts,
        paths=paths(found) if found else (),
        missing=tuple(excluded or _lacking(parts, rank, k)),
    )


def _excluded(told: Row, only: Row) -> list[str]:
    """What keeps it from being looked at, whatever it says."""
    reasons = []
    if told["kind"] != "text":
        return ["it is not a text"]
    if not told["noted"] and not (only and only["archived"]):
        return ["it repeats another memory, which is found in its place"]
    if not told["embedded"]:
        reasons.append("it has no vector yet: consolidate the graph")
    if only and not only["archived"] and told["archive_at"] <= only[told["clock"]]:
        reasons.append("it has faded: ask with archived=True")
    if only and only["until"] and told["first_seen"] > only["until"]:
        reasons.append("it was learned later than asked for")
    if only and only["since"] and told["first_seen"] < only["since"]:
        reasons.append("it was learned earlier than asked for")
    if only and not set(only["marks"]) <= set(told["marks"]):
        reasons.append("it lacks a tag, or is of another session")
    return reasons


def _lacking(parts: Parts | None, rank: int | None, k: int) -> list[str]:
    """Which parts of a score it does without."""
    if parts is None or rank is None or rank <= k:
        return [] if rank is not None else ["nothing in the question leads to it"]
    absent = {
        "no word in common": parts.words,
        "its subject is not named in the question": parts.name,
        "nothing next to it answers": parts.neighbour,
        "its session does not stand out": parts.session,
        "no name or rare word in common with the best hits": parts.mention
        + parts.subject
        + parts.term,
    }
    return [words for words, amount in absent.items() if amount <= 0]
