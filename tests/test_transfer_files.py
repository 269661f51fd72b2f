"""Files that are written belong to their owner alone, and lines that are read have a limit."""

import gzip
import io
import json
import os
import stat
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from asterism.bounded_lines import LONGEST_LINE, bounded_lines
from asterism.causality.transcripts import readers
from asterism.errors import InvalidInput
from asterism.graph import Graph
from asterism.private_files import parsed_mode, replacing, write_text
from asterism.tabular import LineReader
from asterism.view import output_files
from tests.support.stars_world import add
from tests.test_cli_consolidation import output_of
from tests.test_cli_memory import Run, realm, run

__all__ = ["realm", "run"]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.slow
async def test_an_export_is_its_owners_alone(graph: Graph, tmp_path: Path) -> None:
    await add(graph, "sea")
    file, open_to_all = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    before = os.umask(0o022)
    try:
        await graph.realms.export(file)
        await graph.realms.export(open_to_all, mode=0o644)
    finally:
        os.umask(before)
    assert (mode(file), mode(open_to_all)) == (0o600, 0o644)


def test_a_file_is_private_before_its_first_byte_and_a_wider_one_becomes_so(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("old")
    file.chmod(0o666)
    with replacing(file) as opened:
        [draft] = tmp_path.glob("*.draft")
        assert (draft.stat().st_size, mode(draft)) == (0, 0o600)
        opened.write(b"new")
        assert file.read_text() == "old"
    assert (file.read_text(), mode(file)) == ("new", 0o600)
    output_files.save(file, "newer")
    assert (file.read_text(), mode(file)) == ("newer", 0o600)


def test_a_link_that_lies_where_a_draft_goes_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    file = tmp_path / "page.html"
    file.symlink_to(precious)
    write_text(file, "new")
    assert (precious.read_text(), file.read_text(), file.is_symlink()) == ("mine", "new", False)


def test_what_a_killed_writer_left_goes_with_the_next(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = [tmp_path / f"a.jsonl.{dead.pid}{more}.draft" for more in ("", "-0123abcd")]
    stays = [
        tmp_path / f"a.jsonl.{os.getpid()}-0123abcd.draft",  # of a writer that is alive
        tmp_path / f"b.jsonl.{dead.pid}.draft",
        tmp_path / "a.jsonl.mine.draft",
    ]
    for path in (*left, *stays):
        path.write_text("half")
    write_text(file, "whole")
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in stays)


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    write_text(Path("/dev/null"), "text")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("text", ["", "6", "888", "0o600", "rw", "77777"])
def test_what_is_no_mode_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="three octal digits, such as 600 or 644"):
        parsed_mode(text)


@pytest.mark.slow
def test_commands_write_private_files_unless_told(run: Run, realm: str, tmp_path: Path) -> None:
    output_of(run("memory", "add", "Lyra keeps the lighthouse key.", "--realm", realm))
    page, export = tmp_path / "page.html", tmp_path / "realm.jsonl"
    output_of(run("view", "--html", str(page), "--realm", realm))
    output_of(run("export", str(export), "--mode", "644", "--realm", realm))
    assert (mode(page), mode(export)) == (0o600, 0o644)
    refused = run("export", str(export), "--force", "--mode", "rw", "--realm", realm)
    assert refused.returncode == 2


# Lines


def test_a_line_that_is_too_long_is_left_out_and_the_next_is_read() -> None:
    data = io.BytesIO(b"one\n" + b"x" * 40 + b"\nthree\n" + b"y" * 40)
    assert list(bounded_lines(data, 10)) == [b"one\n", None, b"three\n", None]
    assert list(bounded_lines(io.BytesIO(b"0123456789"), 10)) == [b"0123456789"]
    assert list(bounded_lines(io.BytesIO(b"012345678\n"), 10)) == [b"012345678\n"]


def bomb(path: Path, head: bytes, size: int) -> Path:
    """A small packed file that holds one line of so many bytes, and a good one."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(head)
        for _ in range(size // 2**20):
            file.write(b" " * 2**20)
        file.write(b"\n{}\n")
    return path


@pytest.mark.slow
def test_a_packed_bomb_is_one_bad_line_and_stays_small_in_memory(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb.gz", b"", 4 * LONGEST_LINE)
    assert path.stat().st_size < 4 * 2**20
    tracemalloc.start()
    lines = LineReader(path)
    rest = list(lines)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [line for _, line in rest] == [b"{}\n"]
    assert [(bad.line, bad.reason) for bad in lines.bad] == [(1, "it is longer than 64 MB")]
    assert peak < 2.5 * LONGEST_LINE


@pytest.mark.slow
async def test_an_import_refuses_a_bomb_by_its_line(graph: Graph, tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb.jsonl.gz", b"", 2 * LONGEST_LINE)
    with pytest.raises(InvalidInput, match="line 1: it is longer than 64 MB"):
        await graph.realms.load(path)
    head = {"format": "asterism realm", "version": 1, "schema_version": 1, "engine": "1",
            "realm": "x", "model": None, "nodes": 1, "relationships": 0}  # fmt: skip
    path = bomb(tmp_path / "b.jsonl.gz", json.dumps(head).encode() + b"\n", 2 * LONGEST_LINE)
    with pytest.raises(InvalidInput, match="line 2: it is longer than 64 MB"):
        await graph.realms.load(path)


@pytest.mark.slow
def test_a_transcript_has_a_limit_too(tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    with long.open("wb") as file:
        file.write(b"DM: A door.\nDM: ")
        file.truncate(LONGEST_LINE + 100)
    with pytest.raises(InvalidInput, match=r"line 2.*longer than 64 MB"):
        readers.read(long)
