"""Commit result: which drafts are new, how links and nodes change, and the record for an undo."""

import base64
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, cast

import numpy as np

from asterism.database import Row
from asterism.exploration import formulas
from asterism.exploration.formulas import Array, Vector
from asterism.exploration.models import Kind, LinkItem, NodeItem
from asterism.exploration.subentity import AXES, NodeSnapshot
from asterism.exploration.write_set import LinkState, NarrativeDraft
from asterism.exploration.writer import link_row, node_row
from asterism.row_types import row_of

SLACK = 1e-6  # vectors are stored in 32 bits: this close to the threshold counts as reaching it
DRAFT_LINK_POLARITY = (0.8, 0.2)


@row_of("exploration/add_energy")
class ChangedNode(TypedDict):
    """Row of exploration/add_energy."""

    id: str
    label: str
    revision: int
    energy_before: float | None
    weight_before: float | None
    energy: float
    weight: float


@dataclass(frozen=True)
class Narrative:
    """A narrative that represents a draft in the graph, or that a draft is compared with."""

    id: str
    name: str
    content: str
    embedding: Vector | None


@dataclass(frozen=True)
class DraftDecision:
    """Decision about a draft: to create a narrative, or to use the nearest one instead."""

    draft: NarrativeDraft
    narrative: Narrative
    created: bool
    similarity: float  # to the nearest narrative, 0 if there was none
    nearest: str | None

    @property
    def id(self) -> str:
        """Id of the narrative."""
        return self.narrative.id

    @property
    def alignment(self) -> float:
        """Its value among the findings."""
        return 1.0 if self.created else self.similarity


@dataclass(frozen=True)
class ColouredLink:
    """A link before and after all updates of a run."""

    id: str
    element_id: str
    revision: int
    stored_weight: float | None
    before: LinkState
    after: LinkState
    updates: int


@dataclass(frozen=True)
class CommitResult:
    """The changes of a commit, or of its preview."""

    committed: bool = False
    decisions: tuple[DraftDecision, ...] = ()
    links: tuple[ColouredLink, ...] = ()
    nodes: tuple[ChangedNode, ...] = ()
    dropped: int = 0

    @property
    def created(self) -> list[DraftDecision]:
        """Decisions to create a narrative."""
        return [decision for decision in self.decisions if decision.created]

    @property
    def reused(self) -> list[DraftDecision]:
        """Decisions to use an existing narrative."""
        return [decision for decision in self.decisions if not decision.created]


def decide_drafts(
    run_id: str,
    drafts: Sequence[NarrativeDraft],
    nearest: Mapping[str, Sequence[Narrative]],
    threshold: float,
    baseline: float = 0.0,
) -> list[DraftDecision]:
    """Decide one draft after the other, each also against those created before it."""
    decisions: list[DraftDecision] = []
    for draft in drafts:
        created = [decision.narrative for decision in decisions if decision.created]
        cosines = [
            (round(formulas.calibrated_cosine(draft.embedding, each.embedding, baseline), 7), each)
            for each in (*nearest.get(draft.key, ()), *created)
        ]
        best, narrative = min(cosines, key=_by_rank) if cosines else (None, None)
        nearest_id = narrative.id if narrative else None
        is_novel = formulas.is_novel(best, threshold - SLACK)
        if is_novel or narrative is None:
            id = stable_id(run_id, draft.subentity)
            narrative = Narrative(id, draft.name, draft.content, draft.embedding)
        decisions.append(DraftDecision(draft, narrative, is_novel, best or 0.0, nearest_id))
    return decisions


def _by_rank(item: tuple[float, Narrative]) -> tuple[float, str]:
    return -item[0], item[1].id


def stable_id(run_id: str, part: str) -> str:
    """Return an id that is the same however often the commit of a run is tried."""
    return str(uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_OID, run_id), part))


def undo_record(run_id: str, result: CommitResult) -> dict[str, list[Row]]:
    """Return the rows that undoing the run needs."""
    links = [
        {
            "id": link.id,
            "revision": link.revision,
            "weight": link.after.weight,
            "weight_before": link.stored_weight,
            "embedding_before": encode_vector(link.before.vector),
        }
        for link in result.links
    ]
    narratives = [
        {
            "id": decision.id,
            "energy": decision.draft.energy,
            "links": [stable_id(run_id, f"{decision.draft.subentity}/{end}") for end in "ab"],
        }
        for decision in result.created
    ]
    return {"nodes": [dict(row) for row in result.nodes], "links": links, "narratives": narratives}


def encode_vector(vector: Vector | None) -> str | None:
    """Return a stored vector as text: its 32-bit numbers, exactly."""
    if vector is None:
        return None
    return base64.b64encode(np.asarray(vector, dtype=np.float32).tobytes()).decode()


def decode_vector(text: str | None) -> list[float] | None:
    """Return the vector of `encode_vector`."""
    if text is None:
        return None
    return formulas.as_list(np.frombuffer(base64.b64decode(text), dtype=np.float32))


def narrative_row(decision: DraftDecision, model: str) -> Row:
    """Return a narrative as exploration/create_nodes takes it."""
    draft = decision.draft
    item = NodeItem(
        id=decision.id,
        kind=Kind.NARRATIVE,
        name=draft.name,
        content=draft.content,
        weight=draft.energy,
        energy=draft.energy,
    )
    row = node_row(item, formulas.as_list(draft.embedding), model)
    row["properties"]["created_by"] = "exploration"
    return row


def narrative_link_rows(run_id: str, decision: DraftDecision, element_id: str) -> list[Row]:
    """Return the links spawn → narrative → focus, without the second if both are one node."""
    draft = decision.draft
    spawn, focus = draft.spawn, draft.focus
    there = _link_row(run_id, draft, "a", spawn, draft.hierarchy, draft.permanence)
    on = _link_row(run_id, draft, "b", focus, draft.last_hierarchy, draft.criticality)
    rows = [
        {**there, "a": spawn.element_id, "b": element_id},
        {**on, "a": element_id, "b": focus.element_id},
    ]
    return rows[:1] if spawn.element_id == focus.element_id else rows


def _link_row(
    run_id: str,
    draft: NarrativeDraft,
    end: str,
    node: NodeSnapshot,
    hierarchy: float,
    permanence: float,
) -> Row:
    # Not validated: the mean of stored hierarchies is whatever somebody stored.
    values = dict(zip(AXES, draft.emotions, strict=True))
    values |= {"hierarchy": hierarchy, "permanence": permanence}
    id = stable_id(run_id, f"{draft.subentity}/{end}")
    item = LinkItem.model_construct(None, id=id, polarity=DRAFT_LINK_POLARITY, **cast(Any, values))
    return link_row(item, formulas.as_list(_middle(node.embedding, draft.embedding)))


def _middle(a: Array | None, b: Array) -> Array | None:
    """Return the vector of length 1 in the middle of two, or of the second alone."""
    middle = formulas.unit(b if a is None else a + b)
    return middle if middle.any() else None
