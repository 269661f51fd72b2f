"""The archive of classes: made after a start, used by the next, not trusted when damaged."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from asterism import archive_maker
from asterism.errors import LocalServerError
from asterism.local import checked_files, class_archive, config, downloads, java, launch, server
from asterism.local.class_archive import ATTEMPTS, NOT_DONE, ClassArchive
from asterism.local.home import Home, State
from tests.conftest import SMALL
from tests.support.prepared_home import copied, make_at_once

pytestmark = pytest.mark.slow
make_archive_if_missing = launch.make_archive_if_missing


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClassArchive:
    """The archive of an empty cache, in which only the downloads are those of this user.

    None is made but by the test itself.
    """
    cache = tmp_path / "cache"
    cache.mkdir()
    for folder in (downloads.server_folder(), downloads.model_jar().parent):
        (cache / folder.name).symlink_to(folder, target_is_directory=True)
    monkeypatch.setenv("ASTERISM_CACHE", str(cache))
    monkeypatch.setattr(archive_maker, "LEAST_FREE_BYTES", 0)
    monkeypatch.setattr(launch, "make_archive_if_missing", lambda jars: None)
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


def write_nothing(archive: ClassArchive) -> None:
    """Train a Java that writes no archive."""


def write_small(archive: ClassArchive) -> None:
    """Train a Java that writes something small."""
    archive.training_folder.mkdir()
    archive.draft.write_bytes(b"classes")


def test_a_start_without_one_has_it_made_and_the_next_uses_it(
    archive: ClassArchive, home: Home, pattern: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made at once: on a busy machine a process that gives way to all would take minutes."""
    monkeypatch.setattr(launch, "make_archive_if_missing", make_archive_if_missing)
    monkeypatch.setattr(ClassArchive, "make_in_background", make_at_once)
    copied(pattern, home.root)
    summary = "not made yet: a start without one has it made in the background"
    assert archive.summary() == summary
    _, first = started(home)
    assert not [word for word in first if str(archive.file) in word]
    assert archive.problem() == ""
    assert 10_000_000 < archive.file.stat().st_size < class_archive.LARGEST_BYTES
    assert not archive.training_folder.exists()
    assert list(archive.file.parent.glob("*.new*")) == []
    server.stop(home)

    state, second = started(home)
    assert [word for word in second if str(archive.file) in word]
    assert "could not" not in (home.logs / "console.log").read_text().lower()
    if os.name == "posix" and hasattr(psutil.Process, "memory_maps"):
        maps = {each.path for each in psutil.Process(state.pid).memory_maps()}
        assert str(archive.file) in maps
    server.stop(home)

    made: list[ClassArchive] = []
    monkeypatch.setattr(ClassArchive, "make_in_background", lambda self: made.append(self))
    os.truncate(archive.file, archive.file.stat().st_size // 2)
    assert archive.problem() == "damaged"
    _, third = started(home)
    assert not [word for word in third if str(archive.file) in word]
    assert made == [archive]


def test_a_process_in_the_background_writes_to_the_log(
    archive: ClassArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_archive, "MAKER", "this")  # of Python's own, which prints a poem
    archive.make_in_background()
    wait_for(lambda: archive.log.is_file() and "Namespaces" in archive.log.read_text())


def test_the_maker_gives_way_to_all() -> None:
    script = "import os; from asterism import archive_maker as maker"
    script += "; maker.make_alone = lambda: print(os.nice(0)); maker.main()"
    printed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert int(printed.stdout) == 19


def test_the_maker_leaves_the_settings_of_its_user_alone(
    archive: ClassArchive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTERISM_HOME", str(tmp_path / "of-the-user"))
    monkeypatch.setenv("ASTERISM_EMBEDDER", "no-such-model")
    monkeypatch.setenv("NEO4J_DATABASE", "of-the-user")
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:NoSuchOption")
    left: list[str] = []

    def make(archive: ClassArchive) -> None:
        left.extend(name for name in os.environ if name.startswith(archive_maker.LEFT_OUT))

    monkeypatch.setattr(archive_maker, "make", make)
    archive_maker.make_alone()
    assert left == ["ASTERISM_CACHE"]


def test_a_java_without_profiles_of_methods_writes_classes_alone(archive: ClassArchive) -> None:
    older = ClassArchive(archive.java, 21, archive.flags, archive.jars)
    assert older.recording() == [f"-XX:ArchiveClassesAtExit={older.draft}"]
    archive_maker.make(older, write_small)
    assert older.options() == [f"-XX:SharedArchiveFile={older.file}"]


def test_a_draft_that_java_does_not_take_is_refused(archive: ClassArchive) -> None:
    archive.file.parent.mkdir()
    write_small(archive)
    with pytest.raises(LocalServerError, match="Java does not take it"):
        archive_maker.require_accepted(archive)
    older = ClassArchive(archive.java, 21, archive.flags, archive.jars)
    with pytest.raises(LocalServerError, match="Java does not take it"):
        archive_maker.require_accepted(older)


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
    archive: ClassArchive,
) -> None:
    for attempt in range(ATTEMPTS):
        assert archive.wanting(), attempt
        archive_maker.make(archive, write_nothing)
        assert "Java did not write it" in archive.problem()
    assert not archive.wanting()
    assert not launch.uses_archive(downloads.server_folder())
    other = ClassArchive(archive.java, archive.version, ("--another",), archive.jars)
    assert other.wanting()


def test_an_attempt_that_is_cut_off_counts(archive: ClassArchive) -> None:
    class Killed(BaseException):
        pass

    def train(archive: ClassArchive) -> None:
        assert archive.problem() == NOT_DONE
        raise Killed

    with pytest.raises(Killed):
        archive_maker.make(archive, train)
    assert archive.failures() == 1
    archive_maker.make(archive, write_small)
    assert archive.problem() == ""


def test_a_server_that_does_not_start_is_a_failed_attempt(
    archive: ClassArchive, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Find what it printed in the log."""
    monkeypatch.setattr(ClassArchive, "recording", lambda self: ["-XX:NoSuchOption"])
    with pytest.raises(LocalServerError):
        archive_maker.make(archive)
    assert "it could not be made" in archive.problem()
    assert archive.wanting()
    assert "NoSuchOption" in capsys.readouterr().out
    assert not archive.training_folder.exists()


def test_a_server_that_a_killed_maker_left_is_ended_by_the_next(archive: ClassArchive) -> None:
    """Here the maker is this process, which forgets the server."""
    archive.file.parent.mkdir()
    home = Home(archive.training_folder)
    home.prepare()
    state = server.start(home, SMALL)
    home.forget_state()
    left = psutil.Process(state.pid)
    try:
        archive_maker.make(archive, write_small)
        assert not left.is_running() or left.status() == psutil.STATUS_ZOMBIE
    finally:
        server.stop(home)
    assert archive.problem() == ""
    assert not archive.training_folder.exists()


def test_what_is_left_of_a_java_that_is_gone_is_removed(
    archive: ClassArchive, tmp_path: Path
) -> None:
    other = ClassArchive(tmp_path / "gone", archive.version, archive.flags, archive.jars)
    put_there(other)
    other.lock_file.touch()
    other.training_folder.mkdir()
    other.draft.write_bytes(b"")
    archive.draft.with_name(f"{archive.draft.name}.config").write_bytes(b"")
    archive_maker.make(archive, write_small)
    assert archive.problem() == ""
    assert not list(archive.file.parent.glob(f"{other.file.stem}*"))
    left = {path.suffix for path in archive.file.parent.iterdir()}
    assert left - {".checked"} == {".jsa", ".json", ".lock"}


def test_one_that_is_too_large_is_not_kept(
    archive: ClassArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_archive, "LARGEST_BYTES", 3)
    archive_maker.make(archive, write_small)
    assert archive.problem() == "it would have 0 MB"
    assert not archive.wanting()
    assert not archive.file.exists()


def test_without_room_none_is_tried(archive: ClassArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_maker, "LEAST_FREE_BYTES", sys.maxsize)
    archive_maker.make(archive, write_small)
    assert archive.problem() == "not made yet"
    assert archive.wanting()


def test_memory_of_a_container_is_what_its_limit_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CONTROL_GROUP", tmp_path)
    free = config.available_bytes()
    assert free > 0
    (tmp_path / "memory.max").write_text("9000\n")
    (tmp_path / "memory.current").write_text("2000\n")
    assert config.available_bytes() == 7000
    (tmp_path / "memory.max").write_text("max\n")
    assert config.available_bytes() > 7000


def test_on_windows_there_is_none(archive: ClassArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    put_there(archive)
    monkeypatch.setattr(sys, "platform", "win32")
    assert archive.options() == []
    assert not archive.wanting()
    assert "Windows" in archive.summary()
