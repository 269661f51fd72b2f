"""Model as onnxruntime prepares it, beside the downloads: it loads in a fraction of the time."""

import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from asterism.local.checked_files import digest, is_intact

DIGEST = 32  # hexadecimal digits of sha256 in a file's name
DRAFT = ".preparing-"  # not the name of a download: another process removes those it finds


def prepared(jar: Path, runtime: str, prepare: Callable[[Path], object]) -> Path | None:
    """Return the file of a jar's model as a runtime has prepared it, made now if it is not there.

    None where no file can be written. The name of the file is the sha256 of its content.
    """
    stem = f"{jar.stem}-onnxruntime-{runtime}-"
    if path := _intact(jar.parent, stem):
        return path
    with suppress(OSError), FileLock(jar.parent / "prepared.lock"):
        return _intact(jar.parent, stem) or _made(jar.parent, stem, prepare)
    return None


def _intact(folder: Path, stem: str) -> Path | None:
    """Return the file whose content has the sha256 of its name."""
    for path in folder.glob(f"{stem}*.onnx"):
        if is_intact(path, path.stem.removeprefix(stem)):
            return path
    return None


def _made(folder: Path, stem: str, prepare: Callable[[Path], object]) -> Path | None:
    """Put a new file in the place of damaged ones, while holding the lock."""
    for leftover in folder.glob(f"{DRAFT}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=DRAFT, dir=folder) as drafts:
        draft = Path(drafts, "draft.onnx")
        try:
            prepare(draft)
        except Exception:  # a full disk has an error of the runtime's own; the jar is there as well
            return None
        for damaged in folder.glob(f"{stem}*.onnx*"):
            damaged.unlink()
        return draft.replace(folder / f"{stem}{digest(draft)[:DIGEST]}.onnx")
