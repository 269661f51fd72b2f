"""The README's way from a method to its module, statement and test is true."""

import pytest

from docs.architecture import between
from docs.requests import PAGE, TABLE, Request, requests, table


@pytest.fixture(scope="module")
def rows() -> list[Request]:
    """Every public method, read when a test wants it: each worker imports this file."""
    return requests()


@pytest.mark.slow
def test_nine_of_ten_methods_keep_the_rule(rows: list[Request]) -> None:
    breaking = [f"{request}: {', '.join(request.misses)}" for request in rows if request.misses]
    print(*breaking, sep="\n")
    assert len(breaking) <= len(rows) / 10, "\n".join(breaking)


@pytest.mark.slow
def test_every_method_of_a_part_is_called_by_a_test(rows: list[Request]) -> None:
    uncalled = [str(request) for request in rows if not request.test]
    assert len(uncalled) <= len(rows) / 20, uncalled


@pytest.mark.slow
def test_the_page_lists_the_methods_of_today(rows: list[Request]) -> None:
    assert between(PAGE.read_text(encoding="utf-8"), TABLE) == table(rows), "run `make docs`"
