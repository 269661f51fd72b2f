"""The README's way from a method to its module, statement and test is true."""

from docs.architecture import between
from docs.requests import PAGE, TABLE, requests, table

REQUESTS = requests()


def test_nine_of_ten_methods_keep_the_rule() -> None:
    breaking = [f"{request}: {', '.join(request.misses)}" for request in REQUESTS if request.misses]
    print(*breaking, sep="\n")
    assert len(breaking) <= len(REQUESTS) / 10, "\n".join(breaking)


def test_every_method_of_a_part_is_called_by_a_test() -> None:
    uncalled = [str(request) for request in REQUESTS if not request.test]
    assert len(uncalled) <= len(REQUESTS) / 20, uncalled


def test_the_page_lists_the_methods_of_today() -> None:
    assert between(PAGE.read_text(encoding="utf-8"), TABLE) == table(REQUESTS), "run `make docs`"
