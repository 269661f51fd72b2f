"""Where the local server keeps what it owns."""

import json
import os
import shutil
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from engine.errors import LocalServerError

OWN_NAMES = frozenset(
    (
        *("neo4j", "vectors", "lock", "server.json", "server.draft", "password", "password.draft"),
        *("before-restore", "replaced", "restoring"),
    )
)


@dataclass(frozen=True)
class State:
    """What a started server left on disk, so that other processes find it."""

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
    """The data directory: ASTERISM_HOME, or this user's own."""

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
        """Make every folder, the owner's alone, or say why that can't be done."""
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.neo4j.mkdir(exist_ok=True, mode=0o700)
            for name in ("conf", "data", "import", "logs", "plugins"):
                (self.neo4j / name).mkdir(exist_ok=True, mode=0o700)
            self._take_from_others()
            if not os.access(self.root, os.W_OK):
                raise PermissionError(f"{self.root} is read-only")
        except OSError as error:
            raise LocalServerError(
                f"can't write to the data directory {self.root} ({error}): "
                "make it writable, or point ASTERISM_HOME at a folder that is"
            ) from error

    def _take_from_others(self) -> None:
        """Leave what lies here to its owner, also if another version made it.

        The folder itself stays as it is while it holds things of somebody else, such as /tmp.
        """
        names = {path.name for path in self.root.iterdir()}
        if names <= OWN_NAMES:
            _restrict(self.root)
        for name in names & OWN_NAMES:
            _restrict(self.root / name)
            for folder, folders, inside in os.walk(self.root / name):
                for each in (*folders, *inside):
                    _restrict(Path(folder, each))

    def read_state(self) -> State | None:
        """The server last started here; None after `down`, or if the file is damaged."""
        try:
            return State(**json.loads(self.state_file.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def write_state(self, state: State) -> None:
        write_private(self.state_file, json.dumps(asdict(state)))

    def forget_state(self) -> None:
        self.state_file.unlink(missing_ok=True)


def write_private(path: Path, text: str) -> None:
    """Replace a file as a whole, for its owner's eyes, and never through a link."""
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
    """Take from others what rights they have."""
    with suppress(FileNotFoundError):  # a server that runs here makes and removes files
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode) and mode & 0o077:
            path.chmod(mode & 0o700)


def home() -> Home:
    """This user's data directory."""
    named = os.environ.get("ASTERISM_HOME")
    return Home(Path(named).expanduser().absolute() if named else user_data_path("asterism"))


def vectors() -> Path:
    """Where vectors are kept beside the store; deleting it costs reading them again."""
    return home().root / "vectors"


def forget_vectors(realm_key: str) -> None:
    """Remove what is kept of a realm's vectors, whichever server it is on."""
    for folder in vectors().glob(f"{realm_key}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def cache() -> Path:
    """Where downloads live; deleting it costs a download, nothing else."""
    named = os.environ.get("ASTERISM_CACHE")
    return Path(named).expanduser().absolute() if named else user_cache_path("asterism")
