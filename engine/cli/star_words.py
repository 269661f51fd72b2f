"""`asterism star ...`: what a person says about a star or a pair, blockers and predictions."""

from typing import Annotated, Any

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm, Unasked
from engine.cli.star import A, B, Id, Limit
from engine.cli.star_output import listed, stands, told


def register(star: typer.Typer) -> None:
    """Add these commands to the group of stars."""
    for command in (remove, acknowledge, contradict, confront, disconnect, retire, blockers):
        star.command()(command)
    star.command()(predictions)
    star.command("flag-dark")(flag_dark)
    star.command("assign-type")(assign_type)


def remove(
    id: Id,
    yes: Unasked = False,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Remove a star; its connections go to the archive."""
    if not yes:
        typer.confirm(f"Remove star {id!r} and end its connections?", abort=True, err=True)
    asking.run(realm, lambda graph: graph.stars.remove(id))
    if json:
        output.as_json({"removed": id})
    else:
        output.say(f"Removed {output.plain(id)}.")


def acknowledge(id: Id, realm: InRealm = "default", json: AsJson = False) -> None:
    """Say yes to a proposed star: NASCENT becomes FLICKERING."""
    stands(asking.run(realm, lambda graph: graph.stars.acknowledge(id)), json)


def flag_dark(id: Id, realm: InRealm = "default", json: AsJson = False) -> None:
    """Call a star an anti-pattern: it turns DARK, its connections SHADOW_MIRROR."""
    stands(asking.run(realm, lambda graph: graph.stars.flag_dark(id)), json)


def contradict(id: Id, realm: InRealm = "default", json: AsJson = False) -> None:
    """Say that what was done contradicts a star; the third time turns it DARK."""
    stands(asking.run(realm, lambda graph: graph.stars.contradict(id)), json)


def confront(
    id: Id,
    kind: Annotated[str, typer.Argument(help="engagement, shadow_task or acknowledged.")],
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Face a dark star; faced enough, it is integrated and turns DIM."""
    found = asking.run(realm, lambda graph: graph.stars.confront(id, kind))
    if json or found.note or found.state != "DARK":
        stands(found, json)
    else:
        name = output.plain(found.name)
        output.say(f"{name} is DARK, confronted {found.confrontation:.2f}; 1.00 integrates it.")


def disconnect(a: A, b: B, realm: InRealm = "default", json: AsJson = False) -> None:
    """Say that two stars are not connected: young connections end, others get weaker.

    --json prints what is left of the connection, null if it ended.
    """
    found: Any = asking.run(realm, lambda graph: graph.stars.disconnect(a, b))
    if json or found is not None:
        told(found, json, a)
    else:
        output.say(output.plain(f"{a} and {b} are not connected any more."))


def retire(a: A, b: B, realm: InRealm = "default", json: AsJson = False) -> None:
    """Put a connection to sleep until there is new evidence."""
    told(asking.run(realm, lambda graph: graph.stars.retire(a, b)), json, a)


def assign_type(
    a: A,
    b: B,
    type: Annotated[
        str,
        typer.Argument(help="RESONANCE, TENSION, CAUSATION, GROWTH_EDGE, SHADOW_MIRROR or BLOCKS."),
    ],
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Say how two connected stars belong together; no evaluation changes it."""
    told(asking.run(realm, lambda graph: graph.stars.assign_type(a, b, type)), json, a)


def blockers(id: Id, realm: InRealm = "default", json: AsJson = False) -> None:
    """List what blocks a star, how far its ceiling is lowered, and what would lift it."""
    found = asking.run(realm, lambda graph: graph.stars.blockers(id))
    columns = ["blocker", "name", "state", "strength", "active", "ceiling", "lifts_below"]
    listed(found, columns, json, "Nothing blocks it.")


def predictions(
    status: Annotated[str | None, typer.Option(help="OPEN, VERIFIED or EXPIRED.")] = None,
    star: Annotated[str | None, typer.Option(help="Only those about this star's id.")] = None,
    limit: Limit = 50,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """List what causes predicted about their effects, latest first."""
    found = asking.run(
        realm, lambda graph: graph.stars.predictions(status=status, star=star, limit=limit)
    )
    columns = ["cause", "effect", "sign", "status", "confidence", "issued_at", "expected_at"]
    listed(found, columns, json, "No prediction is on record that fits.")
