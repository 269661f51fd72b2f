"""The server's own plan of every statement: it compiles, returns what it says, scans nothing."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from neo4j import Driver, GraphDatabase

from asterism import statements
from asterism.graph import Graph
from asterism.statements import Access, Statement
from tests.conftest import Server

ALL = [statements.load(name) for name in statements.names()]
PLANNED = [statement for statement in ALL if statement.access is not Access.SCHEMA]
each = pytest.mark.parametrize("statement", PLANNED, ids=lambda statement: statement.name)


def operators(plan: dict[str, Any]) -> set[str]:
    """Every operator of a plan, by its bare name."""
    names = {plan["operatorType"].split("@")[0]}
    return names.union(*(operators(child) for child in plan.get("children", [])))


def scans(plan: dict[str, Any]) -> set[str]:
    """Every operator of a plan that goes through all nodes of a label or of the database.

    A label that is only known while the statement runs has no index.
    """
    return {name for name in operators(plan) if name.endswith("Scan") or "DynamicLabel" in name}


@pytest.fixture(scope="module")
def planner(server: Server) -> Iterator[Driver]:
    """A driver of a database that has the schema."""

    async def apply_schema() -> None:
        async with Graph.open(server.uri, auth=server.auth, realm="plans"):
            pass

    asyncio.run(apply_schema())
    with GraphDatabase.driver(server.uri, auth=server.auth) as driver:
        yield driver


@pytest.mark.slow
@each
def test_plan_keeps_the_contract(planner: Driver, statement: Statement) -> None:
    result = planner.execute_query("EXPLAIN " + statement.text)
    assert tuple(result.keys) == statement.returns
    plan = result.summary.plan
    assert plan is not None
    assert "AllNodesScan" not in scans(plan)
    assert statement.scans or not scans(plan)
    if statement.access is Access.READ:
        assert result.summary.query_type == "r"
