"""`asterism memory proposals | accept | dismiss`: texts that may say what holds now."""

from typing import TYPE_CHECKING, Annotated

from asterism.cli import output
from asterism.cli.memory_forgetting import app as app
from asterism.cli.options import AtMost, argument, option
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asterism.memories import Proposal

Id = Annotated[str, argument("The proposal's id: those of the new and of the old memory.")]


@command(app)
def proposals(
    runner: Runner,
    state: Annotated[str, option("open, accepted, dismissed or all.")] = "open",
    limit: AtMost = 20,
) -> None:
    """List texts that may say what holds now in the place of others, the surest first.

    `asterism consolidate` proposes them. `asterism memory accept ID` lets the new text supersede
    the old one, which stays as history. `asterism memory dismiss ID` keeps both, for good.
    """
    chosen = None if state == "all" else state
    proposals = runner.run(lambda graph: graph.memories.proposals(limit=limit, state=chosen))
    runner.show(proposals, lambda: _print_proposals(proposals))


@command(app)
def accept(runner: Runner, id: Id) -> None:
    """Accept a proposal: its new text supersedes the old one."""
    proposal = runner.run(lambda graph: graph.memories.accept(id))
    runner.show(proposal, f"{proposal.new} supersedes {proposal.old}.{_texts(proposal)}")


@command(app)
def dismiss(runner: Runner, id: Id) -> None:
    """Dismiss a proposal: both texts hold, and it is not proposed again."""
    proposal = runner.run(lambda graph: graph.memories.dismiss(id))
    runner.show(proposal, f"{proposal.new} and {proposal.old} both hold.{_texts(proposal)}")


def _print_proposals(proposals: "Sequence[Proposal]") -> None:
    for proposal in proposals:
        change = f"{proposal.differs}: {proposal.before or '-'} -> {proposal.after or '-'}"
        output.print_text(
            f"{proposal.id}\n  {change}; {proposal.reason}; {proposal.confidence:.0%} sure, "
            f"{proposal.state.value}{_texts(proposal)}"
        )
    if not proposals:
        output.print_dim("There is no such proposal.")


def _texts(proposal: "Proposal") -> str:
    return f"\n  new: {proposal.new_text}\n  old: {proposal.old_text}"
