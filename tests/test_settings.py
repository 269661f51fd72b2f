"""Settings: frozen, from the environment, deaf to no misspelling."""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from asterism.clock import FixedClock
from asterism.errors import InvalidInput
from asterism.settings import Settings, _sections, valid_settings
from tests.conftest import OpenGraph


def test_defaults_are_there_without_an_environment() -> None:
    assert Settings().local.bolt_port == 7687


def test_the_environment_reaches_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTERISM_LOCAL_HEAP_MB", "2048")
    monkeypatch.setenv("ASTERISM_REALMS_DELETE_BATCH", "7")
    assert Settings().local.heap_mb == 2048
    assert Settings().section("realms") == {"delete_batch": 7}


def test_an_argument_beats_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTERISM_REALMS_DELETE_BATCH", "7")
    assert valid_settings({"realms": {"delete_batch": 9}}).realms.delete_batch == 9


def test_a_misspelt_variable_is_refused_with_the_right_spelling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ASTERISM_LOCAL_HEAPMB", "2048")
    with pytest.raises(InvalidInput, match="did you mean ASTERISM_LOCAL_HEAP_MB"):
        valid_settings(None)


def test_an_unknown_variable_of_ours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTERISM_QQQQQ", "1")
    with pytest.raises(InvalidInput, match="unknown environment variable ASTERISM_QQQQQ"):
        valid_settings(None)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"locl": {}}, "locl"),
        ({"local": {"heap": 1}}, "local.heap"),
        ({"realms": {"delete_bach": 1}}, "realms.delete_bach"),
        ({"local": {"heap_mb": 5}}, "local.heap_mb"),
        ({"local": {"bolt_port": "x"}}, "local.bolt_port"),
    ],
)
def test_a_wrong_setting_is_named(values: dict[str, object], named: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        valid_settings(values)
    assert refusal.value.argument == named


def test_a_misspelt_setting_is_refused_with_the_right_spelling() -> None:
    with pytest.raises(InvalidInput, match=r"did you mean realms\.delete_batch"):
        valid_settings({"realms": {"delete_bach": 1}})


def test_sections_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Settings().local.heap_mb = 1  # type: ignore[misc]  # mypy refuses it as well


def test_a_part_without_settings_has_an_empty_section() -> None:
    assert Settings().section("inspect") == {}


def test_a_map_is_completed_by_its_defaults() -> None:
    stars = valid_settings({"stars": {"star_half_life": {"soul": 60}}}).stars
    assert stars.star_half_life["soul"] == 60
    assert stars.star_half_life["health"] == Settings().stars.star_half_life["health"]


def test_a_map_of_the_environment_is_completed_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTERISM_STARS_STAR_HALF_LIFE", '{"soul": 60}')
    assert valid_settings(None).stars.star_half_life["health"] == 7


@pytest.mark.parametrize(
    ("stars", "named"),
    [
        ({"half_life": {"RESONANZ": 10}}, "stars.half_life"),
        ({"half_life": {"TENSION": 0}}, "stars.half_life.TENSION"),
        ({"daily_strength_cap": float("nan")}, "stars.daily_strength_cap"),
        ({"daily_strength_cap": -1}, "stars.daily_strength_cap"),
        ({"correlation_days": 0}, "stars.correlation_days"),
        ({"spillover": 99}, "stars.spillover"),
        ({"soft_cap": 0}, "stars.soft_cap"),
        ({"soft_cap": 10**30}, "stars.soft_cap"),
        ({"diminishing_factors": []}, "stars.diminishing_factors"),
        ({"evidence_impact": {"user_creates": float("inf")}}, "stars.evidence_impact.user_creates"),
        ({"band_strength": {"STRONG": 0.1}}, "stars"),
        ({"bright_from": 0.4}, "stars"),
    ],
)
def test_a_setting_of_the_stars_outside_its_range_is_refused(
    stars: dict[str, object], named: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        valid_settings({"stars": stars})
    assert refusal.value.argument == named


def test_infinity_is_no_setting_of_any_part() -> None:
    with pytest.raises(InvalidInput, match="finite"):
        valid_settings({"memories": {"buffer_s": float("inf")}})


def _numbers(schema: dict[str, Any], path: str) -> list[tuple[str, dict[str, Any]]]:
    inner = [schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", [])]
    below = [each for one in inner if isinstance(one, dict) for each in _numbers(one, path)]
    return [(path, schema)] * (schema.get("type") in ("number", "integer")) + below


@pytest.mark.parametrize("section", sorted(_sections()))
def test_every_number_has_a_range(section: str) -> None:
    """Its lower end is declared, and Section caps the upper one where the field does not."""
    properties = _sections()[section].model_json_schema()["properties"]
    numbers = [each for name, field in properties.items() for each in _numbers(field, name)]
    assert [
        path for path, each in numbers if not {"minimum", "exclusiveMinimum"} & each.keys()
    ] == []


@pytest.mark.slow
async def test_half_a_map_changes_nothing_else(open_graph: OpenGraph, clock: FixedClock) -> None:
    """A health star still fades by its own half-life of 7 days where only soul was set."""
    graph = await open_graph(settings={"stars": {"star_half_life": {"soul": 60}}})
    await graph.stars.add("Sleep", id="sleep", domain="health", brightness=0.4)
    clock.advance(days=2)
    await graph.stars.close_day(clock.now().date() - timedelta(days=1))
    decay = 0.4 * (1 - 0.5 ** (1 / 7)) * (0.4 - 0.05) / (1 - 0.05)
    assert (await graph.stars.get("sleep")).brightness == pytest.approx(0.4 - decay)
