"""Page of a guided exploration: where it started, what it found, what joins it, what it wrote."""

from typing import TYPE_CHECKING

from asterism.timestamps import long_date

if TYPE_CHECKING:
    from asterism.exploration.result import Connection, Exploration, Finding

LONGEST = 300


def text_page(exploration: "Exploration", most: int) -> str:
    """Return the exploration as text, with at most so many findings."""
    findings = [each for each in exploration.narratives if each.origin == "recall"]
    others = [each for each in exploration.narratives if each.origin != "recall"]
    hits = {finding.id for finding in findings}
    sections = {
        "Found": [line for each in findings[:most] for line in finding_lines(each)],
        "Joined": [line for each in exploration.connections for line in joined_lines(each)],
        "Found by walking on": [
            line for each in others[:most] for line in path_lines(exploration, each)
        ],
        "Started besides at": [
            f"- {start.label.lower()} {start.name}, which {start.why}"
            for start in exploration.starts
            if start.id not in hits
        ],
        "Narrative": [line for each in exploration.created for line in each.content.splitlines()],
        "What it did": [f"- {sentence}" for sentence in exploration.summary],
    }
    lines = [f"Query: {exploration.query}"]
    if exploration.intention != exploration.query:
        lines.append(f"Intention: {exploration.intention}")
    for title, content in sections.items():
        lines += ["", f"{title}:", *content] if content else []
    return "\n".join(lines)


def finding_lines(finding: "Finding") -> list[str]:
    """Return a finding with its value, date, id and reason."""
    date = f"{long_date(finding.at)}, " if finding.at else ""
    values = f"{finding.query_alignment:.2f} for the question"
    return [f"- {short(finding.content or finding.name)}", f"  {date}{finding.id}: {values}"]


def joined_lines(connection: "Connection") -> list[str]:
    """Return two texts and what joins them."""
    return [
        f"- {short(connection.text_a)}",
        f"  {short(connection.text_b)}",
        f"  joined by: {', '.join(connection.joined_by)}",
    ]


def path_lines(exploration: "Exploration", finding: "Finding") -> list[str]:
    """Return a finding that was walked to, with its path in words."""
    names = {node.id: node.content or node.name for node in exploration.nodes}
    lines = [f"- {short(finding.content or finding.name)}"]
    for path in finding.paths[:1]:
        lines.append(f"  from “{short(names.get(path.start, path.start), 60)}”")
        lines += [
            f"  {step.why}: {short(names.get(step.node, step.name), 60)}" for step in path.steps
        ]
    return lines


def short(text: str, length: int = LONGEST) -> str:
    """Return a text on one line, cut to a length."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
