"""The archive of classes: made after a start, used by the next, not trusted when damaged."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from asterism.errors import LocalServerError
from asterism.local import checked_files, class_archive, downloads, java, launch, server
from asterism.local.class_archive import ClassArchive
from asterism.local.home import Home, State
from tests.conftest import SMALL
from tests.support.prepared_home import copied, make_at_once

pytestmark = pytest.mark.slow

SOME = 4000  # of the 40,000 lines of a list, which take a quarter of the time


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClassArchive:
    """The archive of an empty cache, in which only the downloads are those of this user."""
    cache = tmp_path / "cache"
    cache.mkdir()
    for folder in (downloads.server_folder(), downloads.model_jar().parent):
        (cache / folder.name).symlink_to(folder, target_is_directory=True)
    monkeypatch.setenv("ASTERISM_CACHE", str(cache))
    return class_archive.archive_of(java.find(), downloads.server_folder())


@pytest.fixture
def home(quick_folder: Path, request: pytest.FixtureRequest) -> Iterator[Home]:
    """A data directory whose server is stopped at the end."""
    own = Home(quick_folder / request.node.name)
    yield own
    server.stop(own)


def started(home: Home) -> tuple[State, list[str]]:
    """Start the server and return its command."""
    state = server.start(home, SMALL)
    return state, psutil.Process(state.pid).cmdline()


def wait_for(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.1)


def test_it_is_made_after_a_start_used_by_the_next_and_made_anew_when_cut(
    archive: ClassArchive, home: Home, pattern: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made at once: on a busy machine a process that gives way to all would take minutes."""

    def make_of_some(archive: ClassArchive, class_list: Path) -> None:
        lines = class_list.read_text(errors="replace").splitlines(keepends=True)
        some = class_list.with_suffix(".some")  # the server goes on writing the other
        some.write_text("".join(lines[:SOME]))
        make_at_once(archive, some)

    copied(pattern, home.root)
    monkeypatch.setattr(ClassArchive, "make_in_background", make_of_some)
    use = f"-XX:SharedArchiveFile={archive.file}"
    assert archive.summary() == "not made yet: the next start records its classes"
    _, first = started(home)
    assert use not in first
    assert archive.problem() == ""
    assert 10_000_000 < archive.file.stat().st_size < class_archive.LARGEST_BYTES
    assert list(archive.file.parent.glob("*.draft")) == []
    server.stop(home)

    state, second = started(home)
    assert use in second
    assert not home.class_list.exists()  # each later start would look through it again
    assert "could not" not in (home.logs / "console.log").read_text().lower()
    if os.name == "posix" and hasattr(psutil.Process, "memory_maps"):
        maps = {each.path for each in psutil.Process(state.pid).memory_maps()}
        assert str(archive.file) in maps
    server.stop(home)

    os.truncate(archive.file, archive.file.stat().st_size // 2)
    assert archive.problem() == "damaged"
    _, third = started(home)
    assert use not in third
    assert archive.problem() == ""


def test_a_process_in_the_background_makes_it_of_the_classes_of_a_list(
    archive: ClassArchive, tmp_path: Path
) -> None:
    class_list = tmp_path / "classes.list"
    class_list.write_text("java/lang/Object id: 0\norg/neo4j/server/CommunityBootst")
    archive.make_in_background(class_list)
    own_list = archive.file.with_suffix(f".{os.getpid()}.list")
    wait_for(lambda: archive.facts_file.exists() and not own_list.exists())
    assert archive.problem() == ""


def test_a_list_that_is_still_written_is_taken_as_far_as_it_is_whole() -> None:
    text = "# 1\na/B id: 1\nc/D id: 2\na/B id: 1\n@lambda-proxy a/B run\ne/F id: 3\ng/H i"
    assert class_archive.whole_list(text) == (
        "# 1\na/B id: 1\nc/D id: 2\n@lambda-proxy a/B run\ne/F id: 3\n"
    )


def test_an_archive_of_other_jars_is_not_used(archive: ClassArchive, tmp_path: Path) -> None:
    archive.file.parent.mkdir()
    archive.file.write_bytes(b"classes")
    archive._write_facts(sha256=checked_files.digest(archive.file))
    assert archive.problem() == ""
    jar = tmp_path / "added.jar"
    jar.write_bytes(b"")
    other = ClassArchive(archive.java, archive.flags, (*archive.jars, jar))
    assert other.options() == []
    assert other.wanting()


def test_one_with_which_java_breaks_is_set_aside_and_the_server_starts(
    archive: ClassArchive, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that passes for sound, and an option by which Java insists on it."""
    archive.file.parent.mkdir()
    archive.file.write_bytes(b"classes")
    archive._write_facts(sha256=checked_files.digest(archive.file))
    monkeypatch.setattr(
        ClassArchive,
        "options",
        lambda self: (
            [f"-XX:SharedArchiveFile={self.file}", "-Xshare:on"] if self.problem() == "" else []
        ),
    )
    home.prepare()
    state = server.start(home, SMALL)
    assert not archive.file.exists()
    assert "crashed" in archive.summary()
    assert not archive.wanting()
    assert server.running(home) == state


@pytest.mark.parametrize("option", ["-XX:NoSuchOption", "-XX:+UseSerialGC -XX:+UseZGC"])
def test_an_option_of_the_users_that_java_refuses_leaves_it_in_use(
    archive: ClassArchive, home: Home, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """Both where a first start sets the password, and where the server itself starts."""
    archive.file.parent.mkdir()
    archive.file.write_bytes(b"classes")
    archive._write_facts(sha256=checked_files.digest(archive.file))
    monkeypatch.setenv("JDK_JAVA_OPTIONS", option)
    home.prepare()
    with pytest.raises(LocalServerError, match="set-initial-password failed"):
        server.start(home, SMALL)
    assert archive.problem() == ""
    (home.data / "databases" / "system").mkdir(parents=True)
    with pytest.raises(LocalServerError, match="did not start"):
        server.start(home, SMALL)
    assert archive.problem() == ""


def test_an_attempt_that_somebody_ends_is_repeated(archive: ClassArchive, tmp_path: Path) -> None:
    archive.file.parent.mkdir()
    ends_itself = tmp_path / "java"
    ends_itself.write_text("#!/bin/sh\nkill -9 $$\n")
    ends_itself.chmod(0o700)
    ended = ClassArchive(ends_itself, archive.flags, archive.jars)
    class_list = tmp_path / "classes"
    class_list.touch()
    ended.make(class_list)
    assert not class_list.exists()
    assert ended.problem() == "not made yet"
    assert ended.wanting()


def test_a_failed_attempt_is_not_repeated_with_the_same_java(
    archive: ClassArchive, tmp_path: Path
) -> None:
    archive.file.parent.mkdir()
    class_list = tmp_path / "classes"
    class_list.write_text("no/such/Class id: x super: y\n@wrong\n")
    archive.make(class_list)
    assert archive.problem() != ""
    assert "Java could not make it" in archive.problem()
    assert archive.start_options(home_list := tmp_path / "list") == []
    assert not home_list.exists()
    assert not launch.uses_archive(downloads.server_folder())
