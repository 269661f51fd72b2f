"""Decay passes: the times up to which later interactions see decay."""

from bisect import bisect_right
from dataclasses import dataclass

from asterism.settings import MemoriesSettings

SECOND = 1_000_000


@dataclass(frozen=True)
class DecayPasses:
    """The passes that were requested, and one every `auto_pass_s` of event time."""

    settings: MemoriesSettings
    requested: list[int]

    def before(self, at: int) -> int:
        """Return the latest pass at or before a time."""
        if self.settings.continuous:
            return at
        interval = int(self.settings.auto_pass_s * SECOND)
        automatic = at - at % interval if interval else 0
        index = bisect_right(self.requested, at)
        return max(automatic, self.requested[index - 1] if index else 0)
