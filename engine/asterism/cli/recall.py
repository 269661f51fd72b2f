"""`asterism recall "question"`: the memories that answer it, and why."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from asterism.cli import output, progress
from asterism.cli.filter_options import Filter
from asterism.cli.options import TIMES, OptionGroup, argument, option, parse_time
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.recall.models import Faded, Recall, WhyNot
    from asterism.recall.prompt import Prompt

CertaintyName = Literal["certain", "likely", "weak", "nothing"]
LONGEST_TEXT = 90


@dataclass(frozen=True)
class PromptOptions(OptionGroup):
    """Options of hits as a text for a prompt, and of their use."""

    context: Annotated[bool, option("Print the hits as text for a prompt.")] = False
    tokens: Annotated[int, option("How long that text may be.", min=1)] = 1000
    touch: Annotated[
        bool | None,
        option(
            "Count what is printed as used, which keeps it. Only --context does by itself.",
            "--touch/--no-touch",
            show_default=False,
        ),
    ] = None


@command()
def recall(
    runner: Runner,
    query: Annotated[str, argument("What you want to know, in plain words.")],
    k: Annotated[int, option("At most so many hits.", "--limit", "-k", min=1)] = 10,
    at: Annotated[str | None, option(f"As of this time: {TIMES}")] = None,
    minimum_certainty: Annotated[
        CertaintyName | None, option("Only hits that are at least so certain.")
    ] = None,
    archived: Annotated[bool, option("Faded memories as well.")] = False,
    why_not: Annotated[str | None, option("Why this memory is not found.")] = None,
    causes: Annotated[
        bool, option("Show what led to a hit that a recorded session holds.", "--causes")
    ] = False,
    *,
    prompting: PromptOptions,
    filter: Filter,
) -> None:
    """Find the memories that answer a question, each with its reason."""
    filters: dict[str, Any] = {"at": parse_time("at", at), "archived": archived}
    filters |= filter.conditions()
    if why_not is not None:
        reason = runner.run(lambda graph: graph.recall.why_not(query, why_not, k=k, **filters))
        runner.show(reason, lambda: _print_reason(reason, k))
        return
    embedding = "Embedding texts that have no vector yet: {:,}"
    with progress.counter("Looking", embedding) as step:
        options = filters | {"on_progress": step, "minimum": minimum_certainty}
        if prompting.context:
            options |= {"tokens": prompting.tokens, "touch": prompting.touch is not False}
            prompt = runner.run(lambda graph: graph.recall.prompt(query, **options))
        else:
            options |= {"k": k, "touch": bool(prompting.touch), "causes": causes}
            hits = runner.run(lambda graph: graph.recall.find(query, **options))
    if prompting.context:
        runner.show(prompt, lambda: _print_prompt(prompt))
    else:
        runner.show(hits, lambda: _print_hits(hits))


def _print_hits(recall: "Recall") -> None:
    _print_warnings(recall.warnings)
    if not recall.hits and not recall.faded and recall.certainty_score == 0:
        remedy = "`asterism memory add` remembers one"
        if recall.filter and recall.memories:
            remedy = f"none fits {recall.filter}"
        output.print_text(f"Nothing found: {recall.memories} texts are remembered here; {remedy}.")
        return
    _print_certainty(recall)
    for hit in recall.hits:
        origin = " · ".join(word for word in (hit.speaker, hit.about, hit.id) if word)
        _print_hit(hit, f"{hit.certainty}: {origin}: {hit.why}")
        for chain in hit.causes:
            output.print_dim(f"led to by: {chain.sentence}", indent=7)
    if recall.faded:
        output.print_text("Archived, because they were not used for long:")
        for faded in recall.faded:
            remedy = f"asterism memory reinforce {shlex.quote(faded.id)}"
            _print_hit(faded, f"{_archived_text(faded)}; back with: {remedy}")


def _print_certainty(recall: "Recall") -> None:
    """Say first if nothing answers, or nothing that is certain enough."""
    words = f" No memory says {', '.join(recall.missing)}." if recall.missing else ""
    if recall.certainty == "nothing":
        nearest = " The nearest texts are:" if recall.hits else ""
        output.print_text(f"Nothing is remembered about this.{words}{nearest}")
    elif not recall.hits:
        output.print_text(f"Nothing so certain: the best hit is {recall.certainty}.{words}")


def _print_hit(hit: Any, note: str) -> None:
    text = output.shorten(" ".join(hit.text.split()), LONGEST_TEXT)
    output.print_markup(f"[bold]{hit.score:.3f}[/bold]  {output.escape(text)}")
    output.print_dim(note, indent=7)


def _archived_text(faded: "Faded") -> str:
    if faded.archived_at is not None:
        return f"archived on {faded.archived_at:%Y-%m-%d}"
    return f"archived {faded.archived_hours_ago:,.0f} hours of use ago"


def _print_warnings(warnings: Sequence[str]) -> None:
    for warning in warnings:
        typer.echo(f"Warning: {warning}", err=True)


def _print_prompt(prompt: "Prompt") -> None:
    _print_warnings(prompt.warnings)
    output.print_text(str(prompt))


def _print_reason(reason: "WhyNot", k: int) -> None:
    rank = f"at rank {reason.rank}" if reason.rank else "not ranked"
    id = output.escape(reason.id)
    output.print_markup(f"[bold]{id}[/bold] is {rank} for this question.")
    lines = list(reason.missing)
    if reason.score is not None and reason.needed is not None:
        score = f"{reason.score:.3f}; the first {k} have {reason.needed:.3f} or more"
        lines.insert(0, f"its score is {score}")
    lines += [f"reached from {path.seed} over {path.over}" for path in reason.paths]
    for line in lines:
        output.print_text(f"  {line}")
