"""`asterism memory forget | archive`: memories that go, and those that have faded."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output, progress
from asterism.cli.filter_options import Filter
from asterism.cli.memory import app as app
from asterism.cli.memory import excerpt
from asterism.cli.options import AtTime, SkipConfirmation, argument, confirm, parse_time
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.memories import Forgotten, ForgottenMany


@command(app)
def forget(
    runner: Runner,
    memory: Annotated[
        str | None, argument("The memory's id; none: all texts that pass.", metavar="[ID]")
    ] = None,
    yes: SkipConfirmation = False,
    *,
    filter: Filter,
) -> None:
    """Remove a memory, or all texts that pass a filter, and all that names them."""
    from asterism.errors import InvalidInput

    conditions = filter.conditions()
    if memory is None:
        _forget_where(runner, conditions, yes)
        return
    if conditions:
        raise InvalidInput("ID", memory, "give one memory, or options of a filter, but not both")
    if not yes:
        runner.run(lambda graph: graph.memories.get(memory))  # an unknown id is named before
        confirm(f"Forget {memory!r} and all it was made of?", skip=yes)
    receipt = runner.run(lambda graph: graph.memories.forget(memory))
    runner.show(receipt, _receipt_text(memory, receipt))


@command(app)
def archive(runner: Runner, at: AtTime = None) -> None:
    """Mark what has faded below its end. What you read never depends on it."""
    time = parse_time("at", at)
    count = runner.run(lambda graph: graph.memories.archive(time))
    runner.show({"archived": count}, f"Archived {count} memories; new evidence brings one back.")


def _forget_where(runner: Runner, conditions: dict[str, Any], yes: bool) -> None:
    """Count what passes, ask, and remove it."""
    if not yes:
        dry = runner.run(lambda graph: graph.memories.forget_where(**conditions))
        for memory in dry.examples:
            line = f"{memory.id}: {excerpt(memory)}"
            typer.echo(output.printable(line), err=True)
        if not dry.matching:
            runner.show(dry, f"No text passes ({dry.filter}).")
            return
        texts = output.amount(dry.matching, "text")
        confirm(f"Forget {texts} ({dry.filter}) and all they were made of?", skip=yes)
    with progress.counter("Forgetting", "Forgotten: {:,}") as step:
        receipt = runner.run(
            lambda graph: graph.memories.forget_where(dry_run=False, on_progress=step, **conditions)
        )
    runner.show(receipt, _receipt_text(output.amount(receipt.memories, "text"), receipt))


def _receipt_text(name: str, receipt: "Forgotten | ForgottenMany") -> str:
    if not receipt.memories:
        id = getattr(receipt, "id", None)
        return f"There was no memory {id} in this realm." if id else "No text passes."
    relationships = sum(receipt.relationships.values()) + sum(receipt.ties.values())
    text = (
        f"Forgot {name}: {output.amount(receipt.evidence, 'piece')} of evidence, "
        f"{output.amount(relationships, 'relationship')}, {output.amount(receipt.names, 'name')} "
        f"and {output.amount(receipt.terms, 'word')} went with it. {_remains_text(receipt)}"
    )
    if receipt.star_evidence:
        text += f"\n{receipt.star_evidence} pieces of evidence about stars count on, without it."
    if receipt.repeats:
        text += f"\nThe same words are still remembered as {', '.join(receipt.repeats)}."
    return text


def _remains_text(receipt: "Forgotten | ForgottenMany") -> str:
    """Return what a second look after forgetting still saw."""
    if not receipt.left:
        return "Nothing that names it is left."
    remains = ", ".join(f"{count} {name}" for name, count in receipt.left.items())
    return f"Still there: {remains}. Run `asterism consolidate`, then forget it again."
