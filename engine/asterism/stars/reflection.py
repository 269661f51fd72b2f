"""Evidence that texts and sessions show: two stars that they mention by a name or an alias."""

import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from asterism.base_model import Frozen
from asterism.database import Database, Row
from asterism.errors import Conflict
from asterism.realm_names import realm_key
from asterism.row_types import row_of
from asterism.stars.models import EvidenceItem, EvidenceType, Outcome
from asterism.text.languages import ENGLISH
from asterism.text.tokens import stems_of, words
from asterism.timestamps import epoch_day

TYPES = {
    "text": EvidenceType.CO_MENTION_RESPONSE,
    "session": EvidenceType.CO_MENTION_SESSION,
}


@row_of("stars/names")
class StarNames(NamedTuple):
    """Row of stars/names."""

    id: str
    names: list[str]
    languages: list[str]


@row_of("stars/co_mentions")
class CoMention(NamedTuple):
    """Row of stars/co_mentions."""

    lower: str
    upper: str
    kind: Literal["text", "session"]
    session: str | None
    at: datetime | None
    memories: list[str]
    intents: list[str]
    texts: list[str]


class ProposedEvidence(Frozen):
    """Evidence that a text or a session shows, with its words, and what became of it."""

    id: str
    a: str
    b: str
    type: EvidenceType
    at: datetime
    session: str | None
    memories: tuple[str, ...]
    intents: tuple[str, ...]
    texts: tuple[str, ...]
    outcome: Outcome | None = None
    conflict: str | None = None  # why the pair takes no connection now

    @property
    def why(self) -> str:
        """The words that mention both stars."""
        return self.conflict or " / ".join(" ".join(text.split()) for text in self.texts)


class Reflection(Frozen):
    """Proposed evidence, earliest text first. `applied`: it was given."""

    proposals: tuple[ProposedEvidence, ...] = ()
    applied: bool = False

    @property
    def items(self) -> list[EvidenceItem]:
        """The proposals as pieces of evidence."""
        return [
            EvidenceItem(
                a=each.a,
                b=each.b,
                type=each.type,
                source=f"reflection {each.id[:12]}",
                at=each.at,
                id=each.id,
                memory=each.memories,
                intent=each.intents,
            )
            for each in self.proposals
        ]

    @property
    def counted(self) -> int:
        """Number of proposals that count, or wait for another co-mention."""
        refused = (None, Outcome.DUPLICATE, Outcome.LATE)
        return sum(each.outcome not in refused for each in self.proposals)

    def with_outcomes(self, outcomes: Sequence[Outcome | Conflict]) -> "Reflection":
        """Return the reflection with what became of each proposal."""
        updates = [
            {"conflict": str(outcome)} if isinstance(outcome, Conflict) else {"outcome": outcome}
            for outcome in outcomes
        ]
        pairs = zip(self.proposals, updates, strict=True)
        proposals = tuple(each.model_copy(update=update) for each, update in pairs)
        return Reflection(proposals=proposals, applied=True)


async def proposals(database: Database, since: datetime | None, limit: int) -> Reflection:
    """Return the evidence that texts show and that was not given yet."""
    now = database.clock.now()
    phrases = [
        phrase
        for row in await database.rows("stars/names")
        for phrase in _phrases(StarNames(**row), database.realm)
    ]
    rows = await database.rows(
        "stars/co_mentions", phrases=phrases, since=since, day=epoch_day(now), limit=limit
    )
    late = timedelta(hours=database.settings.stars.late_hours)
    return Reflection(proposals=tuple(_proposal(CoMention(**row), now, late) for row in rows))


def _phrases(star: StarNames, realm: str) -> Iterator[Row]:
    """Yield fulltext queries for texts that have a name of a star, if it has words.

    The index of memories has stems in no order: a name of several words is looked for as it is.
    """
    escaped = realm.replace("\\", "\\\\").replace('"', '\\"')
    codes = dict.fromkeys([ENGLISH, *star.languages])
    for name in star.names:
        parts = words(name)
        stems = [{stem for code in codes for stem in stems_of(part, code)} for part in parts]
        clauses = [
            " ".join(f'words:["{stem}" TO "{stem}"]' for stem in sorted(each))
            for each in stems
            if each
        ]
        if clauses:
            phrase = " ".join(parts)
            yield {
                "star": star.id,
                "memories": f"+realm_key:{realm_key(realm)}^0 "
                + " ".join(f"+({clause})" for clause in clauses),
                "whole": phrase if len(parts) > 1 else None,
                "intents": f'+realm:"{escaped}"^0 +text:"{phrase}"',
            }


def _proposal(row: CoMention, now: datetime, late: timedelta) -> ProposedEvidence:
    """Return the proposal of a row: an older text counts from the day on which it was noticed."""
    recent = row.at is not None and now - late <= row.at <= now
    place = row.session if row.kind == "session" else "|".join([*row.memories, *row.intents])
    name = f"reflection|{row.lower}|{row.upper}|{row.kind}|{place}"
    return ProposedEvidence(
        id=uuid.uuid5(uuid.NAMESPACE_OID, name).hex,
        a=row.lower,
        b=row.upper,
        type=TYPES[row.kind],
        at=row.at if recent and row.at is not None else now,
        session=row.session,
        memories=tuple(row.memories),
        intents=tuple(row.intents),
        texts=tuple(row.texts),
    )
