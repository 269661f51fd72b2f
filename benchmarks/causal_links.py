"""Causal links against labels: precision and recall by line gap and language, of two halves.

A link is right if its consequence is an outcome of its intent in data/causal_links.json.
Precision is the share of right links, recall the share of answered intents that got a right one.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from asterism.causality import CausalLink, CausalParams, Transcript, extract
from asterism.causality.transcripts import readers
from benchmarks.table import Measurement, publish

ROOT = Path(__file__).parent.parent
LABELS = Path(__file__).parent / "data" / "causal_links.json"
HALVES = ("tune", "test")
GAPS = {"1": 1, "2-4": 4, "5-8": 8}


@dataclass
class Quality:
    """Counts of links and of answered intents, each by line gap, language, session and speaker."""

    links: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    throws: Counter[bool] = field(default_factory=Counter)  # whether skill and number are right

    @property
    def precision(self) -> float:
        return self.right["all"] / self.links["all"]

    @property
    def recall(self) -> float:
        return self.reached["all"] / self.answered["all"]


@cache
def labelled_sessions() -> list[dict[str, Any]]:
    """Return the sessions with their labels."""
    sessions: list[dict[str, Any]] = json.loads(LABELS.read_text(encoding="utf-8"))["sessions"]
    return sessions


@cache
def transcript(name: str) -> Transcript:
    """Return the lines of a labelled session."""
    [session] = [each for each in labelled_sessions() if each["session"] == name]
    lines = readers.read(ROOT / session["file"])
    return Transcript.of({"session_id": name, "lines": lines, "dm": session["dm"]})


def measure(params: CausalParams, half: str) -> Quality:
    """Count the links and the answered intents of one half."""
    quality = Quality()
    for session in labelled_sessions():
        links = extract(transcript(session["session"]), params).links
        claimed = {link.intent_anchor_index: link for link in links if link.claimed}
        labels = {label["intent"]: label for label in session["labels"]}
        for line in sorted(claimed.keys() | labels.keys()):
            if (line >= session["test_from"]) == (half == "test"):
                groups = (session["session"], f"language {session['language']}")
                _count(quality, groups, claimed.get(line), labels.get(line))
    return quality


def _count(
    quality: Quality,
    groups: tuple[str, str],
    link: CausalLink | None,
    label: dict[str, Any] | None,
) -> None:
    outcomes = label["outcomes"] if label else []
    right = link is not None and link.consequence_anchor_index in outcomes
    if link:
        for group in _groups(groups, link.intent_anchor_index, link.line_gap or 0):
            quality.links[group] += 1
            quality.right[group] += right
    if label and outcomes:
        for group in _groups(groups, label["intent"], min(outcomes) - label["intent"]):
            quality.answered[group] += 1
            quality.reached[group] += right
    if label and link and "number" in label:
        spoken = (label.get("skill"), label["number"])
        quality.throws[(link.throw_skill, link.throw_number) == spoken] += 1


def _groups(groups: tuple[str, str], line: int, gap: int) -> Iterator[str]:
    session, language = groups
    reach = next((name for name, last in GAPS.items() if gap <= last), "beyond")
    speaker = next(x.author_name for x in transcript(session).lines if x.line_index == line)
    yield from ("all", f"gap {reach}", language, session, f"{session}, {speaker}")


def table(name: str, quality: Quality) -> list[Measurement]:
    """Return precision and recall in all, by gap, language, session and speaker."""
    groups = ["all", *(f"gap {gap}" for gap in GAPS), "gap beyond"]
    groups += sorted(set(quality.links | quality.answered) - set(groups))
    lines = []
    for group in groups:
        links, answered = quality.links[group], quality.answered[group]
        right, reached = quality.right[group], quality.reached[group]
        if links:
            comment = f"{right} of {links} links"
            lines.append(Measurement(f"{name}, {group}: precision", right / links, "", comment))
        if answered:
            comment = f"{reached} of {answered} answered intents"
            lines.append(Measurement(f"{name}, {group}: recall", reached / answered, "", comment))
    total = quality.throws.total()
    comment = f"{quality.throws[True]} of {total} throws"
    share = quality.throws[True] / total
    return [*lines, Measurement(f"{name}: skill and number", share, "", comment)]


def main() -> None:
    lines: list[Measurement] = []
    for name, params in {"default": CausalParams(), "literal": CausalParams.literal()}.items():
        for half in HALVES:
            lines += table(f"{name}, {half}", measure(params, half))
    publish("causal_links", lines)


if __name__ == "__main__":
    main()
