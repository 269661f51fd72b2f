"""Types of rows have the columns that their statements return."""

import pkgutil
from importlib import import_module

import pytest

import asterism
from asterism import statements
from asterism.row_types import ROW_TYPES

for module in pkgutil.walk_packages(asterism.__path__, "asterism."):
    if not module.name.endswith("__main__"):
        import_module(module.name)

UNDECLARED = (
    "inspect/",  # for people
    "consolidation/consolidate",  # for schedulers
)


@pytest.mark.parametrize("name", sorted(ROW_TYPES))
def test_a_row_type_has_the_columns_of_its_statement(name: str) -> None:
    row_type, besides = ROW_TYPES[name]
    fields = set(getattr(row_type, "model_fields", row_type.__annotations__))
    assert besides <= fields, row_type.__name__
    assert fields - besides == set(statements.load(name).returns), row_type.__name__


def test_every_row_of_three_columns_has_a_type() -> None:
    wide = {name for name in statements.names() if len(statements.load(name).returns) > 2}
    assert [n for n in sorted(wide - ROW_TYPES.keys()) if not n.startswith(UNDECLARED)] == []
