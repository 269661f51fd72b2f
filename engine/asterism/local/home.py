"""Data directory of the local server: its paths, its state file and its permissions."""

import json
import os
import shutil
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from asterism.errors import LocalServerError

OWN_NAMES = frozenset(
    (
        *("neo4j", "vectors", "lock", "server.json", "server.draft", "password", "password.draft"),
        *("before-restore", "replaced", "restoring", "rewriting"),
    )
)


@dataclass(frozen=True)
class State:
    """Process, ports and version of a started server, on disk for other processes."""

    pid: int
    bolt_port: int
    http_port: int
    version: str

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def browser(self) -> str:
        return f"http://127.0.0.1:{self.http_port}/browser/"


@dataclass(frozen=True)
class Home:
    """Data directory: ASTERISM_HOME, or this user's own."""

    root: Path

    @property
    def neo4j(self) -> Path:
        return self.root / "neo4j"

    @property
    def conf(self) -> Path:
        return self.neo4j / "conf"

    @property
    def logs(self) -> Path:
        return self.neo4j / "logs"

    @property
    def data(self) -> Path:
        return self.neo4j / "data"

    @property
    def password_file(self) -> Path:
        return self.root / "password"

    @property
    def java_arguments(self) -> Path:
        return self.conf / "java.arguments"

    @property
    def lock_file(self) -> Path:
        return self.root / "lock"

    @property
    def state_file(self) -> Path:
        return self.root / "server.json"

    def prepare(self) -> None:
        """Make every folder, for the owner alone, or say why that can't be done."""
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.neo4j.mkdir(exist_ok=True, mode=0o700)
            for name in ("conf", "data", "import", "logs", "plugins"):
                (self.neo4j / name).mkdir(exist_ok=True, mode=0o700)
            self._restrict_to_owner()
            if not os.access(self.root, os.W_OK):
                raise PermissionError(f"{self.root} is read-only")
        except OSError as error:
            raise LocalServerError(
                f"can't write to the data directory {self.root} ({error}): "
                "make it writable, or point ASTERISM_HOME at a folder that is"
            ) from error

    def _restrict_to_owner(self) -> None:
        """Take the rights of others to what lies here, also if another version made it.

        The folder itself stays as it is while it holds things of somebody else, such as /tmp.
        """
        names = {path.name for path in self.root.iterdir()}
        if names <= OWN_NAMES:
            _restrict(self.root)
        for name in names & OWN_NAMES:
            _restrict(self.root / name)
            for folder, folders, files in os.walk(self.root / name):
                for each in (*folders, *files):
                    _restrict(Path(folder, each))

    def read_state(self) -> State | None:
        """Return the server last started here, None after `down` or if the file is damaged."""
        try:
            return State(**json.loads(self.state_file.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def write_state(self, state: State) -> None:
        write_private(self.state_file, json.dumps(asdict(state)))

    def forget_state(self) -> None:
        self.state_file.unlink(missing_ok=True)


def write_private(path: Path, text: str) -> None:
    """Replace a file as a whole, for its owner alone, and never through a link."""
    draft = path.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    with os.fdopen(os.open(draft, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for the owner alone."""
    for path in reversed((folder, *folder.parents)):
        if not path.exists():
            path.mkdir(exist_ok=True, mode=0o700)


def _restrict(path: Path) -> None:
    """Take the rights of others to one file or folder."""
    with suppress(FileNotFoundError):  # a server that runs here makes and removes files
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode) and mode & 0o077:
            path.chmod(mode & 0o700)


def home() -> Home:
    """Return this user's data directory."""
    path = os.environ.get("ASTERISM_HOME")
    return Home(Path(path).expanduser().absolute() if path else user_data_path("asterism"))


def vectors() -> Path:
    """Return the folder of the vector cache. Deleting it costs reading the vectors again."""
    return home().root / "vectors"


def forget_vectors(realm_key: str) -> None:
    """Delete the cached vectors of a realm, whichever server it is on."""
    for folder in vectors().glob(f"{realm_key}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def cache() -> Path:
    """Return the folder of downloads. Deleting it costs a download, nothing else."""
    path = os.environ.get("ASTERISM_CACHE")
    return Path(path).expanduser().absolute() if path else user_cache_path("asterism")
