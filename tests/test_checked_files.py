"""Files whose sha256 was right once: believed until they change, and not a moment longer."""

import hashlib
import os
from pathlib import Path

import pytest

from asterism.local import checked_files
from asterism.local.checked_files import CheckedFiles

WHOLE = b"what it should hold"
SHA256 = hashlib.sha256(WHOLE).hexdigest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(WHOLE)
    return path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "record.checked"


def is_intact(file: Path, record: Path) -> bool:
    """Look as a process does that starts anew."""
    checked = CheckedFiles(record)
    intact = checked.is_intact(file, SHA256)
    checked.save()
    return intact


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that are read, and clocks so fine that no change is missed."""
    paths: list[Path] = []
    whole = checked_files.digest

    def digest(path: Path) -> str:
        paths.append(path)
        return whole(path)

    monkeypatch.setattr(checked_files, "digest", digest)
    monkeypatch.setattr(checked_files, "UNSETTLED_NS", 0)
    return paths


def test_a_file_that_was_right_is_read_once(file: Path, record: Path, reads: list[Path]) -> None:
    assert [is_intact(file, record) for _ in range(3)] == [True] * 3
    assert reads == [file]


def test_a_file_that_was_replaced_by_one_of_its_size_and_time_is_read_again(
    file: Path, record: Path, reads: list[Path]
) -> None:
    assert is_intact(file, record)
    before = file.stat()
    file.unlink()
    file.write_bytes(WHOLE[::-1])
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    assert not is_intact(file, record)
    file.write_bytes(WHOLE)
    assert is_intact(file, record)
    assert len(reads) == 3


def test_another_hash_that_is_asked_for_is_compared(
    file: Path, record: Path, reads: list[Path]
) -> None:
    assert is_intact(file, record)
    assert not CheckedFiles(record).is_intact(file, hashlib.sha256(b"else").hexdigest())
    assert len(reads) == 2


def test_a_file_that_has_just_been_written_is_not_believed_the_next_time(
    file: Path, record: Path
) -> None:
    """Nobody can tell a change in the same moment from none."""
    assert is_intact(file, record)
    assert not record.exists()


@pytest.mark.parametrize("text", ["[1", "[]", '{"file": 1}'])
def test_a_damaged_record_is_no_obstacle(
    file: Path, record: Path, reads: list[Path], text: str
) -> None:
    record.write_text(text)
    assert is_intact(file, record)
    assert reads == [file]
    assert is_intact(file, record)
    assert reads == [file]


def test_a_file_that_is_not_there_is_not_intact(record: Path, tmp_path: Path) -> None:
    assert not CheckedFiles(record).is_intact(tmp_path / "none", "")
