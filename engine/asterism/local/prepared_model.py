"""Model as onnxruntime prepares it, beside the downloads: it loads in a fraction of the time."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

DIGEST = 32  # hexadecimal digits of sha256 in a file's name
DRAFT = ".preparing-"  # not the name of a download: another process removes those it finds


def prepared(jar: Path, runtime: str, prepare: Callable[[Path], object]) -> bytes | None:
    """Return the model of a jar as a runtime has prepared it, made now if it is not there.

    None where no file can be written. The name of the file is the sha256 of its content.
    """
    stem = f"{jar.stem}-onnxruntime-{runtime}-"
    if content := _intact(jar.parent, stem):
        return content
    with suppress(OSError), FileLock(jar.parent / "prepared.lock"):
        return _intact(jar.parent, stem) or _made(jar.parent, stem, prepare)
    return None


def _intact(folder: Path, stem: str) -> bytes | None:
    """Return the file whose content has the sha256 of its name."""
    for path in folder.glob(f"{stem}*.onnx"):
        with suppress(OSError):
            content = path.read_bytes()
            if path.stem == stem + _digest(content):
                return content
    return None


def _made(folder: Path, stem: str, prepare: Callable[[Path], object]) -> bytes | None:
    """Put a new file in the place of damaged ones, while holding the lock."""
    for leftover in folder.glob(f"{DRAFT}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=DRAFT, dir=folder) as drafts:
        draft = Path(drafts, "draft.onnx")
        try:
            prepare(draft)
        except Exception:  # a full disk has an error of the runtime's own; the jar is there as well
            return None
        content = draft.read_bytes()
        for damaged in folder.glob(f"{stem}*.onnx"):
            damaged.unlink()
        draft.replace(folder / f"{stem}{_digest(content)}.onnx")
    return content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGEST]
