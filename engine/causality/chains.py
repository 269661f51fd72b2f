"""What prompted an intent: derived from links, an addition that may be switched off."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.causality.model import CausalLink


class Prompt(NamedTuple):
    """A consequence that the same actor reacted to."""

    consequence_index: int
    intent_index: int

    @property
    def line_gap(self) -> int:
        return self.intent_index - self.consequence_index


def prompts(links: Sequence[CausalLink], within: int) -> list[Prompt]:
    """For each intent the latest consequence, a few lines back, of one of its actor's own."""
    caused = _caused(links)
    found = []
    for link in links:
        indices = caused.get(link.actor, [])
        before = bisect_left(indices, link.intent_anchor_index)
        if before and link.intent_anchor_index - indices[before - 1] <= within:
            found.append(Prompt(indices[before - 1], link.intent_anchor_index))
    return found


def _caused(links: Iterable[CausalLink]) -> dict[str, list[int]]:
    indices: dict[str, set[int]] = {}
    for link in links:
        if link.consequence_anchor_index is not None:
            indices.setdefault(link.actor, set()).add(link.consequence_anchor_index)
    return {actor: sorted(found) for actor, found in indices.items()}
