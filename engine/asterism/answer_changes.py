"""Changes of the answers to pinned questions, as reports of work on memories name them."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from asterism.base_model import Frozen


class AnswerChange(Frozen):
    """A pinned question whose answer was as expected and is not any more, or the reverse."""

    expectation: str
    question: str
    holds: bool
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.question!r} {'holds again' if self.holds else f'is broken: {self.reason}'}"


class AnswerWatch(Protocol):
    """Asks the pinned questions of a realm."""

    async def changes(self) -> list[AnswerChange]:
        """Ask them, record the answers, and return what changed since the latest recording."""
        ...

    async def peek(self) -> list[AnswerChange]:
        """Ask them, and return what changed since the latest recording, which stays."""
        ...

    async def preview(self, work: Callable[[Any], Awaitable[object]]) -> list[AnswerChange]:
        """Return what work in a transaction would change, and undo it."""
        ...


class NoWatch:
    """Watch of a realm without pinned questions."""

    async def changes(self) -> list[AnswerChange]:
        return []

    async def peek(self) -> list[AnswerChange]:
        return []

    async def preview(self, work: Callable[[Any], Awaitable[object]]) -> list[AnswerChange]:
        return []
