"""Result types of an exploration."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import computed_field

from asterism.base_model import Frozen
from asterism.exploration.guided.page import text_page as guided_page
from asterism.exploration.models import Kind, Outcome, Reason
from asterism.exploration.render import text_page
from asterism.exploration.summary import summary
from asterism.html_tables import table

NOTHING_FOUND = "no memory, narrative or node of another part has anything to do with the question"


class Status(StrEnum):
    EXISTING = "existing"
    REUSED = "reused"
    CREATED = "created"


class Band(StrEnum):
    OK = "ok"
    WARN = "warn"
    ERROR = "error"


class Factors(Frozen):
    """The five factors of a score."""

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
    """The links that one SubEntity weighed at one node, and its verdict."""

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
    why: str = ""


class Path(Frozen):
    """The steps of one SubEntity from the start to a narrative."""

    subentity: str
    start: str
    steps: list[Step]


class Finding(Frozen):
    """A narrative or a memory that was found.

    `query_alignment` is its value for the question, `alignment` that for the intention. A guided
    exploration has recall's hits first, in its order and with its score and reason, then what it
    started at besides or walked to: `origin` says which.
    """

    id: str
    name: str
    content: str
    alignment: float
    query_alignment: float
    status: Status
    found_by: list[str]
    paths: list[Path]
    why: str = ""
    score: float | None = None
    at: datetime | None = None
    origin: Literal["recall", "walk", "start"] = "walk"


class Start(Frozen):
    """A node that a guided exploration started at, and why."""

    id: str
    label: str
    kind: Kind
    name: str
    content: str
    why: str
    value: float


class Connection(Frozen):
    """Two of the findings or starts, and what joins them: names, words or relationships."""

    a: str
    b: str
    joined_by: list[str]
    text_a: str
    text_b: str


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
    """A narrative that was created, and how new it is.

    Of a guided exploration it is the answer that quotes the findings `quotes`.
    """

    id: str
    name: str
    content: str
    by: str
    novelty: float
    nearest: str | None
    quotes: tuple[str, ...] = ()


class Reused(Frozen):
    """An existing narrative that was used instead of a new one."""

    id: str
    by: str
    similarity: float


class NodeChange(Frozen):
    """Energy and weight added to a node."""

    id: str
    kind: Kind
    name: str
    energy: float
    weight: float


class LinkChange(Frozen):
    """Weights of a coloured link, and the cosine of its vectors before and after (`turned`)."""

    id: str
    colourings: int
    weight_before: float
    weight_after: float
    turned: float | None


class Changes(Frozen):
    """All that an exploration writes, `planned` until it is committed."""

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

    def with_descendants(self) -> "list[Branch]":
        """Return this SubEntity and all that came of it, parents first."""
        return [self, *(each for child in self.children for each in child.with_descendants())]


class Anomaly(Frozen):
    type: str
    subentity: str
    tick: int
    data: dict[str, object]


class Health(Frozen):
    name: str
    value: float
    band: Band


class Exploration(Frozen):
    """Findings with their paths, and the changes of one exploration."""

    mode: Literal["guided", "literal"]
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
    starts: tuple[Start, ...] = ()
    connections: tuple[Connection, ...] = ()
    nodes: list[Visited]
    created: list[Created]
    reused: list[Reused]
    changes: Changes
    emotions: dict[str, float]
    tree: Branch
    choices: list[Choice]
    anomalies: list[Anomaly]
    health: list[Health]

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def why_empty(self) -> list[str]:
        """One sentence for the end of each branch, if no existing narrative was found."""
        if self.mode == "guided":
            return [] if self.narratives else [NOTHING_FOUND]
        if any(finding.status is not Status.CREATED for finding in self.narratives):
            return []
        leaves = [branch for branch in self.tree.with_descendants() if not branch.children]
        return [_ending(branch, self.choices) for branch in leaves]

    def _repr_html_(self) -> str:
        title = f"{self.query} ({self.outcome.value}, satisfaction {self.satisfaction:.2f})"
        rows = [(each.name, each.status, each.alignment) for each in self.narratives]
        return table(title, ("narrative", "status", "alignment"), rows)

    @computed_field  # type: ignore[prop-decorator]  # mypy takes no decorated properties
    @property
    def summary(self) -> list[str]:
        """Sentences on where it started and why, what it found, what joins it, what it wrote."""
        return summary(self)

    def text(self, *, most: int = 30) -> str:
        """Return the walked part of the graph as a page to read."""
        return guided_page(self, most) if self.mode == "guided" else text_page(self, most)


def _ending(branch: Branch, choices: Sequence[Choice]) -> str:
    ending = f"{branch.id} ended at {branch.name} after {branch.depth} hops: {branch.reason}"
    last = [choice for choice in choices if choice.subentity == branch.id][-1:]
    if branch.reason is Reason.DEAD_END and last and last[0].candidates:
        best = last[0].candidates[0]
        ending += (
            f", the best link scored {best.score:.4f}, below min_link_score "
            f"{last[0].threshold:g} ({best.why_not})"
        )
    return ending
