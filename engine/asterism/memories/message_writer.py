"""Writes the messages of a conversation as text memories, each of them once."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

from asterism.clock import Moment, aware
from asterism.database import Database
from asterism.errors import InvalidInput
from asterism.memories import text_items
from asterism.memories.conversation import Conversation, StoredMessages
from asterism.memories.item_checks import require_key
from asterism.memories.messages import Message, parse_message, parse_roles
from asterism.memories.models import MessagesReceipt, Rejected
from asterism.memories.text_items import TextItem
from asterism.memories.text_writer import OnProgress, TextWriter

STEP = timedelta(microseconds=1)  # between messages without times of their own
NO_TEXT = "no text"


class MessageItem(TextItem):
    """A message as a text to remember."""

    message_key: str
    steps_before_end: int = 0

    def learned_at(self, now: datetime) -> datetime:
        """Return the time at which it was said: without one, in its order up to now."""
        return self.at or now - self.steps_before_end * STEP

    def own_properties(self) -> dict[str, Any]:
        return {"message_key": self.message_key}


@dataclass
class ParsedMessages:
    """Messages of a call: those to remember with their places, and what became of the others."""

    messages: list[tuple[int, Message]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    rejected: list[Rejected] = field(default_factory=list)
    count: int = 0

    def receipt(
        self, ids: Sequence[str], accepted: int, refused: Sequence[Rejected]
    ) -> MessagesReceipt:
        """Return the receipt, with the id of each message and those that the graph refused."""
        rejected = sorted([*self.rejected, *refused], key=lambda item: item.index)
        id_at = dict(zip((place for place, _ in self.messages), ids, strict=True))
        for item in rejected:
            id_at.pop(item.index, None)
        return MessagesReceipt(
            accepted=accepted,
            duplicate=len(self.messages) - accepted - len(refused),
            rejected=rejected,
            left_out=dict(self.left_out),
            ids=tuple(id_at.get(place) for place in range(self.count)),
        )


class MessageWriter:
    """Writes messages to one realm."""

    def __init__(self, database: Database, writer: TextWriter) -> None:
        self._database = database
        self._writer = writer

    async def remember(
        self,
        messages: Iterable[Any],
        session: str,
        at: Moment | None,
        roles: Any,
        shared: Mapping[str, Any],
        on_progress: OnProgress | None = None,
    ) -> MessagesReceipt:
        """Remember the messages of a session that are not stored yet."""
        require_key("session", session)
        text_items.parse({"text": "checked", "session": session, **shared})
        begin = None if at is None else aware(at)
        fields = dict(shared) | {"session": session}
        parsed = self._parse(messages, parse_roles(roles), fields)
        conversation = await self._stored(session, parsed)
        ids = conversation.identify([message for _, message in parsed.messages])
        new = [
            (place, message, id)
            for (place, message), id in zip(parsed.messages, ids, strict=True)
            if conversation.digests.get(id) != text_items.digest(message.text)
        ]
        receipt = await self._writer.remember_many(_items(new, fields, begin), on_progress)
        refused = [
            item.model_copy(update={"index": new[item.index][0]})
            for item in receipt.rejected
            if new[item.index][1].id is not None  # else another call stored the same meanwhile
        ]
        return parsed.receipt(ids, receipt.accepted, refused)

    def _parse(
        self, messages: Any, roles: frozenset[str], fields: dict[str, Any]
    ) -> ParsedMessages:
        if not isinstance(messages, Iterable) or isinstance(messages, (str, bytes, Mapping)):
            raise InvalidInput("messages", messages, "give a list of messages")
        parsed = ParsedMessages()
        for place, raw in enumerate(messages):
            parsed.count += 1
            try:
                message = parse_message(raw)
                if message.role not in roles or not message.text.strip():
                    parsed.left_out[message.role if message.role not in roles else NO_TEXT] += 1
                    continue
                self._require_storable(message, fields)
            except InvalidInput as error:
                id = str(raw.get("id") or "") if isinstance(raw, Mapping) else ""
                parsed.rejected.append(Rejected(index=place, event_id=id, reason=str(error)))
            else:
                parsed.messages.append((place, message))
        return parsed

    def _require_storable(self, message: Message, fields: dict[str, Any]) -> None:
        longest = self._database.settings.memories.text_bytes
        own = {"text": message.text, "speaker": message.speaker, "id": message.id}
        text_items.parse(fields | own, longest)

    async def _stored(self, session: str, parsed: ParsedMessages) -> Conversation:
        keys = sorted({message.key for _, message in parsed.messages})
        row = None
        if keys:
            row = await self._database.row("memories/session_messages", session=session, keys=keys)
        return Conversation.of(session, cast(StoredMessages | None, row))


def _items(
    new: list[tuple[int, Message, str]], fields: dict[str, Any], begin: datetime | None
) -> list[MessageItem]:
    """Return new messages as items, whose times keep their order."""
    return [
        MessageItem(
            **fields,
            text=message.text,
            speaker=message.speaker,
            id=id,
            at=message.at or (begin and begin + number * STEP),
            message_key=message.key,
            steps_before_end=len(new) - 1 - number,
        )
        for number, (_, message, id) in enumerate(new)
    ]
