"""Where the local server keeps what it owns."""

import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from engine.errors import LocalServerError


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
    def lock_file(self) -> Path:
        return self.root / "lock"

    @property
    def state_file(self) -> Path:
        return self.root / "server.json"

    def prepare(self) -> None:
        """Make every folder, or say why that can't be done."""
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            for name in ("conf", "data", "import", "logs", "plugins"):
                (self.neo4j / name).mkdir(parents=True, exist_ok=True)
            if not os.access(self.root, os.W_OK):
                raise PermissionError(f"{self.root} is read-only")
        except OSError as error:
            raise LocalServerError(
                f"can't write to the data directory {self.root} ({error}): "
                "make it writable, or point ASTERISM_HOME at a folder that is"
            ) from error

    def read_state(self) -> State | None:
        """The server last started here; None after `down`, or if the file is damaged."""
        try:
            return State(**json.loads(self.state_file.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def write_state(self, state: State) -> None:
        draft = self.state_file.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(state)))
        draft.replace(self.state_file)

    def forget_state(self) -> None:
        self.state_file.unlink(missing_ok=True)


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
