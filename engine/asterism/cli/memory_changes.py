"""`asterism memory update`, `correct`, `supersede`, `confirm`: what is remembered changes."""

from typing import Annotated, Any

from asterism.cli.filter_options import parse_metadata_options
from asterism.cli.memory_proposals import app as app
from asterism.cli.options import TIMES, AtMost, argument, option, parse_time
from asterism.cli.runner import Runner, command

Id = Annotated[str, argument("The memory's id.")]
Reason = Annotated[str | None, option("Why it changed.")]


@command(app)
def update(
    runner: Runner,
    id: Id,
    text: Annotated[str | None, option("The new words.")] = None,
    tag: Annotated[list[str] | None, option("A tag in place of all; '' removes them.")] = None,
    category: Annotated[str | None, option("What kind of text it is; '' removes it.")] = None,
    about: Annotated[str | None, option("What it is about; '' removes it.")] = None,
    speaker: Annotated[str | None, option("Who said it; '' removes it.")] = None,
    lasts: Annotated[str | None, option("ephemeral, standard, durable or permanent.")] = None,
    meta: Annotated[
        list[str] | None, option("A fact of your own in place of all, such as page=3; repeatable.")
    ] = None,
) -> None:
    """Give a text another content under its id."""
    fields: dict[str, Any] = {"text": text, "tags": tag, "category": category, "about": about}
    fields |= {"speaker": speaker, "lasts": lasts}
    fields["metadata"] = parse_metadata_options(meta) if meta else None
    memory = runner.run(lambda graph: graph.memories.update(id, **fields))
    outcome = "says this already: nothing changed" if memory.unchanged else f"says: {memory.text}"
    runner.show(memory, f"{id} {outcome}.")


@command(app)
def correct(
    runner: Runner,
    id: Id,
    text: Annotated[str, argument("What is true now.")],
    valid_from: Annotated[
        str | None, option(f"Since when it is true; none: now. {TIMES}", "--from")
    ] = None,
    reason: Reason = None,
) -> None:
    """Remember what is true now in the place of a memory, which stays as history."""
    since = parse_time("from", valid_from)
    memory = runner.run(
        lambda graph: graph.memories.correct(id, text, valid_from=since, reason=reason)
    )
    runner.show(memory, f"{memory.id} supersedes {', '.join(memory.supersedes) or id}.")


@command(app)
def supersede(
    runner: Runner,
    old: Annotated[str, argument("The memory that was true.")],
    new: Annotated[str, argument("The memory that is true now.")],
    at: Annotated[str | None, option(f"When it changed; none: when it was said. {TIMES}")] = None,
    reason: Reason = None,
) -> None:
    """Make one text the successor of another."""
    time = parse_time("at", at)
    memory = runner.run(lambda graph: graph.memories.supersede(old, new, at=time, reason=reason))
    runner.show(memory, f"{new} supersedes {old}.")


@command(app)
def unsupersede(runner: Runner, old: Id) -> None:
    """Take back that a memory was superseded."""
    memory = runner.run(lambda graph: graph.memories.unsupersede(old))
    runner.show(memory, f"Nothing supersedes {old}.")


@command(app)
def corrected(
    runner: Runner,
    id: Annotated[
        str | None, argument("The memory that was superseded; none: all of them.")
    ] = None,
    limit: AtMost = 20,
) -> None:
    """List what stands on corrected memories: edges, narratives, links.

    `asterism memory confirm ID` says that it holds all the same.
    """
    grounds = runner.run(lambda graph: graph.memories.corrected_ground(id, limit=limit))
    columns = {"what": "kind", "type": "type", "other end": "other", "": "other_text", "why": "why"}
    runner.table(grounds, columns, "Nothing stands on a corrected memory.")


@command(app)
def confirm(runner: Runner, id: Id) -> None:
    """Confirm what stands on a superseded memory: it holds all the same."""
    confirmed = runner.run(lambda graph: graph.memories.confirm(id))
    runner.show({"old": id, "confirmed": confirmed}, f"Confirmed on {id}: {confirmed}.")
