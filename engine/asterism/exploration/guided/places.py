"""Places of a guided walk: nodes with their values for the question and the intention."""

from dataclasses import dataclass
from datetime import datetime

from asterism.database import Row
from asterism.exploration.formulas import permanence_of_weight
from asterism.exploration.models import Kind, caption, kind_of, label_of
from asterism.exploration.subentity import NodeSnapshot
from asterism.text.english import stem
from asterism.text.names import name_key, name_tokens


@dataclass(frozen=True)
class Place:
    """A node that a walk starts at or comes to."""

    node: NodeSnapshot
    query_value: float
    intention_value: float
    why: str
    score: float = 0.0
    is_line: bool = False  # of talk
    at: datetime | None = None

    @property
    def is_goal(self) -> bool:
        """True for a narrative or a text memory, which count as findings."""
        return self.node.kind is Kind.NARRATIVE


@dataclass(frozen=True)
class Move:
    """One hop of a front to a place."""

    place: Place
    start: NodeSnapshot
    type: str
    over: tuple[str, ...]
    forward: bool
    link: str
    lift: float
    score: float
    factors: dict[str, float]


def snapshot(row: Row) -> NodeSnapshot:
    """Return a node in a row of exploration/starts or exploration/walk_round."""
    content = (row["content"] or "").strip()
    said_or_done = {"Intent", "Consequence"} & set(row["labels"])  # their captions name lines
    weight = 1.0 if row["weight"] is None else float(row["weight"])
    permanence = row["permanence"]
    return NodeSnapshot(
        element_id=row["element_id"],
        id=row["id"],
        label=label_of(row["labels"]),
        kind=kind_of(row["labels"]),
        name=caption(content) if said_or_done and content else row["name"],
        content=content,
        embedding=None,
        weight=weight,
        energy=row["energy"] or 0.0,
        permanence=permanence_of_weight(weight) if permanence is None else permanence,
    )


def in_words(type: str, over: tuple[str, ...], *, text: str = "") -> str:
    """Return in plain words what a hop went over."""
    if type in ("NAME", "WORD"):
        kind = "name" if type == "NAME" else "word"
        return f"shares the {kind} {spelled(over[0], text)}" if over else f"shares a {kind}"
    label = RELATIONSHIPS.get(type, type.lower().replace("_", " "))
    return f"{label}: {over[0]}" if over and over[0] else label


def as_noun(type: str, text: str) -> str:
    """Return in plain words what a relationship between two nodes is."""
    noun = NOUNS.get(type, type.lower().replace("_", " "))
    return f"{noun}: {text}" if text else noun


NOUNS = {
    "LINK": "a link",
    "CAUSES": "cause and effect",
    "ATTEMPTED": "an attempt",
    "SAID": "who said it",
    "PROMPTS": "what prompted it",
    "DESCRIBES": "a memory of a recorded line",
    "CONCERNS": "evidence about a star",
}
RELATIONSHIPS = {
    "SIMILAR": "is much like it",
    "LINK": "is linked with it",
    "CAUSES": "is cause and effect",
    "ATTEMPTED": "is who attempted it",
    "SAID": "is who said it",
    "PROMPTS": "prompted the next attempt",
    "DESCRIBES": "tells of the same recorded line",
    "CONCERNS": "is evidence about a star",
    "QUOTES": "is quoted by it",
}


def spelled(key: str, text: str) -> str:
    """Return a name's key or a word's stem as a text spells it, else as it is."""
    whole = _find_name(key, text)
    return whole if whole is not None else key


def _find_name(key: str, text: str) -> str | None:
    tokens = name_tokens(text)
    length = len(key.split())
    for start in range(len(tokens)):
        run = " ".join(tokens[start : start + length])
        if name_key(run) == key:
            return run.removesuffix("'s").removesuffix("’s")
    return next((token for token in tokens if stem(token.lower()) == key), None)
