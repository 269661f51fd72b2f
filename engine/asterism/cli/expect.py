"""`asterism expect`: questions that are pinned to the memories that must come back."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output
from asterism.cli.options import TIMES, AtLeast, argument, option, parse_time
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.recall import Expectation, ExpectationCheck


@command()
def expect(
    runner: Runner,
    question: Annotated[str | None, argument("The question, in plain words.")] = None,
    must: Annotated[list[str] | None, argument("Memories that must come back.")] = None,
    must_not: Annotated[
        list[str] | None, option("A memory that must not come back; repeatable.", "--not")
    ] = None,
    k: Annotated[int, option("Among so many first hits.", "--limit", "-k", min=1)] = 5,
    at: Annotated[str | None, option(f"As of this time: {TIMES}")] = None,
    since: Annotated[str | None, option("Only what was learned from then on.")] = None,
    until: Annotated[str | None, option("Only what was learned up to then.")] = None,
    tag: Annotated[list[str] | None, option("Only with this tag; repeatable.")] = None,
    session: Annotated[str | None, option("Only from this conversation.")] = None,
    minimum: AtLeast = 0.0,
    list_all: Annotated[bool, option("List the pinned questions.", "--list")] = False,
    check: Annotated[bool, option("Ask them all; exit with 1 if one is broken.")] = False,
    remove: Annotated[str | None, option("Remove the pinned question of this id.")] = None,
) -> None:
    """Pin a question to the memories that must, and must not, be among its first hits.

    Consolidation, imports and maintenance ask it again and tell whose answer changed. The same
    question again has the new memories.
    """
    chosen = [list_all, check, remove is not None, question is not None]
    if chosen.count(True) != 1:
        raise typer.BadParameter("give a question, --list, --check or --remove ID: one of them")
    if list_all:
        _list(runner)
    elif check:
        _check(runner)
    elif remove is not None:
        runner.run(lambda graph: graph.recall.unexpect(remove))
        runner.show({"removed": remove}, f"Removed {remove}.")
    elif question is not None:
        times = {"at": parse_time("at", at), "since": parse_time("since", since)}
        filter: dict[str, Any] = times | {"until": parse_time("until", until, end=True)}
        filter |= {"tags": tag or None, "session": session, "minimum_strength": minimum or None}
        _pin(runner, question, must or [], must_not or [], k, filter)


def _pin(
    runner: Runner,
    question: str,
    must: list[str],
    must_not: list[str],
    k: int,
    filter: dict[str, Any],
) -> None:
    pinned = runner.run(lambda graph: graph.recall.expect(question, must, must_not, k=k, **filter))
    state = "It holds now." if pinned.holds else "It does not hold now: `asterism expect --check`."
    runner.show(pinned, f"Pinned {pinned.id}: {pinned.question} {state}")


def _list(runner: Runner) -> None:
    columns = {
        "id": "id",
        "question": "question",
        "must": lambda pinned: ", ".join(pinned.must),
        "must not": lambda pinned: ", ".join(pinned.must_not),
        "first": "k",
        "recorded": _state,
    }
    pinned = runner.run(lambda graph: graph.recall.expectations())
    runner.table(pinned, columns, "No question is pinned: `asterism expect QUESTION ID` pins one.")


def _state(pinned: "Expectation") -> str:
    state = "holds" if pinned.holds else "broken"
    return f"{state}, {pinned.forgotten} forgotten" if pinned.forgotten else state


def _check(runner: Runner) -> None:
    checks = runner.run(lambda graph: graph.recall.check())
    runner.show(checks, lambda: _print_checks(checks))
    if not all(check.holds for check in checks):
        raise typer.Exit(1)


def _print_checks(checks: "list[ExpectationCheck]") -> None:
    if not checks:
        output.print_dim("No question is pinned: `asterism expect QUESTION ID` pins one.")
    for check in checks:
        state = "[green]holds[/green] " if check.holds else "[bold red]broken[/bold red]"
        changed = "" if check.holds == check.held_before else ", changed"
        pinned = check.expectation
        output.print_markup(f"{state}  {output.escape(pinned.question)} [dim]{pinned.id}[/dim]")
        for line in [str(memory) for memory in check.memories if not memory.holds]:
            output.print_dim(f"{line}{changed}", indent=8)
        if check.error:
            output.print_dim(check.error, indent=8)
        if pinned.forgotten:
            output.print_dim(f"{pinned.forgotten} of its memories were forgotten", indent=8)
