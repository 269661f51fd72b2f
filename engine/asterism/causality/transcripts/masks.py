"""Eligibility of lines: excluded ranges in, one flag a line out."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from asterism.causality.transcripts.models import ExcludedLine, Line, Mask, Reason


class EligibilityMask:
    """Flags of the lines that no excluded range covers, by line index."""

    def __init__(self, lines: Iterable[Line], masks: Iterable[Mask] = ()) -> None:
        self.excluded_ranges = tuple(masks)
        indices = [line.line_index for line in lines]
        self._reasons: dict[int, list[Reason]] = {}
        for mask in self.excluded_ranges:
            first = bisect_left(indices, mask.start_index)
            end = bisect_right(indices, mask.end_index)
            for index in indices[first:end]:
                self._reasons.setdefault(index, []).append(mask.reason)
        self.eligible_mask = [index not in self._reasons for index in indices]

    def reasons(self, line_index: int) -> list[Reason]:
        """Return the reason of every range that contains a line, each once."""
        return list(dict.fromkeys(self._reasons.get(line_index, ())))

    def excluded_lines(self) -> list[ExcludedLine]:
        """Return every excluded line with its reasons, in order."""
        indices = sorted(self._reasons)
        return [ExcludedLine(line_index=index, reasons=self.reasons(index)) for index in indices]


def barriers(eligible: Sequence[bool]) -> list[int]:
    """Return for each position the first excluded one after it, beyond which no link goes."""
    barriers = [len(eligible)] * len(eligible)
    next_excluded = len(eligible)
    for position in range(len(eligible) - 1, -1, -1):
        barriers[position] = next_excluded
        if not eligible[position]:
            next_excluded = position
    return barriers
