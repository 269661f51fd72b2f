"""Which lines count: ranges in, one flag a line out."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from engine.causality.model import ExcludedLine
from engine.causality.transcript import Line, Mask, Reason


class EligibilityMask:
    """Lines that no excluded range covers, by line index."""

    def __init__(self, lines: Iterable[Line], masks: Iterable[Mask] = ()) -> None:
        self.excluded_ranges = tuple(masks)
        self._indices = [line.line_index for line in lines]
        self._reasons: dict[int, list[Reason]] = {}
        for mask in self.excluded_ranges:
            first = bisect_left(self._indices, mask.start_index)
            end = bisect_right(self._indices, mask.end_index)
            for index in self._indices[first:end]:
                self._reasons.setdefault(index, []).append(mask.reason)
        self.eligible_mask = [index not in self._reasons for index in self._indices]

    def is_eligible(self, line_index: int) -> bool:
        """Whether the line counts; one that is not in the transcript does not."""
        at = bisect_left(self._indices, line_index)
        known = at < len(self._indices) and self._indices[at] == line_index
        return known and self.eligible_mask[at]

    def reasons(self, line_index: int) -> list[Reason]:
        """Why it is left out: every range that contains it, each reason once."""
        return list(dict.fromkeys(self._reasons.get(line_index, ())))

    def excluded(self) -> list[ExcludedLine]:
        """Every excluded line with its reasons, in order."""
        out = sorted(self._reasons)
        return [ExcludedLine(line_index=index, reasons=self.reasons(index)) for index in out]


def barriers(eligible: Sequence[bool]) -> list[int]:
    """For each position the first excluded one after it: no link goes beyond."""
    after = [len(eligible)] * len(eligible)
    nearest = len(eligible)
    for position in range(len(eligible) - 1, -1, -1):
        after[position] = nearest
        if not eligible[position]:
            nearest = position
    return after
