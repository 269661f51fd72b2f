"""The package has layers without cycles, and the page about it shows the code of today."""

import pytest

from docs.architecture import (
    ANCHORS,
    GRAPH,
    PAGE,
    SIZES,
    between,
    cycle,
    graph_text,
    measure,
    module_imports,
    modules,
    percentile,
    size_figures,
    unit_imports,
)

SOURCES = modules()
MEASURED = measure(SOURCES)
TEXT = PAGE.read_text(encoding="utf-8")


def test_no_package_imports_itself_through_others() -> None:
    assert cycle(unit_imports(SOURCES)) == []


def test_no_module_imports_itself_through_others() -> None:
    assert cycle(module_imports(SOURCES)) == []


def test_a_cycle_is_found_where_there_is_one() -> None:
    assert set(cycle({"graph": {"job"}, "job": {"clock", "graph"}, "clock": set()})) == {
        "graph",
        "job",
    }


def test_the_import_graph_on_the_page_is_that_of_the_code() -> None:
    assert between(TEXT, GRAPH) == graph_text(SOURCES), "run `make docs`"


@pytest.mark.parametrize("row", ANCHORS)
def test_the_sizes_on_the_page_are_near_those_of_the_code(row: str) -> None:
    [line] = [line for line in between(TEXT, SIZES).splitlines() if line.startswith(f"| {row} ")]
    figures = line.split("|")[2].strip(" *").replace(",", "").split(" / ")
    counted = size_figures(MEASURED)[row].replace(",", "").split(" / ")
    for figure, now in zip(figures, counted, strict=True):
        assert float(figure) == pytest.approx(float(now), rel=0.1, abs=0.2), "run `make docs`"


def test_functions_and_files_stay_short() -> None:
    assert percentile(MEASURED.function_lines, 0.5) <= 7
    assert percentile(MEASURED.function_lines, 0.95) <= 23
    assert percentile(MEASURED.file_lines, 0.5) <= 130
    assert max(MEASURED.file_lines) <= 430  # the class that lists every method of memories
