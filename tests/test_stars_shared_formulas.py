"""Formulas and names that several statements and modules spell out agree. No database needed."""

import re
from pathlib import Path

import pytest

from asterism import statements
from asterism.settings.stars import StarsSettings
from asterism.stars.models import ConnectionType
from asterism.transfer import data_model

TYPE_LIST = re.compile(r"[A-Z_]+(?:\|[A-Z_]+){3,}")


def body(name: str) -> str:
    """Return a statement's code on one line, with the variables of both ends named alike."""
    text = re.sub(r"//[^\n]*", "", statements.load(f"stars/{name}").text)
    return re.sub(r"\s+", " ", text)


def section(name: str, start: str, end: str) -> str:
    """Return the code from one text to the next occurrence of another."""
    text = body(name)
    first = text.index(start)
    return text[first : text.index(end, first)]


def test_sweep_and_recompute_have_the_same_ladder_of_states() -> None:
    ladders = [
        section(name, "WHEN strength + 1e-9 >= min_strength.STRONG", " END")
        for name in ("sweep", "recompute_connections")
    ]
    assert ladders[0] == ladders[1]
    assert ladders[0].count("WHEN") == 4


def test_sweep_and_recompute_have_the_same_effective_evidence() -> None:
    sums = [
        section(name, "coll.min([ $settings.evidence_cap", "])") + "])"
        for name in ("sweep", "recompute_connections")
    ]
    assert sums[0] == sums[1]
    for name in ("sweep", "recompute_connections"):
        assert "full_from = $day - $settings.evidence_full_days" in body(name)
        assert "half_from = $day - $settings.evidence_half_days" in body(name)


def test_sweep_and_recompute_have_the_same_confidence() -> None:
    stored = section("sweep", "CASE link.type_source", " )")
    computed = section("recompute_connections", "CASE link.type_source", ", holds")
    assert stored.replace("coalesce(link.irregularity, 0.0)", "irregularity") == computed


def test_recompute_and_update_blocks_have_the_same_rule_of_blocks() -> None:
    rule = "strength + 1e-9 >= $settings.block_release AND (coalesce(link.block_active, false) OR "
    assert f"link.{rule}link.state_rank >= 3)" in body("update_blocks")
    assert f"{rule}rank >= 3)" in body("recompute_connections")


def test_the_close_and_the_end_of_a_block_have_the_same_ceiling() -> None:
    ceiling = "1.0 - $settings.block_factor * coalesce(max(block.strength), 0.0) AS ceiling"
    holds = "WHERE block.block_active AND blocker.state <> 'DORMANT' AND star.state <> 'DORMANT'"
    for name in ("apply_own_day", "lift_blocks"):
        assert ceiling in body(name)
        assert holds in body(name)


@pytest.mark.parametrize(
    "formula",
    [
        "moved * $settings.spillover * strength * CASE WHEN moved > 0 THEN 1.0 ELSE "
        "$settings.falling_factor END",
        "moved > $settings.tension_activation + 1e-9 THEN moved * $settings.tension_drain "
        "* strength",
        "THEN $settings.shadow_drain * strength * coll.min([1.0 - ",
    ],
)
def test_effects_and_influences_have_the_same_effects_of_a_neighbour(formula: str) -> None:
    assert formula in body("apply_effects")
    assert formula in body("influences")


def test_every_list_of_connection_types_names_all_six() -> None:
    six = set(ConnectionType)
    statements_with_lists = 0
    for path in statements.folder().glob("stars/*.cypher"):
        lists = [set(text.split("|")) for text in TYPE_LIST.findall(path.read_text())]
        statements_with_lists += bool(lists)
        assert all(types == six for types in lists), path.name
    assert statements_with_lists > 20
    model = data_model.load().relationships
    assert six <= model.keys()
    for name in ("half_life", "base_confidence"):
        assert set(StarsSettings.model_fields[name].default) == six
    style = Path("docs/browser/asterism.grass").read_text()
    assert all(f"relationship.{type}" in style for type in six)
