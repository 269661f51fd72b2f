"""`asterism export` and `asterism import`: a realm as a file."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from asterism.cli.filter_options import Filter
from asterism.cli.options import Mode, argument, option
from asterism.cli.progress import stage_bar
from asterism.cli.realm import with_realms
from asterism.cli.runner import Answer, Runner, command

STEP = 100

File = Annotated[Path, argument("The file; .gz packs it.")]
Force = Annotated[bool, option("Replace the file if it is there.", "--force")]
RealmToFill = Annotated[
    str, option("The realm to fill; it is made.", "--realm", envvar="ASTERISM_REALM")
]


@command()
def export(
    runner: Runner, file: File, force: Force = False, mode: Mode = "600", *, filter: Filter
) -> None:
    """Write a realm to one file, exactly: nodes, relationships, vectors.

    One JSON line each, packed if the name ends in .gz. The same content is always the same file, so
    files can be compared. A file that is there already is refused. With --force it is replaced,
    once the new one is whole.

    With a filter it holds the texts that pass, and what is theirs alone, as if all others had been
    forgotten: their names, words, conversations, edges and evidence. Nothing else is in it.
    """
    from asterism.private_files import parsed_mode

    permissions, realm, conditions = parsed_mode(mode), runner.realm, filter.conditions()
    if not force:
        _refuse_existing(file)
    with stage_bar("Exporting") as step:
        count = _counting("Exporting", step)
        report = with_realms(
            lambda realms: realms.export(
                file, name=realm, on_progress=count, mode=permissions, **conditions
            )
        )
    numbers = f"{report.nodes} nodes and {report.relationships} relationships"
    text = f"Exported {numbers} of {realm} to {report.file}."
    if report.filter:
        counts = ", ".join(f"{count} {kind}" for kind, count in report.left_out.items())
        text += f"\nOnly texts that pass: {report.filter}\nLeft out: {counts or 'nothing'}"
    runner.show(report, "\n".join((text, *report.warnings)))


@command()
def import_(answer: Answer, file: File, realm: RealmToFill = "default") -> None:
    """Fill an empty realm from a file that `asterism export` wrote.

    The file is checked whole before anything is written. Interrupted, the realm is listed as
    unfinished: repeat the command, or delete the realm. A realm that holds anything is left alone.
    """
    with stage_bar("Importing") as step:
        count = _counting("Importing", step)
        report = with_realms(lambda realms: realms.load(file, name=realm, on_progress=count))
    numbers = f"{report.nodes} nodes and {report.relationships} relationships"
    answer.show(report, f"Imported {numbers} into {realm}.")


def _refuse_existing(file: Path) -> None:
    from asterism.errors import InvalidInput

    if file.exists() and not file.is_dir():  # of a folder, the export itself says what is wrong
        raise InvalidInput("file", str(file), "it exists: give another name, or pass --force")


def _counting(stage: str, step: Callable[[str, int, int], Any]) -> Callable[[int, int], None]:
    """Return what moves the bar once in a hundred lines."""

    def count(lines: int, total: int) -> None:
        if lines % STEP == 0 or lines == total:
            step(stage, lines, total)

    return count
