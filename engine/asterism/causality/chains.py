"""Prompts: for each intent, the latest consequence just before that its actor reacts to."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from asterism.causality.models import CausalLink


class Prompt(NamedTuple):
    """A consequence that the same actor reacted to."""

    consequence_index: int
    intent_index: int

    @property
    def line_gap(self) -> int:
        return self.intent_index - self.consequence_index


def prompts(links: Sequence[CausalLink], within: int) -> list[Prompt]:
    """Return for each intent the latest consequence, a few lines back, of its actor's intents."""
    consequences = _consequence_indices(links)
    derived = []
    for link in links:
        indices = consequences.get(link.actor, [])
        before = bisect_left(indices, link.intent_anchor_index)
        if before and link.intent_anchor_index - indices[before - 1] <= within:
            derived.append(Prompt(indices[before - 1], link.intent_anchor_index))
    return derived


def _consequence_indices(links: Iterable[CausalLink]) -> dict[str, list[int]]:
    indices: dict[str, set[int]] = {}
    for link in links:
        if link.consequence_anchor_index is not None:
            indices.setdefault(link.actor, set()).add(link.consequence_anchor_index)
    return {actor: sorted(lines) for actor, lines in indices.items()}
