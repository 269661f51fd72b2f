"""Files that pictures, traces and style sheets are written to."""

from pathlib import Path

from asterism.errors import InvalidInput
from asterism.private_files import PRIVATE, write_text


def refuse_unwritable(file: Path, argument: str) -> None:
    """Refuse a file that can't be written, before any work is done for it."""
    existed = file.exists()
    try:
        file.open("ab").close()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidInput(argument, str(file), f"it can't be written ({reason})") from error
    if not existed:
        file.unlink()


def save(file: Path, content: str, argument: str = "html", mode: int = PRIVATE) -> str:
    """Write or replace a file, and return "Wrote" or "Replaced"."""
    replaced = file.exists()
    refuse_unwritable(file, argument)
    write_text(file, content, mode)
    return "Replaced" if replaced else "Wrote"
