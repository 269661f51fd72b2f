"""The rule of a kind of memory: the only part that a new kind has to add, all in Python.

A rule turns items into steps. Decay to the last pass, the way back from the archive and the cap
are the same for every kind of memory and happen in the database (memories/reinforce).
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

from asterism.memories.decay_passes import DecayPasses

MOST = 2**53
LARGE = 2**40  # nobody hands in so many of these that their sum overflows


@dataclass(frozen=True)
class Step:
    """One interaction: the strength it adds, and the decay pass that it builds on."""

    at: int
    last_pass: int
    gain: float = 0.0
    revival_gain: float = 0.0  # left of the gain when the memory comes back from the archive
    skip_decay: bool = False  # the thing was there all the time since the last step
    boosts: int = 0  # the settings say how much each of these adds to the gain
    further_liquidations: int = 0
    seconds: float = 0.0
    usd: float = 0.0


@dataclass(frozen=True)
class Location:
    """Place of the memory for an item: cells of a symbol, or one id.

    The symbol is locked before the memory of that id. Without a symbol, that memory alone is.
    """

    symbol: str
    cells: tuple[int, ...] = ()
    id: str | None = None


@dataclass(frozen=True)
class Applied:
    """An item after its rule has applied it, for the evidence log."""

    item: Any
    effect: str
    has_step: bool


@dataclass
class MemoryUpdate:
    """A memory while a batch is applied to it: what it was, and what changes."""

    id: str
    properties: dict[str, Any]
    on_create: dict[str, Any] = field(default_factory=dict)
    creation: dict[str, Any] | None = None  # of a level: the statement computes its strength
    rejection_count: int | None = None  # rejections that a level's confidence follows from
    steps: list[Step] = field(default_factory=list)
    increments: dict[str, float] = field(default_factory=dict)
    updates: dict[str, Any] = field(default_factory=dict)
    applied: list[Applied] = field(default_factory=list)
    title: str = ""
    latest_at: int = field(init=False)

    def __post_init__(self) -> None:
        self.latest_at = self.properties["anchor"]

    def get(self, name: str, default: Any) -> Any:
        """Return a property as it is after the items so far."""
        value = self.updates.get(name, self.properties.get(name))
        value = default if value is None else value
        return value + self.increments.get(name, 0) if name in self.increments else value

    def increment(self, name: str, amount: float) -> None:
        """Raise a counter, up to where whole numbers are exact. The database does the sum."""
        if isinstance(amount, int) and amount > LARGE:
            amount = min(amount, max(0, MOST - self.get(name, 0)))
        self.increments[name] = self.increments.get(name, 0) + amount

    def update(self, **values: Any) -> None:
        self.updates |= values

    def row(self) -> dict[str, Any]:
        """Return the parameters of memories/reinforce."""
        unchanged = not self.creation and not self.steps
        increments = [{"name": name, "by": amount} for name, amount in self.increments.items()]
        return {
            "id": self.id,
            "title": self.title,
            "on_create": self.on_create,
            "creation": self.creation,
            "rejection_count": self.rejection_count,
            "steps": [vars(step) for step in self.steps],
            "increments": increments,
            "updates": self.updates | ({"anchor": self.latest_at} if unchanged else {}),
        }


class EvidenceRule(Protocol):
    """One kind of memory: its items, the memory that takes one, and the effect there."""

    label: str

    def parse(self, raw: Any) -> Any:
        """Return an item with event_id, ts and sequence, or raise ValueError with the fault."""
        ...

    def order(self, item: Any) -> tuple[Any, ...]:
        """Return the sort key of the canonical order: time first, then what settles a tie."""
        ...

    def locate(self, item: Any) -> Location:
        """Return where a memory that takes the item may be."""
        ...

    def match(self, item: Any, memories: list[MemoryUpdate]) -> MemoryUpdate | None:
        """Return the one memory that takes the item."""
        ...

    def create(self, item: Any) -> MemoryUpdate:
        """Return a new memory for an item that no memory takes."""
        ...

    def apply(self, memory: MemoryUpdate, item: Any, passes: DecayPasses) -> None:
        """Record on the memory the effect of the item."""
        ...
