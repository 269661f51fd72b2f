"""Chains of recorded causes that led to the memories of an answer."""

from collections import defaultdict
from typing import Any, Protocol

from asterism.causality.models import Chain
from asterism.database import Row
from asterism.recall.models import Recall

CHAINS, DEPTH = 3, 8  # of one hit


class Reader(Protocol):
    """Runs a statement: a database, or a transaction."""

    async def row(self, name: str, /, **arguments: Any) -> Row | None: ...

    async def rows(self, name: str, /, **arguments: Any) -> list[Row]: ...


async def with_causes(reader: Reader, answer: Recall) -> Recall:
    """Return an answer whose hits have the chains that led to them, longest first."""
    ids = [hit.id for hit in answer.hits]
    if not ids:
        return answer
    chains = defaultdict[str, list[Chain]](list)
    for row in await reader.rows("causality/causes", ids=ids, depth=DEPTH, limit=CHAINS):
        if row["steps"]:
            chains[row["id"]].append(Chain(steps=row["steps"]))
    hits = tuple(hit.model_copy(update={"causes": tuple(chains[hit.id])}) for hit in answer.hits)
    return answer.model_copy(update={"hits": hits})
