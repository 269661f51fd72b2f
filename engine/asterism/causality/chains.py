"""Prompts: for each intent, the consequence just before that its actor reacts to."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from asterism.causality.models import CausalLink, PromptReason
from asterism.causality.transcripts import line_text

FEWEST_LETTERS = 4  # of a word by which an intent takes up a consequence


class Prompt(NamedTuple):
    """A consequence that an actor reacted to, and why it is taken for that."""

    consequence_index: int
    intent_index: int
    reason: PromptReason = PromptReason.OWN
    shared_words: tuple[str, ...] = ()

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


def prompts_across_actors(
    links: Sequence[CausalLink],
    within: int,
    names: Mapping[str, Iterable[str]],
    words_of: Callable[[str], frozenset[str]],
) -> list[Prompt]:
    """Return for each intent the nearest consequence, a few lines back, that it answers.

    A consequence is answered by the actor whose intent caused it, by an actor that it names, and by
    an intent that takes up its words. `names` are those of each actor.
    """
    spoken = {
        link.consequence_anchor_index: Spoken.of(link.consequence_text or "", words_of)
        for link in links
        if link.consequence_anchor_index is not None
    }
    own = {prompt.intent_index: prompt for prompt in prompts(links, within)}
    indices = sorted(spoken)
    derived = []
    for link in links:
        at = link.intent_anchor_index
        words = Spoken.of(link.intent_text, words_of).words
        called = {link.actor, *names.get(link.actor, ())}
        first, end = bisect_left(indices, at - within), bisect_left(indices, at)
        answered = (
            spoken[index].prompt(index, at, called, words) for index in reversed(indices[first:end])
        )
        nearest = next((prompt for prompt in answered if prompt), None)
        latest = max((each for each in (nearest, own.get(at)) if each), default=None, key=_place)
        derived += [latest] if latest else []
    return derived


class Spoken(NamedTuple):
    """Words of a line: all of them in order, and those that tell something."""

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str, words_of: Callable[[str], frozenset[str]]) -> "Spoken":
        """Return a line with the words by which another line may take it up."""
        telling = frozenset(word for word in words_of(text) if len(word) >= FEWEST_LETTERS)
        return cls(_in_spaces(text), telling)

    def prompt(
        self, index: int, intent: int, names: Iterable[str], words: frozenset[str]
    ) -> Prompt | None:
        """Return the prompt of an intent that takes up words, or whose player the line names."""
        shared = tuple(sorted(self.words & words))
        if any(_in_spaces(name) in self.text for name in names if name.strip()):
            return Prompt(index, intent, PromptReason.ADDRESS, shared)
        return Prompt(index, intent, PromptReason.WORDS, shared) if shared else None


def _in_spaces(text: str) -> str:
    return f" {' '.join(line_text.words(line_text.folded(text)))} "


def _place(prompt: Prompt) -> tuple[int, bool]:
    return prompt.consequence_index, prompt.reason is PromptReason.OWN


def _consequence_indices(links: Iterable[CausalLink]) -> dict[str, list[int]]:
    indices: dict[str, set[int]] = {}
    for link in links:
        if link.consequence_anchor_index is not None:
            indices.setdefault(link.actor, set()).add(link.consequence_anchor_index)
    return {actor: sorted(lines) for actor, lines in indices.items()}
