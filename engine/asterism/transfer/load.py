"""Import: fills a realm from a file, which is checked first, under a mark until it is whole."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, NamedTuple

from asterism import driver_errors, schema, text_renewal
from asterism.database import Database, Transaction
from asterism.embedding import Embedding
from asterism.errors import AsterismError, Conflict, InvalidInput
from asterism.realm_contents import delete_contents
from asterism.realm_names import realm_key
from asterism.row_types import row_of
from asterism.schema import SAID_SINCE
from asterism.settings import TransferSettings
from asterism.transfer.models import Loaded, OnProgress
from asterism.transfer.read_ahead import in_thread, read_ahead
from asterism.transfer.realm_file import CheckedFile, check_file
from asterism.transfer.rows import Kind

PATIENCE = (1, 5, 25)
TIMED_OUT = ("TransactionTimedOut", "TransactionTimedOutClientConfiguration")


@row_of("transfer/begin_import")
class ImportClaim(NamedTuple):
    """Row of transfer/begin_import."""

    importing: str | None
    occupied: bool
    other: str | None


async def load(
    database: Database, path: Path, embedding: Embedding | None, on_progress: OnProgress | None
) -> Loaded:
    """Fill an empty realm, which will be used with this embedding, from a file."""
    report = on_progress or (lambda done, total: None)

    def on_check(count: int, total: int) -> None:
        report(count, 2 * total)  # read, and written

    source = await asyncio.to_thread(check_file, path, database.realm, schema.version(), on_check)
    _require_model(source, embedding)
    await _claim(database, source)

    async def work(tx: Transaction) -> None:
        await _fill(tx, source, report)

    await database.transaction(work, name="transfer")
    if source.header.schema_version < schema.WORDS_SINCE:
        await text_renewal.renew_realm(database)
    return Loaded(
        file=str(path),
        realm=database.realm,
        origin=source.header.realm,
        **source.footer.model_dump(),
    )


async def _claim(database: Database, source: CheckedFile) -> None:
    """Mark the realm as being filled from this file, or refuse."""
    realm, sha256, model = database.realm, source.footer.sha256, source.header.model
    claim = await _begin(
        database,
        realm_key=realm_key(realm),
        sha256=sha256,
        model=model.name if model else None,
        dimensions=model.dimensions if model else None,
    )
    if claim.importing == sha256:
        return
    if claim.importing is not None:
        raise Conflict(
            f"realm {realm!r} holds an unfinished import of another file: repeat that one, or "
            "delete the realm first with `asterism realm delete`"
        )
    reason = "is not empty" if claim.occupied else f"is for vectors of {claim.other}"
    raise Conflict(
        f"realm {realm!r} {reason}: import into another one with `--realm`, or delete it first "
        "with `asterism realm delete`"
    )


async def _begin(database: Database, **arguments: Any) -> ImportClaim:
    """Mark the realm, with more time at each attempt for a server that is slow."""
    seconds = database.settings.transfer.lock_seconds
    for patience in PATIENCE:
        try:
            patient = database.limited(seconds * patience)
            return ImportClaim(**await patient.one("transfer/begin_import", **arguments))
        except AsterismError as error:
            code = driver_errors.code(error)
            if code.endswith("LockClientStopped"):
                raise Conflict(
                    f"realm {database.realm!r} is being filled by another import: wait for it, or "
                    "import into another realm with `--realm`"
                ) from error
            if not code.endswith(TIMED_OUT):
                raise
    raise Conflict(f"realm {database.realm!r} is busy: repeat the import when it is not")


def _require_model(source: CheckedFile, embedding: Embedding | None) -> None:
    stored = source.header.model
    if stored and embedding and not embedding.accepts(stored.name):
        model = embedding.embedder.name
        raise InvalidInput(
            "file",
            str(source.path),
            f"its vectors are of {stored.name}, and this graph's model is {model}: open the graph "
            "with that model as embedder=, or load the file into another realm with name=",
        )


async def _fill(tx: Transaction, source: CheckedFile, report: OnProgress) -> None:
    """Write everything under the lock of the realm, which ends with the process.

    What an earlier attempt has left is deleted first.
    """
    database, header = tx.database, source.header
    row = await tx.row("transfer/lock_realm")
    if row is None or row["importing"] != source.footer.sha256:
        raise Conflict(
            f"realm {database.realm!r} has just been filled or deleted by another process: look "
            "at it with `asterism realm stats`"
        )
    await delete_contents(database)
    total = header.nodes + header.relationships
    count = 1  # the realm's own row is written last
    batches = _batches(source, database.settings.transfer)
    async with aclosing(read_ahead(lambda: in_thread(next, batches, None))) as ahead:
        async for kind, rows in ahead:
            await _write(database, kind, rows)
            count += len(rows)
            report(total + count, 2 * total)
    await _finish(tx, source)


def _batches(
    source: CheckedFile, settings: TransferSettings
) -> Iterator[tuple[Kind | None, list[list[Any]]]]:
    """Yield rows of one kind, neither too many nor too large for one transaction.

    Relationships of several kinds may take turns: each kind waits until its batch is full.
    """
    waiting: dict[Kind | None, list[list[Any]]] = {}
    sizes: dict[Kind | None, int] = {}
    for kind, row, length in source.rows():
        nodes_wait = kind is not None and None in waiting
        if nodes_wait or sum(sizes.values()) + length > settings.batch_bytes:
            yield from waiting.items()
            waiting, sizes = {}, {}
        batch = waiting.setdefault(kind, [])
        batch.append(list(row))
        sizes[kind] = sizes.get(kind, 0) + length
        if len(batch) >= settings.batch:
            del waiting[kind], sizes[kind]
            yield kind, batch
    yield from waiting.items()


async def _write(database: Database, kind: Kind | None, rows: list[list[Any]]) -> None:
    name = "transfer/create_relationships" if kind else "transfer/create_nodes"
    common = kind._asdict() if kind else {}
    seconds = database.settings.transfer.write_seconds
    try:
        row = await database.limited(seconds).one(name, rows=rows, **common)
    except AsterismError as error:
        if not driver_errors.code(error).endswith(("LockClientStopped", *TIMED_OUT)):
            raise
        raise Conflict(
            f"the server has not written {len(rows)} lines into realm {database.realm!r} within "
            f"{seconds:g} s, as if another transaction held them: repeat the import, with a "
            "longer ASTERISM_TRANSFER_WRITE_SECONDS if the server is slow"
        ) from error
    if row["created"] != len(rows):
        raise _interfered(database.realm)


async def _finish(tx: Transaction, source: CheckedFile) -> None:
    """Compare the counts and make the realm whole."""
    realm, header = tx.database.realm, source.header
    size = await tx.row("transfer/count_contents")
    if size != {"nodes": header.nodes, "relationships": header.relationships}:
        raise _interfered(realm)
    await tx.rows(
        "transfer/finish_import",
        realm_key=realm_key(realm),
        origin=None if header.realm == realm else header.realm,
        row=source.realm_row._asdict(),
    )
    if header.schema_version < SAID_SINCE:
        await tx.rows("memories/join_speakers", actor_ids=None)


def _interfered(realm: str) -> Conflict:
    return Conflict(
        f"somebody else wrote to realm {realm!r} while it was being filled: repeat the import "
        "when nobody does; it begins anew, and what they wrote goes"
    )
