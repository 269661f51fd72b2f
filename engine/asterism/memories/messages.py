"""Messages as chat APIs have them: role, words, name, time and id, from dictionaries or objects."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from asterism.base_model import Frozen
from asterism.clock import aware
from asterism.errors import InvalidInput
from asterism.memories.digests import digest_of

ROLES = ("user", "assistant", "system", "developer", "tool", "function")
OTHER_NAMES = {"human": "user", "ai": "assistant", "model": "assistant"}
TEXT_PARTS = ("text", "input_text", "output_text")
FIELDS = ("role", "type", "content", "parts", "name", "at", "id", "data")


class Message(Frozen):
    """One message of a conversation. Its text is empty if it holds tool calls or pictures alone."""

    role: str
    text: str
    name: str | None = None
    at: datetime | None = None
    id: str | None = None

    @property
    def speaker(self) -> str:
        return self.name or self.role

    @property
    def key(self) -> str:
        """Return a digest of the id, or of the words, their speaker and their time."""
        if self.id is not None:
            return digest_of("id", self.id)
        parts = (self.role, self.name, self.text.strip(), self.at)
        return digest_of(*parts)


def parse_roles(roles: Any) -> frozenset[str]:
    """Return the roles whose messages are remembered, or refuse them."""
    if isinstance(roles, str) or not isinstance(roles, Sequence | frozenset | set) or not roles:
        raise InvalidInput("roles", roles, 'give a list of roles, such as ["user", "assistant"]')
    for role in roles:
        _parse_role(role, "roles")
    return frozenset(_parse_role(role, "roles") for role in roles)


def parse_message(raw: Any) -> Message:
    """Return a message of any of the usual shapes, or refuse it."""
    fields = _fields(raw)
    name, at, id = fields.get("name"), fields.get("at"), fields.get("id")
    if name is not None and not isinstance(name, str):
        raise InvalidInput("name", name, "give a text, or none")
    if id is not None and not isinstance(id, (str, int)):
        raise InvalidInput("id", id, "give a text, or none")
    return Message(
        role=_parse_role(fields.get("role") or fields.get("type"), "role"),
        text=_text(fields["content"] if "content" in fields else fields.get("parts")),
        name=(name or "").strip() or None,
        at=None if at is None else aware(at),
        id=None if id is None else str(id).strip() or None,
    )


def _fields(raw: Any) -> Mapping[str, Any]:
    """Return the fields of a dictionary, of a pair of role and words, or of a library's object."""
    if isinstance(raw, (tuple, list)) and len(raw) == 2:
        return {"role": raw[0], "content": raw[1]}
    if not isinstance(raw, Mapping):
        raw = {name: getattr(raw, name) for name in FIELDS if hasattr(raw, name)}
    if isinstance(raw.get("data"), Mapping) and "content" not in raw:
        raw = {"type": raw.get("type")} | dict(raw["data"])
    if "content" not in raw and "parts" not in raw:
        remedy = 'give messages such as {"role": "user", "content": "..."}'
        raise InvalidInput("message", raw or "no field", remedy)
    fields: Mapping[str, Any] = raw
    return fields


def _parse_role(role: Any, argument: str) -> str:
    usual = OTHER_NAMES.get(role, role) if isinstance(role, str) else None
    if usual not in ROLES:
        raise InvalidInput(argument, role, f"one of {', '.join(ROLES)}")
    return str(usual)


def _text(content: Any) -> str:
    """Return the words of a message: its text, or its parts of text, a line each."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, (list, tuple)):
        raise InvalidInput("content", content, "give a text, or a list of parts with a text each")
    return "\n".join(text for part in content if (text := _text_of_part(part)).strip())


def _text_of_part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        part = {name: getattr(part, name, None) for name in ("type", "text")}
    text = part.get("text")
    is_text = part.get("type", "text") in TEXT_PARTS
    if is_text and not isinstance(text, str):
        raise InvalidInput("content", part, 'a part of type text has its words in "text"')
    return str(text) if is_text else ""
