"""How a kind of memory takes evidence: all that a new kind has to say, and all in Python.

A rule turns items into steps. What a step does to a strength (decay to the committed pass, the
way back from the archive, the cap) is the same for every kind and happens in the database.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

MOST = 2**53
LARGE = 2**40  # nobody hands in so many of these that their sum overflows


@dataclass(frozen=True)
class Step:
    """One interaction: what it adds, and the decay pass that it builds on."""

    at: int
    passed: int
    gain: float = 0.0
    rest: float = 0.0  # what is left of the gain when the memory comes back from the archive
    keep: bool = False  # no decay since the last one: the thing was there all the time
    boosts: int = 0  # the settings say what each of these adds to the gain
    extras: int = 0
    seconds: float = 0.0
    usd: float = 0.0


@dataclass(frozen=True)
class Place:
    """Where to look for a node: the cells of a symbol, or one id.

    The name is what is locked beside the node of that id; without a name, that node alone.
    """

    name: str
    cells: tuple[int, ...] = ()
    id: str | None = None


@dataclass(frozen=True)
class Applied:
    """An item after its rule has seen it: for the evidence log."""

    item: Any
    effect: str
    has_step: bool


@dataclass
class Node:
    """A memory while a batch is being applied to it."""

    id: str
    properties: dict[str, Any]
    fixed: dict[str, Any] = field(default_factory=dict)
    start: dict[str, Any] = field(default_factory=dict)
    creation: dict[str, Any] | None = None  # of what a level is made: the statement does the sum
    visits: int | None = None  # rejections that its confidence follows from
    steps: list[Step] = field(default_factory=list)
    adds: dict[str, float] = field(default_factory=dict)
    puts: dict[str, Any] = field(default_factory=dict)
    applied: list[Applied] = field(default_factory=list)
    title: str = ""
    latest: int = field(init=False)

    def __post_init__(self) -> None:
        self.latest = self.properties["anchor"]

    def get(self, name: str, default: Any) -> Any:
        """A property as it is after the items so far."""
        value = self.puts.get(name, self.properties.get(name))
        value = default if value is None else value
        return value + self.adds.get(name, 0) if name in self.adds else value

    def add(self, name: str, amount: float) -> None:
        """Raise a counter, up to where whole numbers are exact; the database does the sum."""
        if isinstance(amount, int) and amount > LARGE:
            amount = min(amount, max(0, MOST - self.get(name, 0)))
        self.adds[name] = self.adds.get(name, 0) + amount

    def put(self, **values: Any) -> None:
        """Set properties."""
        self.puts |= values

    def row(self) -> dict[str, Any]:
        """What memories/reinforce needs to know."""
        waits = not self.start and not self.creation and not self.steps
        return {
            "id": self.id,
            "title": self.title,
            "fixed": self.fixed,
            "start": self.start,
            "creation": self.creation,
            "visits": self.visits,
            "steps": [vars(step) for step in self.steps],
            "adds": [{"name": name, "by": amount} for name, amount in self.adds.items()],
            "puts": self.puts | ({"anchor": self.latest} if waits else {}),
        }


class Passes(Protocol):
    """Knows the latest decay pass at or before a time."""

    def before(self, at: int) -> int: ...


class EvidenceRule(Protocol):
    """One kind of memory: what its items look like, which node takes one, what it does there."""

    label: str

    def parse(self, raw: Any) -> Any:
        """An item of this kind, with event_id, ts and sequence; ValueError says what is wrong."""
        ...

    def order(self, item: Any) -> tuple[Any, ...]:
        """The canonical order of items: first the time, then whatever settles a tie."""
        ...

    def place(self, item: Any) -> Place:
        """Where a node that takes the item may be."""
        ...

    def match(self, item: Any, nodes: list[Node]) -> Node | None:
        """The one node that takes the item."""
        ...

    def create(self, item: Any) -> Node:
        """A new node for an item that no node takes."""
        ...

    def apply(self, node: Node, item: Any, passes: Passes) -> None:
        """Note on the node what the item does to it."""
        ...
