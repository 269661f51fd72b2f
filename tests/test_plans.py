"""The server's own plan of every statement: it compiles, returns what it says, scans nothing."""

from typing import Any

import pytest

from asterism import statements
from asterism.graph import Graph
from asterism.statements import Access, Statement

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


@each
async def test_plan_keeps_the_contract(graph: Graph, statement: Statement) -> None:
    result = await graph.database.driver.execute_query("EXPLAIN " + statement.text)
    assert tuple(result.keys) == statement.returns
    plan = result.summary.plan
    assert plan is not None
    assert "AllNodesScan" not in scans(plan)
    assert statement.scans or not scans(plan)
    if statement.access is Access.READ:
        assert result.summary.query_type == "r"
