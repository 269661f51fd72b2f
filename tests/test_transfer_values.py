"""Values and lines of an exported realm, without a database."""

import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asterism import schema
from asterism.realm_names import realm_key
from asterism.search_index import tag_keys
from asterism.settings import TransferSettings
from asterism.transfer import rows
from asterism.transfer.load import _batches
from asterism.transfer.property_values import TIMES, decode, encode
from asterism.transfer.realm_file import check_file
from benchmarks import transfer

WHOLE = st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(allow_nan=True, allow_infinity=True)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
ONE = st.one_of(WHOLE, REAL, TEXT, st.booleans())
LIST = st.one_of(*(st.lists(kind, max_size=4) for kind in (WHOLE, REAL, TEXT, st.booleans())))
SINGLE = st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1)
NAMES = TEXT.filter(
    lambda name: name not in ("realm", "realm_key", "tag_keys", "tags", "embedding")
)


def there_and_back(properties: dict[str, Any], realm: str = "ada", to: str = "ada") -> Any:
    """Through a line of a file, as it is read again."""
    return decode(json.loads(rows.line(encode(properties, realm))), to)


def bits(value: Any) -> Any:
    """A value with its type, and a fraction by its bits, all NaN being one."""
    if isinstance(value, list):
        return [bits(item) for item in value]
    if isinstance(value, float):
        return float, "nan" if math.isnan(value) else struct.pack("<d", value)
    return type(value), value


@given(st.dictionaries(NAMES, st.one_of(ONE, LIST)))
def test_what_goes_in_comes_out_with_its_types_and_bits(properties: dict[str, Any]) -> None:
    values = there_and_back(properties)
    assert (values.times, values.vectors) == ([], [])
    assert {k: bits(v) for k, v in values.properties.items()} == {
        k: bits(v) for k, v in properties.items()
    }


@given(SINGLE)
def test_a_vector_of_single_precision_keeps_its_bits(vector: list[float]) -> None:
    values = there_and_back({"embedding": vector})
    assert values.properties == {}
    [encoded] = values.vectors
    assert np.array(encoded["values"].to_native()).tobytes() == np.array(vector).tobytes()


def test_a_list_that_single_precision_would_change_is_no_vector() -> None:
    assert there_and_back({"embedding": [0.1, 0.2]}).properties == {"embedding": [0.1, 0.2]}


def test_what_names_the_realm_names_the_other_one_afterwards() -> None:
    properties = {"realm": "ada", "realm_key": realm_key("ada"), "tags": ["b", "a"], "x": "ada"}
    properties["tag_keys"] = tag_keys("ada", ["a", "b"])
    assert b"ada" not in rows.line(encode({"realm": "ada"}, "ada"))
    decoded = there_and_back(properties, to="bob").properties
    assert decoded == {
        "realm": "bob",
        "realm_key": realm_key("bob"),
        "tags": ["b", "a"],
        "x": "ada",
        "tag_keys": tag_keys("bob", ["a", "b"]),
    }


@pytest.mark.parametrize(("kind", "name"), TIMES.items())
def test_times_stay_the_text_they_are(kind: str, name: str) -> None:
    properties = {
        "one": {"type": f"{kind} NOT NULL", "text": "a"},
        "many": {"type": f"LIST<{kind} NOT NULL> NOT NULL", "texts": ["a", "b"]},
    }
    assert there_and_back(properties).times == [
        {"key": "many", "kind": name, "many": True, "texts": ["a", "b"]},
        {"key": "one", "kind": name, "many": False, "texts": ["a"]},
    ]


@pytest.mark.parametrize("value", [{"type": "POINT NOT NULL", "text": "x"}, b"bytes", None])
def test_what_no_part_writes_is_refused_by_its_name(value: Any) -> None:
    with pytest.raises(ValueError, match="place is a"):
        encode({"place": value}, "ada")


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"datetime": 1},
        {"datetime": []},
        {"datetime": "x", "date": "y"},
        {"float": "1.5"},
        {"realm": "y"},
        {"vector": "!"},
        {"vector": ""},
        {"vector": "AAAA"},
        {"century": "x"},
        [[1]],
        [None],
        [1, "x"],
        [1, 1.5],
        2**63,
    ],
)
def test_what_is_no_value_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        decode({"x": value}, "ada")


def test_keys_of_tags_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="tag_keys is"):
        decode({"tag_keys": {"realm": "tag_keys"}}, "ada")


def test_relationships_that_take_turns_in_a_file_go_to_the_server_by_kind(tmp_path: Path) -> None:
    file = tmp_path / "realm.jsonl"
    lines = transfer.file(file, 60)
    source = check_file(file, "ada", schema.version(), lambda done, total: None)
    batches = list(_batches(source, TransferSettings()))
    kinds = [kind for kind, _ in batches]
    assert kinds[0] is None
    assert len(set(kinds)) == len(kinds)
    assert sum(len(batch) for _, batch in batches) == lines - 1  # the realm's own is not among them
    small = list(_batches(source, TransferSettings(batch=7, batch_bytes=9_000)))
    assert max(len(batch) for _, batch in small) == 7
    assert [kind is None for kind, _ in small] == sorted(
        (k is None for k, _ in small), reverse=True
    )
    for kind in kinds:
        rows_of_kind = [row for k, batch in small if k == kind for row in batch]
        assert len(rows_of_kind) == sum(len(batch) for k, batch in batches if k == kind)
