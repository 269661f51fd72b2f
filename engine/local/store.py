"""The database's files: set aside before a restore, put back if it does not finish."""

import shutil
from pathlib import Path

from engine.local.home import Home

DATABASE = "neo4j"


def exists(home: Home) -> bool:
    return _files(home)[0].is_dir()


def set_aside(home: Home) -> None:
    """Move the store out of the way; until `drop_aside`, it is the one that counts."""
    for part, kept in _pairs(home):
        if part.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            part.rename(kept)


def put_back(home: Home) -> None:
    """Undo an unfinished restore; nothing to do when there was none."""
    for part, kept in _pairs(home):
        if kept.exists():
            shutil.rmtree(part, ignore_errors=True)
            kept.rename(part)
    for leftover in (_aside(home), _done(home), scratch(home)):
        shutil.rmtree(leftover, ignore_errors=True)


def drop_aside(home: Home) -> None:
    """The restore is done. One rename decides, so that a crash can't leave half of each."""
    if _aside(home).exists():
        _aside(home).rename(_done(home))
    shutil.rmtree(_done(home), ignore_errors=True)


def scratch(home: Home) -> Path:
    """Where a dump lies while it is being loaded."""
    return home.root / "restoring"


def _done(home: Home) -> Path:
    return home.root / "replaced"


def _aside(home: Home) -> Path:
    return home.root / "before-restore"


def _files(home: Home) -> list[Path]:
    return [home.data / kind / DATABASE for kind in ("databases", "transactions")]


def _pairs(home: Home) -> list[tuple[Path, Path]]:
    return [(part, _aside(home) / part.parent.name) for part in _files(home)]
