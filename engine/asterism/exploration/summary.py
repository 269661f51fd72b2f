"""Summary of an exploration in plain sentences."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asterism.exploration.result import Connection, Exploration

SHOWN = 3
EXCERPT = 100


def summary(exploration: "Exploration") -> list[str]:
    """Return where it started and why, what it found, what joins it, and what it wrote."""
    if exploration.mode == "literal":
        return _literal(exploration)
    return [
        *_starts(exploration),
        *_findings(exploration),
        *(f"{_names(each)}: joined by {', '.join(each.joined_by)}" for each in _joins(exploration)),
        *_writes(exploration),
    ]


def _literal(exploration: "Exploration") -> list[str]:
    count = sum(finding.status != "created" for finding in exploration.narratives)
    first = f"started at {exploration.start} and found {count} narratives or memories"
    return [f"{first} in {exploration.hops} hops", *_writes(exploration)]


def _starts(exploration: "Exploration") -> list[str]:
    hits = {each.id for each in exploration.narratives if each.origin == "recall"}
    others = [start for start in exploration.starts if start.id not in hits]
    recalled = len(exploration.starts) - len(others)
    lines = [f"started at the {recalled} best memories for the question"] if recalled else []
    return lines + [
        f"started at {start.label.lower()} {start.name}: it {start.why}" for start in others
    ]


def _findings(exploration: "Exploration") -> list[str]:
    first = sum(each.origin == "recall" for each in exploration.narratives)
    more = len(exploration.narratives) - first
    lines = [f"found {first} in the order of recall, and {more} more by walking"]
    return lines if exploration.narratives else ["found nothing: " + exploration.why_empty[0]]


def _joins(exploration: "Exploration") -> tuple["Connection", ...]:
    return exploration.connections[:SHOWN]


def _names(connection: "Connection") -> str:
    return f"{_short(connection.text_a)} + {_short(connection.text_b)}"


def _writes(exploration: "Exploration") -> list[str]:
    changes = exploration.changes
    verb = "wrote" if exploration.committed else "would write"
    lines = [f"{verb} energy to {len(changes.nodes)} nodes"] if changes.nodes else []
    if changes.links:
        lines.append(f"{verb} colours to {len(changes.links)} links")
    lines += [f"{verb} the narrative “{_short(each.name)}”" for each in exploration.created]
    lines += ["used a narrative that was there already" for _ in exploration.reused]
    return lines or [f"{verb} nothing"]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"
