"""The style sheet of Browser, and that everything draws with it. No database needed."""

import re
from pathlib import Path

import pytest

from asterism import statements
from asterism.view import style_sheet

RULES = style_sheet.rules()
LABELS = {label for rule in RULES if rule.target == "node" for label in rule.labels}
TYPES = {type for rule in RULES if rule.target == "relationship" for type in rule.labels}
COLOUR = re.compile(r"#[0-9A-F]{6}")


def created() -> tuple[set[str], set[str]]:
    """Every label and every type that a statement matches or writes."""
    bodies = [statements.load(name).body for name in statements.names()]
    bodies_without_maps = [re.sub(r"\{[^{}]*\}", "", body) for body in bodies]
    nodes = [
        match
        for body in bodies_without_maps
        for match in re.findall(r"\((?:\w+)?:([\w|&:]+)", body)
    ]
    joined = [
        match
        for body in bodies_without_maps
        for match in re.findall(r"\[(?:\w+)?:([\w|\s]+)", body)
    ]
    words = re.compile(r"[A-Za-z_]\w*")
    return (
        {word for match in nodes for word in words.findall(match)},
        {word for match in joined for word in words.findall(match)},
    )


def test_every_label_and_type_of_the_graph_has_a_rule() -> None:
    labels, types = created()
    assert len(labels) > 20
    assert len(types) > 20
    assert labels - LABELS == set()
    assert types - TYPES == set()


def test_a_state_colours_a_star_and_leaves_its_size() -> None:
    bright, dark = (
        style_sheet.node_style(["Star", "Bright"]),
        style_sheet.node_style(["Star", "Dark"]),
    )
    assert bright.size == dark.size == style_sheet.node_style(["Star"]).size
    assert len({look.color for look in (bright, dark, style_sheet.node_style(["Star"]))}) == 3
    assert (
        style_sheet.node_style(["Memory", "Text", "Archived"]).color
        == style_sheet.node_style(["Archived"]).color
    )
    assert style_sheet.node_style(["Dark", "Star"]) == dark


def test_a_label_without_a_rule_looks_plain() -> None:
    assert style_sheet.node_style(["Nothing"]).color == "#A5ABB6"
    assert style_sheet.relationship_style("NOTHING").size == 1.0


def test_captions_can_be_read_on_their_colour() -> None:
    for rule in RULES:
        if rule.target == "node" and rule.labels:
            look = style_sheet.node_style(rule.labels)
            assert _contrast(look.color, look.text) >= 4.5, rule.labels


def test_browser_reads_the_sheet_as_it_is_read_here() -> None:
    """Browser's own reading, by hand: quotes hide braces, everything else is taken literally."""
    text = style_sheet.path().read_text()
    sheet: dict[str, dict[str, str]] = {}
    selector = body = ""
    inside = quoted = False
    for letter in text:
        if letter == '"':
            quoted = not quoted
        if letter in "{}" and not quoted:
            if inside:
                pairs = [line.split(":") for line in body.split(";")]
                sheet[selector] = {p[0].strip(): p[1].strip(' "\n') for p in pairs if len(p) == 2}
                selector = body = ""
            inside = not inside
        elif inside:
            body += letter
        elif not letter.isspace():
            selector += letter
    mine = {".".join([rule.target, *rule.labels]): rule.properties for rule in RULES}
    plain = {name: {k: v.strip("{}<>") for k, v in rule.items()} for name, rule in sheet.items()}
    assert {n: {k: v.strip("{}<>") for k, v in r.items()} for n, r in mine.items()} == plain


def test_colours_stand_in_the_sheet_and_nowhere_else() -> None:
    looks = [style_sheet.node_style([label]) for label in LABELS] + [
        style_sheet.relationship_style(t) for t in TYPES
    ]
    assert all(COLOUR.fullmatch(look.color) for look in looks)
    drawing = [
        *Path("engine/asterism/view").glob("*.py"),
        Path("engine/asterism/exploration/render.py"),
    ]
    used = {colour for file in drawing for colour in COLOUR.findall(file.read_text())}
    assert used & {look.color for look in looks} == set()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: "-".join([rule.target, *rule.labels]))
def test_every_rule_says_colour_and_caption(rule: style_sheet.Rule) -> None:
    assert rule.properties.keys() >= {"color", "caption", "text-color-internal"}


def _contrast(a: str, b: str) -> float:
    low, high = sorted((_light(a), _light(b)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
