"""`asterism recall "question"`: what is remembered of it, and why."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import asking, output
from engine.cli.output import AsJson, InRealm

if TYPE_CHECKING:
    from engine.graph import Graph
    from engine.recall.model import Faded, Recall, WhyNot
    from engine.recall.prompt import Prompt

Question = Annotated[str, typer.Argument(help="What you want to know, in plain words.")]
LONGEST_TEXT = 90
NAMES = {"tags": "--tag", "minimum_strength": "--minimum"}
ADD_ONE = "`asterism memory add` remembers one"


def recall(
    query: Question,
    k: Annotated[int, typer.Option("--limit", "-k", min=1, help="At most so many hits.")] = 10,
    at: Annotated[str | None, typer.Option(help=f"As of this time: {output.TIMES}")] = None,
    since: Annotated[str | None, typer.Option(help="Only what was learned from then on.")] = None,
    until: Annotated[
        str | None, typer.Option(help="Only what was learned up to then; a date: to its end.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only with this tag; repeatable.")] = None,
    session: Annotated[str | None, typer.Option(help="Only from this conversation.")] = None,
    minimum: Annotated[float, typer.Option(help="Only what is at least this strong.")] = 0.0,
    archived: Annotated[bool, typer.Option(help="Faded memories as well.")] = False,
    why_not: Annotated[str | None, typer.Option(help="Why this memory is not found.")] = None,
    context: Annotated[bool, typer.Option(help="Print the hits as text for a prompt.")] = False,
    tokens: Annotated[int, typer.Option(min=1, help="How long that text may be.")] = 1000,
    touch: Annotated[
        bool | None,
        typer.Option(
            "--touch/--no-touch",
            help="Count what is printed as used, which keeps it. Only --context does by itself.",
            show_default=False,
        ),
    ] = None,
    realm: InRealm = "default",
    json: AsJson = False,
) -> None:
    """Find the memories that answer a question, each with its reason."""
    narrowed: dict[str, Any] = {
        "at": asking.time("at", at),
        "since": asking.time("since", since),
        "until": asking.time("until", until, end=True),
        "tags": tag,
        "session": session,
        "minimum_strength": minimum,
        "archived": archived,
    }

    async def ask(graph: "Graph") -> None:
        if why_not is not None:
            reason = await graph.recall.why_not(query, why_not, k=k, **narrowed)
            _tell(reason, lambda: _reason(reason, k), json=json)
        elif context:
            with _embedding() as step:
                prompt = await graph.recall.prompt(
                    query, tokens=tokens, touch=touch is not False, on_progress=step, **narrowed
                )
            _tell(prompt, lambda: _prompt(prompt), json=json)
        else:
            with _embedding() as step:
                found = await graph.recall.find(
                    query, k=k, touch=bool(touch), on_progress=step, **narrowed
                )
            _tell(found, lambda: _hits(found, _filters(narrowed)), json=json)

    asking.run(realm, ask)


@contextmanager
def _embedding() -> Iterator[Callable[[int], None]]:
    """Says so when texts have to be embedded first."""
    from rich.console import Console

    done = 0
    with Console(stderr=True).status("Looking") as status:

        def step(count: int) -> None:
            nonlocal done
            done += count
            status.update(f"Embedding texts that have no vector yet: {done}")

        yield step


def _tell(document: Any, draw: Callable[[], None], *, json: bool) -> None:
    if json:
        output.as_json(document)
    else:
        draw()


def _filters(narrowed: dict[str, Any]) -> str:
    """Name the options that may have kept every memory from answering."""
    options = {name: value for name, value in narrowed.items() if name != "archived" and value}
    return ", ".join(NAMES.get(name, f"--{name}") for name in options)


def _hits(found: "Recall", filters: str) -> None:
    _warn(found.warnings)
    if not found.hits and not found.faded:
        known = f"{found.memories} texts are remembered here"
        remedy = f"none fits {filters}" if filters and found.memories else ADD_ONE
        output.say(f"Nothing found: {known}; {output.plain(remedy)}.")
        return
    for hit in found.hits:
        origin = " · ".join(word for word in (hit.speaker, hit.about, hit.id) if word)
        output.say(f"[bold]{hit.score:.3f}[/bold]  {output.plain(_short(hit.text))}")
        output.say(f"       [dim]{output.plain(origin)}: {output.plain(hit.why)}[/dim]")
    if found.faded:
        output.say("Archived, because they were not used for long:")
    for faded in found.faded:
        output.say(f"[bold]{faded.score:.3f}[/bold]  {output.plain(_short(faded.text))}")
        back = f"asterism memory reinforce {shlex.quote(faded.id)}"
        output.say(
            f"       [dim]{output.plain(_ended(faded))}; back with: {output.plain(back)}[/dim]"
        )


def _ended(faded: "Faded") -> str:
    if faded.archived_at is not None:
        return f"archived on {faded.archived_at:%Y-%m-%d}"
    return f"archived {faded.archived_hours_ago:,.0f} hours of use ago"


def _warn(warnings: Sequence[str]) -> None:
    for warning in warnings:
        typer.echo(f"Warning: {warning}", err=True)


def _prompt(prompt: "Prompt") -> None:
    _warn(prompt.warnings)
    output.raw(str(prompt))


def _reason(reason: "WhyNot", k: int) -> None:
    place = f"at rank {reason.rank}" if reason.rank else "not ranked"
    output.say(f"[bold]{output.plain(reason.id)}[/bold] is {place} for this question.")
    if reason.score is not None and reason.needed is not None:
        output.say(f"  its score is {reason.score:.3f}; the first {k} have {reason.needed:.3f}")
    for words in reason.missing:
        output.say(f"  {output.plain(words)}")
    for path in reason.paths:
        output.say(f"  reached from {output.plain(path.seed)} over {output.plain(path.over)}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
