"""What an exploration brings back."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import computed_field

from engine.exploration.model import Kind
from engine.exploration.states import Outcome, Reason
from engine.frozen import Frozen


class Status(StrEnum):
    """Where a narrative of a result comes from."""

    EXISTING = "existing"
    REUSED = "reused"
    CREATED = "created"


class Band(StrEnum):
    """How a measure of health stands."""

    OK = "ok"
    WARN = "warn"
    ERROR = "error"


class Factors(Frozen):
    """What a score is the product of."""

    alignment: float
    polarity: float
    permanence: float
    novelty: float
    divergence: float


class Candidate(Frozen):
    """A link that could have been taken."""

    link: str
    type: str
    node: str
    name: str
    score: float
    factors: Factors
    chosen: bool
    why_not: str | None


class Choice(Frozen):
    """What one SubEntity weighed at one node, and what it did."""

    subentity: str
    tick: int
    at: str
    name: str
    count: int
    verdict: str
    decisive: str | None
    threshold: float
    candidates: list[Candidate]


class Step(Frozen):
    """One hop of a path, with the reasons for it."""

    subentity: str
    start: str
    node: str
    kind: Kind
    name: str
    link: str
    type: str
    direction: str
    trust_disgust: float
    score: float
    factors: Factors
    decisive: str | None


class Path(Frozen):
    """How one SubEntity came to a narrative, from the start."""

    subentity: str
    start: str
    steps: list[Step]


class Finding(Frozen):
    """A narrative that was found."""

    id: str
    name: str
    content: str
    alignment: float
    query_alignment: float
    status: Status
    found_by: list[str]
    paths: list[Path]


class Visited(Frozen):
    """A node that was walked over, as it was first read."""

    id: str
    label: str
    kind: Kind
    name: str
    content: str
    weight: float
    energy: float
    alignment: float


class Created(Frozen):
    """A narrative that was created, and how new it is."""

    id: str
    name: str
    content: str
    by: str
    novelty: float
    nearest: str | None


class Reused(Frozen):
    """A narrative that was good enough to be used instead of a new one."""

    id: str
    by: str
    similarity: float


class NodeChange(Frozen):
    """What a node was given."""

    id: str
    kind: Kind
    name: str
    energy: float
    weight: float


class LinkChange(Frozen):
    """How a link was coloured."""

    id: str
    colourings: int
    weight_before: float
    weight_after: float
    turned: float | None


class Changes(Frozen):
    """All that an exploration writes; only planned, until it is committed."""

    planned: bool
    energy: float
    weight: float
    nodes: list[NodeChange]
    links: list[LinkChange]
    narratives: list[str]
    dropped: int


class Branch(Frozen):
    """A SubEntity and its children, as they ended."""

    id: str
    parent: str | None
    spawn: str
    position: str
    name: str
    depth: int
    hops: int
    satisfaction: float
    reason: Reason | None
    found: dict[str, float]
    own_found: dict[str, float]
    crystallized: str | None
    awareness: tuple[float, float]
    emotions: dict[str, float]
    path: list[Step]
    children: "list[Branch]"


class Anomaly(Frozen):
    """Something worth a look."""

    type: str
    subentity: str
    tick: int
    data: dict[str, object]


class Health(Frozen):
    """A measure of the walk, and whether it is in its band."""

    name: str
    value: float
    band: Band


class Exploration(Frozen):
    """What an exploration found, how it came there, and what it changed."""

    run_id: str
    actor: str
    query: str
    intention: str
    start: str
    outcome: Outcome
    satisfaction: float
    dry_run: bool
    committed: bool
    at: datetime
    duration: float
    reads: int
    ticks: int
    subentities: int
    hops: int
    links_scored: int
    truncated: bool
    found: dict[str, float]
    narratives: list[Finding]
    nodes: list[Visited]
    created: list[Created]
    reused: list[Reused]
    changes: Changes
    emotions: dict[str, float]
    tree: Branch
    choices: list[Choice]
    anomalies: list[Anomaly]
    health: list[Health]

    @computed_field  # type: ignore[prop-decorator]  # mypy issue 1362
    @property
    def why_empty(self) -> list[str]:
        """Where each branch ended and what stopped it, if nothing that exists was found."""
        if any(finding.status is not Status.CREATED for finding in self.narratives):
            return []
        return [_ending(branch, self.choices) for branch in leaves(self.tree)]

    def text(self, *, most: int = 30) -> str:
        """The walked part of the graph as a page to read."""
        from engine.exploration.cluster import page

        return page(self, most)


def leaves(tree: Branch) -> list[Branch]:
    """The SubEntities without children."""
    if not tree.children:
        return [tree]
    return [leaf for child in tree.children for leaf in leaves(child)]


def branches(tree: Branch) -> list[Branch]:
    """Every SubEntity, parents first."""
    return [tree, *(branch for child in tree.children for branch in branches(child))]


def _ending(branch: Branch, choices: Sequence[Choice]) -> str:
    told = f"{branch.id} ended at {branch.name} after {branch.depth} hops: {branch.reason}"
    last = [choice for choice in choices if choice.subentity == branch.id][-1:]
    if branch.reason is Reason.DEAD_END and last and last[0].candidates:
        best = last[0].candidates[0]
        told += (
            f", the best link scored {best.score:.4f}, below min_link_score "
            f"{last[0].threshold:g} ({best.why_not})"
        )
    return told
