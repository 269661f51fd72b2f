"""Settings: frozen, from the environment, deaf to no misspelling."""

import pytest
from pydantic import ValidationError

from engine.errors import InvalidInput
from engine.settings import Settings, valid_settings


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
    ("given", "named"),
    [
        ({"locl": {}}, "locl"),
        ({"local": {"heap": 1}}, "local.heap"),
        ({"realms": {"delete_bach": 1}}, "realms.delete_bach"),
        ({"local": {"heap_mb": 5}}, "local.heap_mb"),
        ({"local": {"bolt_port": "x"}}, "local.bolt_port"),
    ],
)
def test_a_wrong_setting_is_named(given: dict[str, object], named: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        valid_settings(given)
    assert refusal.value.argument == named


def test_a_misspelt_setting_is_refused_with_the_right_spelling() -> None:
    with pytest.raises(InvalidInput, match=r"did you mean realms\.delete_batch"):
        valid_settings({"realms": {"delete_bach": 1}})


def test_sections_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Settings().local.heap_mb = 1  # type: ignore[misc]  # mypy refuses it as well


def test_a_part_without_settings_has_an_empty_section() -> None:
    assert Settings().section("inspect") == {}
