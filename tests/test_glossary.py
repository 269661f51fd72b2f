"""The glossary has every word that the graph and the code use for themselves."""

import re
from pathlib import Path

from asterism import statements
from asterism.exploration.models import State as WalkState
from asterism.graph import Graph

GLOSSARY = Path("docs/glossary.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^\| (.+?) \| .+ \|$", GLOSSARY, re.MULTILINE)
WORDS = {word.strip() for entry in ENTRIES for word in re.split(r"[,(]", entry)}
CURSOR = re.compile(r":Cursor \{realm: \$realm, id: '([^']+)'")


def test_no_word_is_explained_twice() -> None:
    assert sorted({entry for entry in ENTRIES if ENTRIES.count(entry) > 1} - {"word", "id"}) == []


def test_every_part_of_a_graph_is_named() -> None:
    [parts] = re.findall(r"^\| part \| (.+) \|$", GLOSSARY, re.MULTILINE)
    assert {part for part in Graph.__annotations__ if part not in parts} == {"embedding"}


def test_every_state_of_a_walk_is_explained() -> None:
    assert [state.value for state in WalkState if state.value not in WORDS] == []


def test_every_cursor_is_explained() -> None:
    ids = {id for name in statements.names() for id in CURSOR.findall(statements.load(name).text)}
    documented = [entry.strip("`") for entry in ENTRIES if entry.startswith("`")]
    assert sorted(id for id in ids if not any(entry.startswith(id) for entry in documented)) == []
