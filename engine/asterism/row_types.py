"""Registry of row types: `row_of` says which class has the columns of a statement."""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")

ROW_TYPES: dict[str, tuple[type, frozenset[str]]] = {}


def row_of(*names: str, besides: Iterable[str] = ()) -> Callable[[type[T]], type[T]]:
    """Declare a class as the type of the rows of these statements, which a test compares.

    Its fields are the columns, and those `besides` that the code fills in.
    """

    def register(row_type: type[T]) -> type[T]:
        ROW_TYPES.update(dict.fromkeys(names, (row_type, frozenset(besides))))
        return row_type

    return register
