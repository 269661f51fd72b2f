"""Reasons why a memory is not among the hits."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypedDict

from asterism import filter_query
from asterism.database import Row
from asterism.memory_filter import MemoryFilter
from asterism.recall.models import ScoreParts, WhyNot
from asterism.recall.results import SearchResult, paths
from asterism.recall.results import parts as score_parts
from asterism.row_types import row_of
from asterism.timestamps import long_date


@row_of("recall/why_not")
class MemoryFacts(TypedDict):
    """Row of recall/why_not."""

    kind: str
    indexed: bool
    embedded: bool
    archive_at: int
    clock: str
    first_seen: Any  # a time of the driver, which compares with a datetime
    marks: Sequence[str]
    states: Sequence[str]
    valid_from: datetime | None


def why_not(
    id: str, query: str, k: int, result: SearchResult, filter: MemoryFilter, memory: MemoryFacts
) -> WhyNot:
    """Return rank, parts and what is missing, from a search that returns every rank."""
    rows = result.hits
    reasons = _exclusions(memory, result.filter)
    if result.filter:
        reasons += [f"it does not fit the filter: {words}" for words in _misfits(memory, filter)]
        if filter.ids is not None and id not in filter.ids:
            reasons.append("its id is not among those asked for")
    place = next((i for i, row in enumerate(rows) if row["memory"]["id"] == id), None)
    row = rows[place] if place is not None else None
    if row and row["strength"] < filter.minimum_strength:
        reasons.append("it is weaker than asked for")
    if row and row["strength"] > filter.maximum_strength:
        reasons.append("it is stronger than asked for")
    parts = score_parts(row) if row else None
    rank = place + 1 if place is not None and not reasons else None
    return WhyNot(
        id=id,
        query=query,
        rank=rank,
        score=row["score"] if row else None,
        needed=rows[k - 1]["score"] if len(rows) >= k else None,
        parts=parts,
        paths=paths(row) if row else (),
        missing=tuple(reasons or _missing_parts(parts, rank, k)),
    )


def _exclusions(memory: MemoryFacts, filter: Row) -> list[str]:
    """Return the reasons that keep a memory from being a candidate, whatever it says."""
    if memory["kind"] != "text":
        return ["it is not a text"]
    if not memory["indexed"] and not (filter and filter["archived"]):
        return ["it repeats another memory, which is found in its place"]
    reasons = [] if memory["embedded"] else ["it has no vector yet: consolidate the graph"]
    return reasons + (_unmet_conditions(memory, filter) if filter else [])


def _unmet_conditions(memory: MemoryFacts, filter: Row) -> list[str]:
    reasons = []
    if not filter["archived"] and memory["archive_at"] <= filter[memory["clock"]]:
        reasons.append("it has faded: ask with archived=True")
    if memory["valid_from"] and memory["valid_from"] > filter["valid_at"]:
        reasons.append(f"it is valid only from {long_date(memory['valid_from'])}")
    if filter["until"] and memory["first_seen"] > filter["until"]:
        reasons.append("it was learned later than asked for")
    if filter["since"] and memory["first_seen"] < filter["since"]:
        reasons.append("it was learned earlier than asked for")
    if filter["states"] and not _states(memory, filter) & set(filter["states"]):
        reasons.append(f"it is not {' or '.join(filter['states'])}")
    return reasons


def _states(memory: MemoryFacts, filter: Row) -> set[str]:
    if "duplicate" in memory["states"]:
        return set(memory["states"])
    faded = memory["archive_at"] <= filter[memory["clock"]]
    return {*memory["states"], "archived" if faded else "active"}


def _misfits(memory: MemoryFacts, filter: MemoryFilter) -> list[str]:
    """Return the conditions on tags, fields and metadata that a memory does not meet."""
    conditions = filter_query.mark_conditions(filter)
    return [each.words for each in conditions if not each.fits(memory["marks"])]


def _missing_parts(parts: ScoreParts | None, rank: int | None, k: int) -> list[str]:
    if parts is None or rank is None or rank <= k:
        return [] if rank is not None else ["nothing in the question leads to it"]
    hop = parts.mention + parts.subject + parts.term + parts.own
    absent = {
        "no word in common": parts.words,
        "its subject is not named in the question": parts.name,
        "nothing next to it answers": parts.neighbour,
        "its session does not stand out": parts.session,
        "no name or rare word in common with the best hits": hop,
    }
    return [words for words, amount in absent.items() if amount <= 0]
