"""Writes files that only their owner can read, whole or not at all."""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from asterism.errors import InvalidInput

PRIVATE = 0o600
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


@contextmanager
def replacing(path: Path, mode: int = PRIVATE) -> Iterator[IO[bytes]]:
    """Write a draft beside a file, with its mode from the first byte, and put it in place whole.

    What a killed writer left of an earlier draft is removed. A pipe or a device is written to.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    _remove_drafts(path)
    draft = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}.draft")
    descriptor = os.open(draft, _NEW, PRIVATE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.chmod(draft, mode)  # whatever the umask is
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: Path, text: str, mode: int = PRIVATE) -> None:
    """Write a whole text in place of the one that is there."""
    with replacing(path, mode) as file:
        file.write(text.encode())


def parsed_mode(text: str) -> int:
    """Return the permissions that a person typed, such as 644."""
    if not re.fullmatch(r"0?[0-7]{3}", text):
        raise InvalidInput("mode", text, "give three octal digits, such as 600 or 644")
    return int(text, 8)


def _remove_drafts(path: Path) -> None:
    """Remove drafts of this file whose writers are dead."""
    pattern = re.compile(rf"{re.escape(path.name)}\.(\d+)(-[0-9a-f]+)?\.draft")
    with suppress(OSError):
        for other in path.parent.iterdir():
            match = pattern.fullmatch(other.name)
            if match and not _alive(int(match[1])):
                other.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's
        return True
    return True
