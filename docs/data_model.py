"""Data model page: `python -m docs.data_model` writes docs/data-model.md from its sources.

The sources are transfer/data_model.toml (types and meanings), the schema (constraints and indexes)
and the statements (who writes what).
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from asterism import statements
from asterism.statements import Access, Statement
from asterism.transfer.data_model import FILE

PAGE = Path(__file__).with_name("data-model.md")
INTRODUCTION = """\
# Data model

Every label, relationship type and property that Asterism writes, for queries of your own in Neo4j
Browser. `python -m docs.data_model` writes this page from `transfer/data_model.toml`, the schema
and the statements. Exports and imports check every node and relationship against the same model.

A property with `!` is always there. Types: text, truth (true or false), whole (number), number,
time (with its zone), vector, lists of them (texts, wholes, truths, numbers), and realm, which is
what an import into another realm changes; count, dimensions and finite are numbers in a range.
"Written by" names the statements that set the property by its name, or else those that copy a whole
map of properties, marked by an asterisk. Every node has `realm`, the realm it belongs to.
"""
BOUND = re.compile(r"[(\[](\w+):([A-Za-z_|]+)")
CLAUSE = re.compile(
    r"\bSET\b(.*?)(?=\b(?:SET|WITH|MATCH|OPTIONAL|CALL|RETURN|MERGE|CREATE|DELETE|REMOVE|FOREACH"
    r"|UNWIND|LET|FILTER|ON)\b|$)",
    re.DOTALL,
)
ASSIGNED = re.compile(r"(?:^|[\s,(|])(\w+)\.`?(\w+)`? =(?!=| null\b)")
CREATED = re.compile(r"(?:CREATE|MERGE)[^\n]*?[(\[](\w*):([A-Za-z_|]+)\s*\{(.*?)\}", re.DOTALL)
COPIED = re.compile(r"SET (\w+) \+?= \w+ \{([^}]*)\}")
MAPPED = re.compile(r"(?:SET\s+|,\s*)(\w+) \+?= ")
KEYS = re.compile(r"(?:^|[\s,{])`?(\w+)`?:")
LITERAL = re.compile(r"'(?:\\.|[^'\\])*'")
PROPERTY = re.compile(r'^(\w+) = "([\w!]+)"(?:\s+# (.*))?$', re.MULTILINE)
RULE = re.compile(r"(?:CONSTRAINT|INDEX) (\w+) IF NOT EXISTS\s+FOR (.*)", re.DOTALL)

Writers = Mapping[str, Mapping[str, list[str]]]


def writing_statements() -> Iterator[Statement]:
    """Yield every statement that writes, but for the schema's."""
    for name in statements.names():
        statement = statements.load(name)
        if not name.startswith("schema/") and statement.access is not Access.READ:
            yield statement


def kinds_by_variable(body: str) -> dict[str, set[str]]:
    """Return the labels and types that a statement binds to each variable."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for variable, names in BOUND.findall(body):
        kinds[variable] |= set(names.split("|"))
    return kinds


def assignments(statement: Statement) -> Iterator[tuple[set[str], str]]:
    """Yield labels or types, as far as the statement names them, and each property it sets.

    A property that it removes again is left out.
    """
    body = LITERAL.sub("''", re.sub(r"//[^\n]*", "", statement.text))
    kinds = kinds_by_variable(body)
    for clause in CLAUSE.finditer(body):
        for variable, name in ASSIGNED.findall(clause[1]):
            if variable != "row" and not re.search(rf"REMOVE[^\n]*\b{variable}\.{name}\b", body):
                yield kinds[variable], name
    yield from (
        (kinds[variable], name)
        for variable, copied in COPIED.findall(body)
        for name in re.findall(r"\.(\w+)", copied)
    )
    for _, names, properties in CREATED.findall(body):
        for name in KEYS.findall(properties):
            yield {names}, name


def writers() -> Writers:
    """Return the statements that set each property, by label or type, and under "" whole maps."""
    by_kind: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for statement in writing_statements():
        pairs = {(kind, name) for kinds, name in assignments(statement) for kind in kinds}
        body = LITERAL.sub("''", re.sub(r"//[^\n]*", "", statement.text))
        bound = kinds_by_variable(body)
        pairs |= {(kind, "") for variable in MAPPED.findall(body) for kind in bound[variable]}
        for kind, name in pairs:
            by_kind[kind][name].append(statement.name)
    return by_kind


def rules() -> dict[str, list[str]]:
    """Return the constraints and indexes of each label or type, in words."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for name in statements.migrations():
        statement = statements.load(name)
        if match := RULE.search(statement.body):
            kinds = re.search(r":([\w|]+)", match[2])
            properties = dict.fromkeys(re.findall(r"\b\w\.(\w+)", match[2]))
            sort = "unique" if "IS UNIQUE" in match[2] else "index"
            for kind in kinds[1].split("|") if kinds else ():
                by_kind[kind].append(f"{sort} `{match[1]}` ({', '.join(properties)})")
    return by_kind


def page() -> str:
    """Return the whole page."""
    text = FILE.read_text(encoding="utf-8")
    sections = re.split(r"^\[\[(?:nodes|relationships)\]\]$", text, flags=re.MULTILINE)[1:]
    document = tomllib.loads(text)
    entries = [*document["nodes"], *document["relationships"]]
    all_writers, all_rules = writers(), rules()
    parts = [INTRODUCTION, "## Nodes\n"]
    for number, (entry, section) in enumerate(zip(entries, sections, strict=True)):
        if number == len(document["nodes"]):
            parts.append("## Relationships\n")
        kinds = entry.get("labels") or entry["types"]
        meanings = {name: (type, why) for name, type, why in PROPERTY.findall(section)}
        parts.append(_entry(entry, kinds, meanings, all_writers, all_rules))
    return "\n".join(parts)


def _entry(
    entry: Mapping[str, Any],
    kinds: list[str],
    meanings: Mapping[str, tuple[str, str]],
    all_writers: Writers,
    all_rules: Mapping[str, list[str]],
) -> str:
    lines = [f"### {', '.join(kinds)}", ""]
    if "from" in entry:
        lines += [f"From {', '.join(entry['from'])} to {', '.join(entry['to'])}.", ""]
    others = [labels for labels in entry.get("beside", []) if labels]
    if others:
        lines += [f"With one of: {', '.join(others)}.", ""]
    if "like" in entry:
        lines += [f"With the properties of {entry['like']} as well.", ""]
    for kind in kinds:
        lines += [f"- {kind}: {rule}" for rule in all_rules.get(kind, [])]
    lines += [""] if any(kind in all_rules for kind in kinds) else []
    if "properties" not in entry:
        return "\n".join(lines)
    lines += ["| property | type | meaning | written by |", "|---|---|---|---|"]
    for name in entry["properties"]:
        type, meaning = meanings[name]
        who = sorted({each for kind in kinds for each in all_writers[kind][name]})
        copies = sorted({each for kind in kinds for each in all_writers[kind][""]})
        names = ", ".join(f"`{each}`" for each in who or copies) or "a map with labels of its own"
        mark = " *" if copies and not who else ""
        lines.append(f"| `{name}` | {type} | {meaning} | {names}{mark} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
