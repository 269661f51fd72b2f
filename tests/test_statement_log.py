"""Statements at work are seen in log entries and spans, without any text."""

import logging
from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from asterism.errors import AsterismError
from asterism.graph import Graph
from asterism.settings import StatementsSettings
from tests.conftest import OpenGraph

SECRET = "Lyra keeps the key under the stair"


@pytest.fixture(scope="module")
def exporter() -> InMemorySpanExporter:
    """The spans of this process."""
    provider, spans = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    trace.set_tracer_provider(provider)
    return spans


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> Iterator[InMemorySpanExporter]:
    exporter.clear()
    yield exporter
    exporter.clear()


@pytest.mark.slow
async def test_a_statement_is_logged_with_realm_rows_and_time(
    graph: Graph, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "asterism"):
        await graph.memories.remember(SECRET, id="stair")
        await graph.recall.find(SECRET)
    records = [each for each in caplog.records if each.name == "asterism.statements"]
    names = {vars(each)["statement"] for each in records}
    assert {"memories/remember", "memories/get", "recall/prepare", "recall/find"} <= names
    assert {vars(each)["realm"] for each in records} == {graph.realm}
    assert all(vars(each)["milliseconds"] > 0 for each in records)
    [written] = [each for each in records if vars(each)["statement"] == "memories/remember"]
    assert vars(written)["rows"] == 1
    assert written.getMessage().startswith(f"statement memories/remember in realm '{graph.realm}'")
    assert "Lyra" not in caplog.text


async def test_a_slow_statement_is_a_warning(
    open_graph: OpenGraph, caplog: pytest.LogCaptureFixture
) -> None:
    graph = await open_graph(settings={"statements": StatementsSettings(slow_ms=0.001)})
    caplog.clear()
    await graph.memories.count()
    [record] = [each for each in caplog.records if vars(each)["statement"] == "memories/count"]
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith("slow statement memories/count")


async def test_nothing_is_logged_by_default(graph: Graph, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        await graph.memories.remember(SECRET)
    assert [each for each in caplog.records if each.levelno < logging.WARNING] == []


@pytest.mark.slow
async def test_a_statement_is_a_span_within_its_transaction(
    graph: Graph, spans: InMemorySpanExporter
) -> None:
    await graph.memories.remember(SECRET, id="stair")
    await graph.recall.find(SECRET)
    finished = {span.name: span for span in spans.get_finished_spans()}
    written, outer = finished["memories/remember"], finished["transaction memories/remember"]
    assert written.parent is not None
    assert written.parent.span_id == outer.context.span_id
    assert written.kind is SpanKind.CLIENT
    attributes = dict(finished["recall/find"].attributes or {})
    assert attributes == {
        "db.system.name": "neo4j",
        "db.operation.name": "recall/find",
        "db.query.summary": "recall/find",
        "db.response.returned_rows": 1,
        "asterism.realm": graph.realm,
    }
    assert not any("Lyra" in span.to_json() for span in finished.values())


@pytest.mark.slow
async def test_a_stream_and_a_failure_are_spans_as_well(
    graph: Graph, spans: InMemorySpanExporter
) -> None:
    await graph.memories.remember(SECRET)
    rows = [row async for row in graph.database.stream("transfer/read_chains")]
    with pytest.raises(AsterismError):
        await graph.database.rows("memories/history", id="a", limit=-1)
    streamed, failed = spans.get_finished_spans()[-2:]
    assert dict(streamed.attributes or {})["db.response.returned_rows"] == len(rows)
    assert failed.name == "memories/history"
    assert failed.status.status_code is StatusCode.ERROR
    assert dict(failed.attributes or {})["error.type"]
    assert failed.events == ()
