"""The file itself: written beside its name and then put in place, checked whole before use."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version as installed
from pathlib import Path
from typing import IO, Any, cast

from pydantic import BaseModel, ValidationError

from engine.bounded_lines import TOO_LONG, bounded_lines
from engine.database import Row
from engine.errors import InvalidInput, SchemaMismatch
from engine.private_files import PRIVATE, replacing
from engine.transfer import rows
from engine.transfer.indexes import indexed
from engine.transfer.model import FORMAT, VERSION, Footer, Header, Model
from engine.transfer.spool import Spool

AGAIN = "export the realm again, or take another copy of the file"


@dataclass(frozen=True)
class Sealed:
    """A file that has been read to its end and is what it says."""

    path: Path
    header: Header
    footer: Footer
    realm: str
    realm_row: Row

    def rows(self) -> Iterator[tuple[bool, Row, int]]:
        """Every row but the realm's own: whether it is a node's, what it says, and its size."""
        seen = _Seen(self.path)
        for number, told in seen.between():
            is_node = number <= self.header.nodes + 1
            row = (rows.node_row if is_node else rows.relationship_row)(told, self.realm)[-1]
            if row.get("labels") != ["Realm"]:
                yield is_node, row, seen.size
        if seen.footer != self.footer:
            raise InvalidInput("file", str(self.path), f"it changed while it was read: {AGAIN}")


def engine_version() -> str:
    """The version that a file says it was written by."""
    return installed("asterism")


def write(
    path: Path,
    header: Header,
    lines: Iterator[bytes],
    step: Callable[[], None],
    mode: int = PRIVATE,
) -> Footer:
    """Write a whole file; whatever goes wrong, what was there before stays."""
    digest = sha256()
    with replacing(path, mode) as raw, _packed(path, raw) as file:
        for line in _headed(header, lines, step):
            digest.update(line)
            file.write(line)
        counts = {"nodes": header.nodes, "relationships": header.relationships}
        footer = Footer(sha256=digest.hexdigest(), **counts)
        file.write(rows.line({"footer": footer.model_dump()}))
    return footer


def seal(path: Path, realm: str, schema: int, step: Callable[[int, int], None]) -> Sealed:
    """Read a file to its end; the first thing that is wrong with it is refused by its line."""
    seen = _Seen(path)
    header = read_header(path, schema)
    total = header.nodes + header.relationships
    counts, realm_row = [0, 0], None
    with Spool() as spool:
        for number, told in seen.between():
            is_node = number <= header.nodes + 1
            try:
                row = _note(spool, number, told, realm, is_node)
            except (ValueError, TypeError, KeyError) as error:
                raise _wrong(path, number, str(error)) from error
            counts[not is_node] += 1
            if row.get("labels") == ["EmbeddingModel"]:
                _require_same_model(path, number, header, row["properties"])
            realm_row = row if row.get("labels") == ["Realm"] else realm_row
            step(number - 1, total)
        footer = seen.footer
        told_counts = [footer.nodes, footer.relationships]
        if not counts == told_counts == [header.nodes, header.relationships]:
            raise _wrong(path, seen.number, f"it counts {told_counts}, and the file has {counts}")
        if spool.counts()[0] != counts[0]:
            raise _wrong(path, seen.number, "the file has a node twice")
        if realm_row is None:
            raise _wrong(path, seen.number, "the line of the realm itself is missing")
        if (loose := spool.loose()) is not None:
            raise _wrong(path, int(loose), "an end of this relationship is not in the file")
    return Sealed(path, header, footer, realm, realm_row)


def read_header(path: Path, schema: int) -> Header:
    """The first line; what a newer Asterism wrote is refused."""
    with _opened(path, lambda: 0) as file:
        first = next(bounded_lines(file), b"")
    told = _json(path, 1, first)
    if told.get("format") != FORMAT:
        remedy = "this is no exported realm: give a file that `asterism export` wrote"
        raise InvalidInput("file", str(path), remedy)
    version, written_at = told.get("version"), told.get("schema_version")
    if not isinstance(version, int) or not isinstance(written_at, int):
        raise _wrong(path, 1, "it lacks its version")
    if version > VERSION or written_at > schema:
        raise SchemaMismatch(
            f"{path} was written by a newer Asterism (format {version}, schema {written_at}; this "
            f"one's are {VERSION} and {schema}): upgrade with `pip install -U asterism`"
        )
    return cast(Header, _valid(path, 1, Header, told))


class _Seen:
    """One reading of a file, with what it has come to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.number = self.size = 0
        self.footer = Footer(nodes=0, relationships=0, sha256="")

    def between(self) -> Iterator[tuple[int, Row]]:
        """Every line but the first and the last; ends only if the last one fits the rest."""
        digest, path = sha256(), self._path
        ended = False
        with _opened(path, lambda: self.number) as file:
            for self.number, line in enumerate(bounded_lines(file), 1):
                if line is None:
                    raise _wrong(path, self.number, TOO_LONG)
                if ended or not line.endswith(b"\n"):
                    raise _wrong(path, self.number, "nothing can follow the last line")
                if line.startswith(b'{"footer":'):
                    told = _json(path, self.number, line)["footer"]
                    self.footer = cast(Footer, _valid(path, self.number, Footer, told))
                    if self.footer.sha256 != digest.hexdigest():
                        reason = "what went before is not what was written"
                        raise _wrong(path, self.number, reason)
                    ended = True
                    continue
                digest.update(line)
                self.size = len(line)
                if self.number > 1:
                    yield self.number, _json(path, self.number, line)
        if not ended:
            raise _wrong(path, self.number, "the file is cut off here, its last line is missing")


def _note(spool: Spool, number: int, told: Row, realm: str, is_node: bool) -> Row:
    if is_node:
        name, row = rows.node_row(told, realm)
        spool.node(name, b"")
    else:
        start, to, row = rows.relationship_row(told, realm)
        spool.relationship(str(number), row["type"], start, to, b"")
        for [key] in indexed().get(row["type"], []):
            if not spool.take(row["type"], row["properties"].get(key)):
                raise ValueError(f"a {row['type']} with this {key} is in the file already")
    return row


def _require_same_model(path: Path, number: int, header: Header, properties: Row) -> None:
    listed = header.model.model_dump() if header.model else {}
    if any(properties[name] != listed.get(name) for name in Model.model_fields):
        raise _wrong(path, number, "the first line names another model")


def _headed(header: Header, lines: Iterator[bytes], step: Callable[[], None]) -> Iterator[bytes]:
    yield rows.line(header.model_dump())
    for line in lines:
        yield line
        step()


@contextmanager
def _packed(path: Path, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """Packed if the name says so, without name or time: the same rows are the same file."""
    if path.suffix != ".gz":
        yield raw
        return
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as file:
        yield cast(IO[bytes], file)


@contextmanager
def _opened(path: Path, reached: Callable[[], int]) -> Iterator[IO[bytes]]:
    """Opened to be read; `reached` tells the last line that was."""
    try:
        with path.open("rb") as raw:
            yield cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if path.suffix == ".gz" else raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _wrong(path, reached() + 1, f"it can't be unpacked ({error})") from error
    except OSError as error:
        reason = f"it can't be read ({error.strerror}): give a file that `asterism export` wrote"
        raise InvalidInput("file", str(path), reason) from error


def _json(path: Path, number: int, line: bytes | None) -> Row:
    if line is None:
        raise _wrong(path, number, TOO_LONG)
    try:
        told = json.loads(line)
    except RecursionError as error:
        raise _wrong(path, number, "it is JSON that is nested too deeply") from error
    except ValueError as error:
        raise _wrong(path, number, f"it is no JSON ({error})") from error
    if not isinstance(told, dict):
        raise _wrong(path, number, "it is no JSON object")
    return told


def _valid(path: Path, number: int, kind: type[BaseModel], told: Any) -> BaseModel:
    try:
        return kind.model_validate(told)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _wrong(path, number, f"{where}: {first['msg']}") from error


def _wrong(path: Path, number: int, reason: str) -> InvalidInput:
    return InvalidInput("file", str(path), f"line {number}: {reason}; {AGAIN}")
