"""The archive of classes: made after a start, used by the next, not trusted when damaged."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from asterism import archive_maker
from asterism.errors import LocalServerError
from asterism.local import checked_files, class_archive, downloads, java, launch, server
from asterism.local.class_archive import ATTEMPTS, ClassArchive
from asterism.local.home import Home, State
from tests.conftest import SMALL
from tests.support.prepared_home import copied

pytestmark = pytest.mark.slow


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


def put_there(archive: ClassArchive, content: bytes = b"classes") -> None:
    """Put a file in place that passes for a sound archive."""
    archive.file.parent.mkdir()
    archive.file.write_bytes(content)
    archive._write_facts(sha256=checked_files.digest(archive.file))


def write_nothing(folder: Path, java_options: list[str]) -> None:
    """Train a Java that writes no archive."""


def write_small(folder: Path, java_options: list[str]) -> None:
    """Train a Java that writes something small."""
    folder.mkdir()
    [option] = java_options
    Path(option.partition("=")[2]).write_bytes(b"classes")


def test_a_start_without_one_has_it_made_in_the_background_and_the_next_uses_it(
    archive: ClassArchive, home: Home, pattern: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a server of its own, of which nothing is left."""
    copied(pattern, home.root)
    assert archive.summary() == "not made yet: the next start lets one be made in the background"
    _, first = started(home)
    assert not [word for word in first if str(archive.file) in word]
    server.stop(home)
    wait_for(archive.facts_file.exists)
    assert archive.problem() == ""
    assert 10_000_000 < archive.file.stat().st_size < class_archive.LARGEST_BYTES
    wait_for(lambda: not archive.training_folder.exists())
    assert list(archive.file.parent.glob("*.draft*")) == []

    state, second = started(home)
    assert [word for word in second if str(archive.file) in word]
    assert "could not" not in (home.logs / "console.log").read_text().lower()
    if os.name == "posix" and hasattr(psutil.Process, "memory_maps"):
        maps = {each.path for each in psutil.Process(state.pid).memory_maps()}
        assert str(archive.file) in maps
    server.stop(home)

    wanted: list[ClassArchive] = []
    monkeypatch.setattr(ClassArchive, "make_in_background", wanted.append)
    os.truncate(archive.file, archive.file.stat().st_size // 2)
    assert archive.problem() == "damaged"
    _, third = started(home)
    assert not [word for word in third if str(archive.file) in word]
    assert wanted == [archive]


def test_the_maker_leaves_the_settings_and_the_data_directory_of_its_user_alone(
    archive: ClassArchive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTERISM_HOME", str(tmp_path / "of-the-user"))
    monkeypatch.setenv("ASTERISM_EMBEDDER", "no-such-model")
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:NoSuchOption")
    trained: list[str] = []

    def train(folder: Path, java_options: list[str]) -> None:
        trained.extend(name for name in os.environ if name.startswith("ASTERISM_"))
        assert "JDK_JAVA_OPTIONS" not in os.environ
        write_small(folder, java_options)

    monkeypatch.setattr(archive_maker, "train", train)
    archive_maker.make()
    assert trained == ["ASTERISM_CACHE"]
    assert archive.problem() == ""
    assert not archive.training_folder.exists()


def test_a_java_without_profiles_of_methods_writes_classes_alone(archive: ClassArchive) -> None:
    older = ClassArchive(archive.java, 21, archive.flags, archive.jars)
    options: list[str] = []

    def train(folder: Path, java_options: list[str]) -> None:
        options.extend(java_options)
        write_small(folder, java_options)

    older.make(train)
    assert [option.partition("=")[0] for option in options] == ["-XX:ArchiveClassesAtExit"]
    assert older.options() == [f"-XX:SharedArchiveFile={older.file}"]


def test_an_archive_of_other_jars_is_not_used(archive: ClassArchive, tmp_path: Path) -> None:
    put_there(archive)
    assert archive.problem() == ""
    jar = tmp_path / "added.jar"
    jar.write_bytes(b"")
    other = ClassArchive(archive.java, archive.version, archive.flags, (*archive.jars, jar))
    assert other.options() == []
    assert other.wanting()


def test_one_with_which_java_breaks_is_set_aside_and_the_server_starts(
    archive: ClassArchive, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that passes for sound, and an option by which Java insists on it."""
    put_there(archive)
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


def test_a_file_that_is_no_archive_of_javas_only_costs_time(
    archive: ClassArchive, home: Home
) -> None:
    put_there(archive, b"classes" * 100_000)
    home.prepare()
    state, command = started(home)
    assert [word for word in command if str(archive.file) in word]
    assert server.running(home) == state


@pytest.mark.parametrize("option", ["-XX:NoSuchOption", "-XX:+UseSerialGC -XX:+UseZGC"])
def test_an_option_of_the_users_that_java_refuses_leaves_it_in_use(
    archive: ClassArchive, home: Home, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """Both where a first start sets the password, and where the server itself starts."""
    put_there(archive)
    monkeypatch.setenv("JDK_JAVA_OPTIONS", option)
    home.prepare()
    with pytest.raises(LocalServerError, match="set-initial-password failed"):
        server.start(home, SMALL)
    assert archive.problem() == ""
    (home.data / "databases" / "system").mkdir(parents=True)
    with pytest.raises(LocalServerError, match="did not start"):
        server.start(home, SMALL)
    assert archive.problem() == ""


def test_an_attempt_that_fails_is_repeated_after_later_starts_but_not_for_ever(
    archive: ClassArchive, home: Home
) -> None:
    for attempt in range(ATTEMPTS):
        assert archive.wanting(), attempt
        archive.make(write_nothing)
        assert "Java could not make it" in archive.problem()
    assert not archive.wanting()
    assert not launch.uses_archive(downloads.server_folder())
    other = ClassArchive(archive.java, archive.version, ("--another",), archive.jars)
    assert other.wanting()


def test_a_server_that_does_not_start_is_a_failed_attempt(
    archive: ClassArchive, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it printed is in the log."""
    archive.make(lambda folder, _: archive_maker.train(folder, ["-XX:NoSuchOption"]))
    assert "it could not be made" in archive.problem()
    assert archive.wanting()
    printed = capsys.readouterr()
    assert "NoSuchOption" in printed.out
    assert "LocalServerError" in printed.err
    assert not archive.training_folder.exists()


def test_one_that_is_too_large_is_not_kept(
    archive: ClassArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_archive, "LARGEST_BYTES", 3)
    archive.make(write_small)
    assert archive.problem() == "it would have 0 MB"
    assert not archive.wanting()
    assert not archive.file.exists()


def test_without_room_none_is_tried(archive: ClassArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_archive, "LEAST_FREE_BYTES", sys.maxsize)
    archive.make(write_small)
    assert archive.problem() == "not made yet"
    assert archive.wanting()


def test_on_windows_there_is_none(archive: ClassArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    put_there(archive)
    monkeypatch.setattr(sys, "platform", "win32")
    assert archive.options() == []
    assert not archive.wanting()
    assert "Windows" in archive.summary()
