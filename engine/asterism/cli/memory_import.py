"""`asterism memory import`: texts and messages of files into the memories."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from asterism.cli import output, progress
from asterism.cli.options import argument, option
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.memories import ImportReport
    from asterism.memories.files.models import Format, Unknown
    from asterism.settings.memories import Lasts

LARGEST_TABLE = 20


@command()
def import_texts(
    runner: Runner,
    path: Annotated[Path, argument("JSON lines, CSV, Markdown, or a folder of Markdown files.")],
    format: Annotated[
        str | None, option("jsonl, csv or markdown; without it, the name of the file tells.")
    ] = None,
    source: Annotated[
        str | None, option("First part of the ids of Markdown; without it, the folder's name.")
    ] = None,
    session: Annotated[str | None, option("The conversation that all of it is from.")] = None,
    text_column: Annotated[str | None, option("The column of a CSV that has the texts.")] = None,
    unknown: Annotated[
        str, option("What becomes of unknown fields: metadata, or refuse.")
    ] = "metadata",
    split_above: Annotated[
        int, option("Split Markdown files of more letters at their headings.", min=0)
    ] = 2000,
    tag: Annotated[list[str] | None, option("A tag of every text; repeatable.")] = None,
    category: Annotated[str, option("What kind of texts they are.")] = "",
    actor: Annotated[str | None, option("Whose memories they are.")] = None,
    lasts: Annotated[
        str | None, option("ephemeral, standard, durable or permanent; none: durable.")
    ] = None,
    forget_missing: Annotated[
        bool, option("Forget the pieces of Markdown that are gone.", "--forget-missing")
    ] = False,
    dry_run: Annotated[bool, option("Tell what would be done.", "--dry-run")] = False,
) -> None:
    """Remember what files hold, each row or piece once.

    The same files again change nothing, and what was edited updates its memory. Lines of JSON with
    a role and a content are messages of a conversation.
    """
    with _counting_rows() as step:
        report = runner.run(
            lambda graph: graph.memories.import_file(
                path,
                format=cast("Format | None", format),
                source=source,
                session=session,
                text_column=text_column,
                unknown=cast("Unknown", unknown),
                split_above=split_above,
                tags=tag or [],
                category=category,
                actor=actor,
                lasts=cast("Lasts | None", lasts),
                forget_missing=forget_missing,
                dry_run=dry_run,
                on_progress=step,
            ),
            may_create=not dry_run,
        )
    runner.show(report, lambda: _print_report(report))
    if report.rejected and not report.created + report.updated + report.same:
        raise typer.Exit(1)


@contextmanager
def _counting_rows() -> Iterator[Callable[[int], None]]:
    """Show how many rows are done."""
    total = 0
    with progress.status("Importing") as status:

        def step(count: int) -> None:
            nonlocal total
            total += count
            status.update(f"Importing: {total:,} rows")

        yield step


def _print_report(report: "ImportReport") -> None:
    facts: dict[str, Any] = {"files": report.files, "rows": report.rows}
    facts |= {"created": report.created, "updated": report.updated, "same": report.same}
    facts |= {
        "changed and left": len(report.changed),
        "rejected": len(report.rejected),
        "gone from the files": len(report.vanished),
        "forgotten": report.forgotten,
    }
    facts |= report.left_out
    title = "A dry run: nothing is written" if report.dry_run else "Imported"
    output.print_fields(title, {name: value for name, value in facts.items() if value})
    for change in report.answers_changed:
        output.print_warning(change)
    rows = [["refused", f"{item.file}:{item.line}", item.reason] for item in report.rejected]
    rows += [["changed", id, "left as it is"] for id in report.changed]
    state = "forgotten" if report.forgotten else "--forget-missing forgets it"
    rows += [["gone", id, state] for id in report.vanished]
    if rows:
        output.print_table(["", "where", ""], rows, LARGEST_TABLE)
