"""Hits as text for a prompt: in time order, with date and speaker, within a budget."""

from collections.abc import Sequence

from asterism.base_model import Frozen
from asterism.errors import InvalidInput
from asterism.recall.certainty import Certainty
from asterism.recall.models import Hit
from asterism.timestamps import long_date

LETTERS_A_TOKEN = 4
NOTHING_REMEMBERED = "Nothing is remembered about this."


class Prompt(Frozen):
    """Text for a prompt, the memories in it, how many did not fit, and how certain it is."""

    lines: tuple[str, ...]
    used: int
    dropped: int
    ids: tuple[str, ...] = ()
    certainty: Certainty = Certainty.NOTHING
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        rest = [f"({self.dropped} more left out)"] if self.dropped else []
        return "\n".join([*self.lines, *rest]) or NOTHING_REMEMBERED


def prompt(hits: Sequence[Hit], tokens: int) -> Prompt:
    """Return the best hits that fit, in the order in which they were learned.

    What is superseded stands on the line of its successor, never for itself.
    """
    if tokens < 1:
        raise InvalidInput("tokens", tokens, "give a budget of at least one token")
    fitting: list[tuple[Hit, str, tuple[str, ...]]] = []
    used = 0
    for hit, formers in _entries(hits):
        for history in (formers, ()):  # without its history if there is no room for that
            line = _line(hit, history)
            cost = -(-len(line) // LETTERS_A_TOKEN)
            if used + cost <= tokens:
                fitting.append((hit, line, (hit.id, *(former.id for former in history))))
                used += cost
                break
    fitting.sort(key=lambda entry: (entry[0].at, entry[0].id))
    lines = tuple(line for _, line, _ in fitting)
    ids = tuple(id for _, _, own in fitting for id in own)
    return Prompt(lines=lines, used=used, dropped=len(hits) - len(ids), ids=ids)


def _entries(hits: Sequence[Hit]) -> list[tuple[Hit, tuple[Hit, ...]]]:
    """Return the hits with what each of them superseded, oldest first, in one entry."""
    successors = {former: hit.id for hit in hits for former in hit.supersedes}
    formers: dict[str, list[Hit]] = {}
    for hit in sorted(hits, key=lambda hit: (hit.valid_to or hit.at, hit.id)):
        if hit.id in successors:
            formers.setdefault(successors[hit.id], []).append(hit)
    return [(hit, tuple(formers.get(hit.id, ()))) for hit in hits if hit.id not in successors]


def _line(hit: Hit, formers: Sequence[Hit]) -> str:
    speaker = f"{hit.speaker}: " if hit.speaker else ""
    title = f"{hit.about}: " if hit.about and not hit.speaker else ""
    end = f"({_end(hit)}) " if hit.parts.superseded else ""
    history = "; ".join(f"{_end(former)}: {former.text}" for former in formers)
    line = f"[{long_date(hit.at)}] {end}{speaker}{title}{hit.text}"
    return f"{line} ({history})" if history else line


def _end(hit: Hit) -> str:
    return f"until {long_date(hit.valid_to)}" if hit.valid_to else "superseded"
