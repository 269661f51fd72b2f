"""Limit of similarity edges a memory may have: which edges fit, and which make room for them."""

from typing import Any

from asterism.database import Row


def apply_degree_limit(
    edges: list[Row], edges_by_id: dict[str, list[Any]], most: int
) -> tuple[list[Row], list[str]]:
    """Return the edges that fit, and the ids of the weaker unused ones that they displace."""
    present = {id: list(rows) for id, rows in edges_by_id.items()}
    fitting: list[Row] = []
    displaced: list[str] = []
    for edge in sorted(edges, key=lambda edge: (-edge["parts"]["weight"], edge["edge_id"])):
        room = [_room(present, edge[end], most, edge) for end in ("low", "high")]
        if None in room:
            continue
        for weak in room:
            if weak and weak["edge_id"] not in displaced:
                displaced.append(weak["edge_id"])
                for rows in present.values():
                    rows[:] = [row for row in rows if row["edge_id"] != weak["edge_id"]]
        new = {"edge_id": edge["edge_id"], "weight": edge["parts"]["weight"], "used": True}
        for end in ("low", "high"):
            present.setdefault(edge[end], []).append(new)
        fitting.append(edge)
    return sorted(fitting, key=lambda edge: (edge["low"], edge["high"])), displaced


def _room(present: dict[str, list[Any]], id: str, most: int, edge: Row) -> Row | None:
    """Return the edge to displace at one end, {} if there is room, None if none may go."""
    rows = present.get(id, [])
    if len(rows) < most or any(row["edge_id"] == edge["edge_id"] for row in rows):
        return {}
    weaker = [row for row in rows if not row["used"] and row["weight"] < edge["parts"]["weight"]]
    return min(weaker, key=lambda row: (row["weight"], row["edge_id"]), default=None)
