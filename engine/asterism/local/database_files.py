"""Files of the local server's database: set aside while a new one is made, put back or deleted."""

import shutil
from pathlib import Path

from asterism.local.home import Home

DATABASE = "neo4j"


def exists(home: Home) -> bool:
    return _folders(home)[0].is_dir()


def set_aside(home: Home) -> None:
    """Move the database out of the way. Until `delete_set_aside`, it is the one that counts."""
    for folder, aside in _moves(home):
        if folder.exists():
            aside.parent.mkdir(parents=True, exist_ok=True)
            folder.rename(aside)


def put_back(home: Home) -> None:
    """Undo an unfinished exchange of the database, and delete what it left."""
    for folder, aside in _moves(home):
        if aside.exists():
            shutil.rmtree(folder, ignore_errors=True)
            aside.rename(folder)
    for leftover in (_set_aside(home), _replaced(home), load_folder(home), export_folder(home)):
        shutil.rmtree(leftover, ignore_errors=True)


def delete_set_aside(home: Home) -> None:
    """Make the new database the one that counts, and delete the old one."""
    if _set_aside(home).exists():
        _set_aside(home).rename(_replaced(home))  # one step: a crash can't leave half of each
    shutil.rmtree(_replaced(home), ignore_errors=True)


def load_folder(home: Home) -> Path:
    """Return the folder of a dump while it is loaded."""
    return home.root / "restoring"


def export_folder(home: Home) -> Path:
    """Return the folder of the exports of a rewrite."""
    return home.root / "rewriting"


def size(home: Home) -> int:
    """Return the bytes of all files of the database."""
    files = (path for folder in _folders(home) for path in folder.rglob("*"))
    return sum(path.stat().st_size for path in files if path.is_file())


def _set_aside(home: Home) -> Path:
    return home.root / "before-restore"


def _replaced(home: Home) -> Path:
    return home.root / "replaced"


def _folders(home: Home) -> list[Path]:
    return [home.data / kind / DATABASE for kind in ("databases", "transactions")]


def _moves(home: Home) -> list[tuple[Path, Path]]:
    return [(folder, _set_aside(home) / folder.parent.name) for folder in _folders(home)]
