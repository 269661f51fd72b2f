"""`asterism memory import`: texts and messages of files into the memories."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asterism.cli import output, progress
from asterism.cli.options import OptionGroup, argument, option
from asterism.cli.runner import Runner, command

if TYPE_CHECKING:
    from asterism.memories import ImportReport

LARGEST_TABLE = 20


@dataclass(frozen=True)
class ImportOptions(OptionGroup):
    """Options of reading files, and fields that all their texts get."""

    format: Annotated[
        str | None, option("jsonl, csv or markdown; without it, the name of the file tells.")
    ] = None
    source: Annotated[
        str | None, option("First part of the ids of Markdown; without it, the folder's name.")
    ] = None
    session: Annotated[str | None, option("The conversation that all of it is from.")] = None
    text_column: Annotated[str | None, option("The column of a CSV that has the texts.")] = None
    unknown: Annotated[str, option("What becomes of unknown fields: metadata, or refuse.")] = (
        "metadata"
    )
    split_above: Annotated[
        int, option("Split Markdown files of more letters at their headings.", min=0)
    ] = 2000
    tags: Annotated[list[str] | None, option("A tag of every text; repeatable.", "--tag")] = None
    category: Annotated[str, option("What kind of texts they are.")] = ""
    actor: Annotated[str | None, option("Whose memories they are.")] = None
    lasts: Annotated[
        str | None, option("ephemeral, standard, durable or permanent; none: durable.")
    ] = None
    forget_missing: Annotated[
        bool, option("Forget the pieces of Markdown that are gone.", "--forget-missing")
    ] = False


@command()
def import_texts(
    runner: Runner,
    path: Annotated[Path, argument("JSON lines, CSV, Markdown, or a folder of Markdown files.")],
    *,
    options: ImportOptions,
    dry_run: Annotated[bool, option("Tell what would be done.", "--dry-run")] = False,
) -> None:
    """Remember what files hold, each row or piece once.

    The same files again change nothing, and what was edited updates its memory. Lines of JSON with
    a role and a content are messages of a conversation.
    """
    with progress.counter("Importing", "Importing: {:,} rows") as step:
        report = runner.run(
            lambda graph: graph.memories.import_file(
                path, dry_run=dry_run, on_progress=step, **options.typed()
            ),
            may_create=not dry_run,
        )
    runner.show(report, lambda: _print_report(report))
    if report.rejected and not report.created + report.updated + report.same:
        raise typer.Exit(1)


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
