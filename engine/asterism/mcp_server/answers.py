"""Answers of the tools: what is in them as fields, and how they read as text."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from asterism.mcp_server.token_budget import count_tokens
from asterism.mcp_server.tool import ToolAnswer
from asterism.memories.models import Memory
from asterism.recall.certainty import Certainty
from asterism.recall.models import Hit
from asterism.recall.prompt import NOTHING_REMEMBERED


class Part(BaseModel):
    """Part of an answer."""

    model_config = ConfigDict(extra="forbid")

    def document(self) -> dict[str, Any]:
        """Return the fields that say something."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class RememberedText(Part):
    id: str
    text: str
    at: str
    speaker: str | None = None
    until: str | None = None
    why: str | None = None

    def __str__(self) -> str:
        speaker = f"{self.speaker}: " if self.speaker else ""
        end = f", until {self.until}" if self.until else ""
        why = f"; {self.why}" if self.why else ""
        return f"- {speaker}{' '.join(self.text.split())} ({self.at}{end}, {self.id}{why})"


class RecallAnswer(ToolAnswer):
    memories: list[RememberedText] = Field(default_factory=list)
    certainty: Certainty
    left_out: int | None = None
    warning: str | None = None

    def __str__(self) -> str:
        notes = [f"({self.left_out} more left out: raise tokens)"] if self.left_out else []
        notes += [self.warning] if self.warning else []
        return _lines([*map(str, self.memories), *notes], NOTHING_REMEMBERED)


class RememberAnswer(ToolAnswer):
    new: int
    same: int
    ids: list[str]  # in the order of the call, empty where nothing was stored
    rejected: list[str] | None = None
    left_out: int | None = None

    def __str__(self) -> str:
        counts = f"{self.new} new, {self.same} stored before"
        counts += f", {self.left_out} left out" if self.left_out else ""
        ids = [f"ids: {' '.join(id or '-' for id in self.ids)}"] if self.ids else []
        return _lines([counts, *ids, *(f"rejected: {each}" for each in self.rejected or ())])


class CorrectAnswer(ToolAnswer):
    id: str
    replaces: str
    changed: bool

    def __str__(self) -> str:
        if not self.changed:
            return f"{self.id} says so already"
        return f"{self.id} replaces {self.replaces}"


class WhyAnswer(ToolAnswer):
    memories: list[RememberedText] | None = None
    id: str | None = None
    rank: int | None = None
    reasons: list[str] | None = None
    left_out: int | None = None

    def __str__(self) -> str:
        if self.id is None:
            return _lines(list(map(str, self.memories or ())), NOTHING_REMEMBERED)
        place = f"at rank {self.rank}" if self.rank else "not found"
        return _lines([f"{self.id} is {place}", *(f"- {each}" for each in self.reasons or ())])


class ForgetAnswer(ToolAnswer):
    matching: int
    forgotten: int
    dry_run: bool
    examples: list[RememberedText] | None = None

    def __str__(self) -> str:
        if not self.dry_run:
            return f"{self.forgotten} forgotten for good"
        first = f"{self.matching} would be forgotten; nothing is done without dry_run=false"
        return _lines([first, *map(str, self.examples or ())])


class ExploredFinding(Part):
    id: str
    text: str
    why: str | None = None

    def __str__(self) -> str:
        why = f"; {self.why}" if self.why else ""
        return f"- {' '.join(self.text.split())} ({self.id}{why})"


class ExploreAnswer(ToolAnswer):
    findings: list[ExploredFinding]
    outcome: str
    left_out: int | None = None
    notes: list[str] | None = None

    def __str__(self) -> str:
        more = [f"({self.left_out} more left out: raise tokens)"] if self.left_out else []
        lines = [*map(str, self.findings), *(self.notes or ()), *more]
        return _lines(lines, f"Nothing was found: {self.outcome}")


class StarLine(Part):
    id: str
    name: str
    domain: str
    state: str
    brightness: float

    def __str__(self) -> str:
        return f"- {self.name} ({self.domain}, {self.state} {self.brightness:.2f}, {self.id})"


class StarAnswer(ToolAnswer):
    stars: list[StarLine] | None = None
    connection: str | None = None
    reasons: list[str] | None = None
    left_out: int | None = None
    note: str | None = None

    def __str__(self) -> str:
        lines = [*map(str, self.stars or ()), *([self.connection] if self.connection else [])]
        lines += [f"- {each}" for each in self.reasons or ()]
        lines += [f"({self.left_out} more left out: raise tokens)"] if self.left_out else []
        return _lines([*lines, *([self.note] if self.note else [])], "There are no stars yet.")


def remembered(each: Hit | Memory, most: int, *, why: str | None = None) -> RememberedText:
    """Return a hit or a memory as an answer has it, its text cut to so many tokens."""
    at = each.at if isinstance(each, Hit) else each.first_seen
    over = each.superseded_by is not None or (isinstance(each, Hit) and each.parts.superseded)
    return RememberedText(
        id=each.id,
        text=shortened(each.text or "", most),
        at=day(at),
        speaker=each.speaker,
        until=day(each.valid_to) if over and each.valid_to else None,
        why=why,
    )


def shortened(text: str, most: int) -> str:
    """Return a text in at most so many tokens, its end cut off with an ellipsis."""
    if count_tokens(text[: 8 * most]) <= most and len(text) <= 8 * most:
        return text
    low, high = 0, min(len(text), 8 * most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(text[:middle]) < most else (low, middle - 1)
    return text[:low] + "…"


def day(at: datetime) -> str:
    """Return a time as a date."""
    return f"{at:%Y-%m-%d}"


def _lines(lines: Sequence[str] | Iterable[str], empty: str = "") -> str:
    return "\n".join(lines) or empty
