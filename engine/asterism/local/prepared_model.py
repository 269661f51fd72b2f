"""Model as onnxruntime prepares it, beside the downloads: it loads in a fifth of the time."""

import hashlib
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from asterism.local import downloads

DIGEST = 32  # hexadecimal digits of sha256 in a file's name


def prepared(jar: Path, runtime: str, prepare: Callable[[Path], object]) -> bytes | None:
    """Return the model of a jar as a runtime has prepared it, made now if it is not there.

    None where no file can be written. The name of the file is the sha256 of its content.
    """
    stem = f"{jar.stem}-onnxruntime-{runtime}-"
    for path in jar.parent.glob(f"{stem}*.onnx"):
        with suppress(OSError):
            content = path.read_bytes()
            if path.stem == stem + _digest(content):
                return content
            path.unlink()
    with suppress(OSError), _folder_in(jar.parent) as folder:
        draft = Path(folder, "draft.onnx")
        prepare(draft)
        content = draft.read_bytes()
        draft.replace(jar.parent / f"{stem}{_digest(content)}.onnx")
        return content
    return None


def _folder_in(folder: Path) -> tempfile.TemporaryDirectory[str]:
    """Make a folder that the next download removes if this process is killed."""
    return tempfile.TemporaryDirectory(prefix=downloads.INCOMING, dir=folder)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGEST]
