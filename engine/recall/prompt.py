"""Hits as text for a prompt: in time order, with date and speaker, within a budget."""

from collections.abc import Sequence

from engine.errors import InvalidInput
from engine.frozen import Frozen
from engine.recall.model import Hit

LETTERS_A_TOKEN = 4


class Prompt(Frozen):
    """Text for a prompt, the memories in it, and how many did not fit."""

    lines: tuple[str, ...]
    used: int
    dropped: int
    ids: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        left = [f"({self.dropped} more left out)"] if self.dropped else []
        return "\n".join([*self.lines, *left])


def prompt(hits: Sequence[Hit], tokens: int) -> Prompt:
    """The best hits that fit, in the order in which they were learned."""
    if tokens < 1:
        raise InvalidInput("tokens", tokens, "give a budget of at least one token")
    kept: list[tuple[Hit, str]] = []
    used = 0
    for hit in hits:
        line = _line(hit)
        cost = -(-len(line) // LETTERS_A_TOKEN)
        if used + cost <= tokens:
            kept.append((hit, line))
            used += cost
    kept.sort(key=lambda pair: (pair[0].at, pair[0].id))
    lines = tuple(line for _, line in kept)
    ids = tuple(hit.id for hit, _ in kept)
    return Prompt(lines=lines, used=used, dropped=len(hits) - len(kept), ids=ids)


def _line(hit: Hit) -> str:
    who = f"{hit.speaker}: " if hit.speaker else ""
    title = f"{hit.about}: " if hit.about and not hit.speaker else ""
    return f"[{hit.at.day} {hit.at:%B %Y}] {who}{title}{hit.text}"
