"""Checks of arguments that several parts share."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pydantic import BaseModel, Field, ValidationError

from asterism import validation
from asterism.errors import InvalidInput


class Item(BaseModel):
    """Something with a size in it."""

    sizes: dict[str, int] = Field(default_factory=dict)


def test_a_refusal_names_the_first_wrong_field_and_shows_its_value() -> None:
    with pytest.raises(InvalidInput, match=r"items\[2\]\.sizes\.width='wide': Input should be"):
        validation.parse_model(Item, {"sizes": {"width": "wide"}}, "items[2].")
    with pytest.raises(InvalidInput, match="item=7: Input should be"):
        validation.parse_model(Item, 7)


def test_an_instance_of_the_model_passes_as_it_is() -> None:
    item = Item(sizes={"width": 1})
    assert validation.parse_model(Item, item) is item


def test_a_refusal_of_a_rule_of_ours_lacks_the_libraries_preamble() -> None:
    with pytest.raises(ValidationError) as caught:
        Item.model_validate({"sizes": 3})
    assert "Value error" not in str(validation.refusal(caught.value))


@pytest.mark.parametrize("value", [0, 11, True, 1.0, "1", None])
def test_a_whole_number_outside_its_range_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"limit=.*: give a whole number from 1 to 10"):
        validation.require_whole("limit", value, 1, 10)


@pytest.mark.parametrize("value", [math.nan, math.inf, -1, 10**400, False, "1"])
def test_a_number_that_is_not_finite_or_outside_its_range_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"size=.*: give a finite number from 0"):
        validation.require_finite("size", value, 0)


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (partial(validation.require_text, "name"), " "),
        (partial(validation.require_text, "name"), "\ud800"),
        (partial(validation.require_flag, "name"), 1),
    ],
)
def test_what_is_no_text_or_no_flag_is_refused(check: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(InvalidInput, match="name="):
        check(value)


def test_what_is_in_order_is_returned() -> None:
    assert validation.require_whole("limit", 3) == 3
    assert validation.require_finite("size", 2) == 2.0
    assert validation.require_text("name", "Ada") == "Ada"
    assert validation.require_flag("deep", False) is False
