"""Recognises the messages of a conversation that are stored, and gives the new ones their ids.

An agent sends the whole conversation at every turn, or its end, or the latest turn alone. Where the
list overlaps with what is stored, the messages are the stored ones. What is beyond it is new, also
where the same words were said before.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from asterism.memories.digests import digest_of
from asterism.memories.item_checks import MOST_BYTES
from asterism.memories.messages import Message
from asterism.row_types import row_of

LEAST_INNER_OVERLAP = 2  # one equal message in the middle of a list may be chance: "Done."


@row_of("memories/session_messages")
class StoredMessages(TypedDict):
    """Row of memories/session_messages."""

    total: int
    messages: list[dict[str, Any]]


@dataclass
class Conversation:
    """The stored messages of a session, as far as they are among those that were given."""

    session: str
    total: int = 0
    key_at: dict[int, str] = field(default_factory=dict)
    id_at: dict[int, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)  # by id

    @classmethod
    def of(cls, session: str, row: StoredMessages | None) -> "Conversation":
        messages = row["messages"] if row else []
        return cls(
            session,
            row["total"] if row else 0,
            {message["place"]: message["key"] for message in messages},
            {message["place"]: message["id"] for message in messages},
            {message["id"]: message["digest"] for message in messages},
        )

    def identify(self, messages: Sequence[Message]) -> list[str]:
        """Return the id of each message: that of the stored one, or a new one."""
        keys = [message.key for message in messages]
        counted = list(self._by_occurrence(keys))
        start, ids = self._overlap(keys)
        if not ids and sum(id in self.digests for id in counted) * 2 > len(keys):
            ids = counted  # a conversation of which something was cut out
        ids = counted[:start] + ids
        ids += self._next_free(keys[len(ids) :], set(ids))
        pairs = zip(messages, ids, strict=True)
        return [self._own_id(message.id) if message.id else id for message, id in pairs]

    def _overlap(self, keys: Sequence[str]) -> tuple[int, list[str]]:
        """Return where the list meets what is stored, and the ids of the stored messages there."""
        for start in range(len(keys)):
            for place in (place for place, key in self.key_at.items() if key == keys[start]):
                length = min(len(keys) - start, self.total - place)
                inner = start > 0
                if inner and (place + length < self.total or length < LEAST_INNER_OVERLAP):
                    continue
                if all(self.key_at.get(place + i) == keys[start + i] for i in range(length)):
                    return start, [self.id_at[place + i] for i in range(length)]
        return 0, []

    def _by_occurrence(self, keys: Sequence[str]) -> Iterator[str]:
        """Return the ids of the first, second ... message with the same words."""
        counts: Counter[str] = Counter()
        for key in keys:
            counts[key] += 1
            yield self._id(key, counts[key])

    def _next_free(self, keys: Sequence[str], used: set[str]) -> list[str]:
        """Return ids that no message has yet."""
        ids: list[str] = []
        for key in keys:
            number = 1
            while (id := self._id(key, number)) in used or id in self.digests:
                number += 1
            used.add(id)
            ids.append(id)
        return ids

    def _id(self, key: str, number: int) -> str:
        return digest_of("message", self.session, key, str(number))

    def _own_id(self, id: str) -> str:
        """Return the id of a message that has one in its session, in which it is unique."""
        whole = f"{self.session}:{id}"
        return whole if len(whole.encode("utf-8", "replace")) <= MOST_BYTES else digest_of(whole)
