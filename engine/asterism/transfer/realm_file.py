"""Files of realms: written beside their name and then put in place, checked whole before use."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version as installed
from itertools import chain
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from asterism.bounded_lines import TOO_LONG, bounded_lines
from asterism.database import Row
from asterism.errors import InvalidInput, SchemaMismatch
from asterism.private_files import PRIVATE, replacing
from asterism.transfer import rows
from asterism.transfer.disk_sort import DiskSort
from asterism.transfer.index_limits import indexed
from asterism.transfer.models import FORMAT, VERSION, Footer, Header, Model

M = TypeVar("M", bound=BaseModel)
AGAIN = "export the realm again, or take another copy of the file"


@dataclass(frozen=True)
class CheckedFile:
    """A file that was read to its end without a fault."""

    path: Path
    header: Header
    footer: Footer
    realm: str
    realm_row: rows.NodeRow

    def rows(self) -> Iterator[tuple[rows.Kind | None, Sequence[Any], int]]:
        """Yield each row but the realm's own, as (kind of a relationship, row, bytes)."""
        reading = _Reading(self.path, self.header)
        for number, document in reading.documents():
            if number > self.header.nodes + 1:
                yield *rows.relationship_row(document, self.realm), reading.size
                continue
            _, node = rows.node_row(document, self.realm)
            if node.labels != ["Realm"]:
                yield None, node, reading.size
        if reading.footer != self.footer:
            raise InvalidInput("file", str(self.path), f"it changed while it was read: {AGAIN}")


def engine_version() -> str:
    """Return the version of this package, which files name."""
    return installed("asterism")


def write(path: Path, header: Header, lines: Iterable[bytes], mode: int = PRIVATE) -> Footer:
    """Write a whole file, or leave the one that is there."""
    digest = sha256()
    with replacing(path, mode) as raw, _compressed(path, raw) as file:
        for line in chain([rows.line(header.model_dump())], lines):
            digest.update(line)
            file.write(line)
        counts = {"nodes": header.nodes, "relationships": header.relationships}
        footer = Footer(sha256=digest.hexdigest(), **counts)
        file.write(rows.line({"footer": footer.model_dump()}))
    return footer


def check_file(
    path: Path, realm: str, schema: int, on_progress: Callable[[int, int], None]
) -> CheckedFile:
    """Read a file to its end, or refuse its first fault by the line."""
    header = read_header(path, schema)
    reading = _Reading(path, header)
    total = header.nodes + header.relationships
    counts = [0, 0]
    realm_row: rows.NodeRow | None = None
    with DiskSort() as names:
        for number, document in reading.documents():
            is_node = number <= header.nodes + 1
            try:
                node = _add_name(names, number, document, realm, is_node)
            except (ValueError, TypeError, KeyError) as error:
                raise _wrong(path, number, str(error)) from error
            counts[not is_node] += 1
            if node and node.labels == ["EmbeddingModel"]:
                _require_same_model(path, number, header, node.properties)
            realm_row = node if node and node.labels == ["Realm"] else realm_row
            on_progress(number - 1, total)
        footer = reading.footer
        promised = [footer.nodes, footer.relationships]
        if not counts == promised == [header.nodes, header.relationships]:
            raise _wrong(path, reading.number, f"it counts {promised}, and the file has {counts}")
        if names.counts()[0] != counts[0]:
            raise _wrong(path, reading.number, "the file has a node twice")
        if realm_row is None:
            raise _wrong(path, reading.number, "the line of the realm itself is missing")
        if (dangling := names.first_without_node()) is not None:
            raise _wrong(path, dangling, "an end of this relationship is not in the file")
    return CheckedFile(path, header, footer, realm, realm_row)


def read_header(path: Path, schema: int) -> Header:
    """Return the first line, or refuse a file of a newer Asterism."""
    with _opened(path, lambda: 0) as file:
        first = next(bounded_lines(file), b"")
    document = _parse(path, 1, first)
    if document.get("format") != FORMAT:
        remedy = "this is no exported realm: give a file that `asterism export` wrote"
        raise InvalidInput("file", str(path), remedy)
    version, schema_version = document.get("version"), document.get("schema_version")
    if not isinstance(version, int) or not isinstance(schema_version, int):
        raise _wrong(path, 1, "it lacks its version")
    if version > VERSION or schema_version > schema:
        raise SchemaMismatch(
            f"{path} was written by a newer Asterism (format {version}, schema {schema_version}; "
            f"this one's are {VERSION} and {schema}): upgrade with `pip install -U asterism`"
        )
    return _valid(path, 1, Header, document)


class _Reading:
    """One reading of a file, with the number and size of its latest line."""

    def __init__(self, path: Path, header: Header) -> None:
        self._path = path
        self._versions = header.version, header.schema_version
        self.number = self.size = 0
        self.footer = Footer(nodes=0, relationships=0, sha256="")

    def documents(self) -> Iterator[tuple[int, Row]]:
        """Yield each line but the first and the last, which has to fit the rest."""
        digest, path = sha256(), self._path
        ended = False
        with _opened(path, lambda: self.number) as file:
            for self.number, line in enumerate(bounded_lines(file), 1):
                if line is None:
                    raise _wrong(path, self.number, TOO_LONG)
                if ended or not line.endswith(b"\n"):
                    raise _wrong(path, self.number, "nothing can follow the last line")
                if line.startswith(b'{"footer":'):
                    document = _parse(path, self.number, line)["footer"]
                    self.footer = _valid(path, self.number, Footer, document)
                    if self.footer.sha256 != digest.hexdigest():
                        reason = "what went before is not what was written"
                        raise _wrong(path, self.number, reason)
                    ended = True
                    continue
                digest.update(line)
                self.size = len(line)
                if self.number > 1:
                    document = _parse(path, self.number, line)
                    yield self.number, rows.of_version(document, *self._versions)
        if not ended:
            raise _wrong(path, self.number, "the file is cut off here, its last line is missing")


def _add_name(
    names: DiskSort, number: int, document: Row, realm: str, is_node: bool
) -> rows.NodeRow | None:
    """Add what names a node and return its row, or what a relationship needs."""
    if is_node:
        name, node = rows.node_row(document, realm)
        names.add_node(name, b"")
        return node
    kind, row = rows.relationship_row(document, realm)
    names.use_end((kind.start, row.start), number)
    names.use_end((kind.end, row.end), number)
    for [key] in indexed().get(kind.type, ()):
        if not names.claim_id(kind.type, row.properties.get(key)):
            raise ValueError(f"a {kind.type} with this {key} is in the file already")
    return None


def _require_same_model(path: Path, number: int, header: Header, properties: Row) -> None:
    model = header.model.model_dump() if header.model else {}
    if any(properties[name] != model.get(name) for name in Model.model_fields):
        raise _wrong(path, number, "the first line names another model")


@contextmanager
def _compressed(path: Path, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """Compress if the name says so, without name or time: the same rows are the same file."""
    if path.suffix != ".gz":
        yield raw
        return
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as file:
        yield cast(IO[bytes], file)


@contextmanager
def _opened(path: Path, reached: Callable[[], int]) -> Iterator[IO[bytes]]:
    """Open a file to be read, whose last line read is `reached()`."""
    try:
        with path.open("rb") as raw:
            yield cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if path.suffix == ".gz" else raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _wrong(path, reached() + 1, f"it can't be unpacked ({error})") from error
    except OSError as error:
        reason = f"it can't be read ({error.strerror}): give a file that `asterism export` wrote"
        raise InvalidInput("file", str(path), reason) from error


def _parse(path: Path, number: int, line: bytes | None) -> Row:
    if line is None:
        raise _wrong(path, number, TOO_LONG)
    try:
        document = json.loads(line.decode())
    except RecursionError as error:
        raise _wrong(path, number, "it is JSON that is nested too deeply") from error
    except ValueError as error:
        raise _wrong(path, number, f"it is no JSON ({error})") from error
    if not isinstance(document, dict):
        raise _wrong(path, number, "it is no JSON object")
    return document


def _valid(path: Path, number: int, kind: type[M], document: Any) -> M:
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise _wrong(path, number, f"{name}: {first['msg']}") from error


def _wrong(path: Path, number: int, reason: str) -> InvalidInput:
    return InvalidInput("file", str(path), f"line {number}: {reason}; {AGAIN}")
