"""A file becomes a realm: checked first, written under a mark, whole or to be begun again."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neo4j.exceptions import Neo4jError

from engine import schema
from engine.database import Database, Row, Transaction
from engine.errors import AsterismError, Conflict, InvalidInput
from engine.realms import empty, realm_key
from engine.settings import TransferSettings
from engine.transfer.file import Sealed, seal
from engine.transfer.model import Loaded, OnProgress

PATIENCE = (1, 5, 25)
TIMED_OUT = ("TransactionTimedOut", "TransactionTimedOutClientConfiguration")


async def load(
    database: Database, path: Path, model: str | None, on_progress: OnProgress
) -> Loaded:
    """Fill an empty realm from a file; `model` is the one that the realm will be used with."""

    def checked(done: int, total: int) -> None:
        on_progress(done, 2 * total)

    sealed = await asyncio.to_thread(seal, path, database.realm, schema.version(), checked)
    _require_model(sealed, model)
    await _claim(database, sealed)

    async def work(tx: Transaction) -> None:
        await _fill(tx, sealed, on_progress)

    await database.transaction(work, name="transfer")
    return Loaded(
        file=str(path),
        realm=database.realm,
        origin=sealed.header.realm,
        **sealed.footer.model_dump(),
    )


async def _claim(database: Database, sealed: Sealed) -> None:
    """Mark the realm as being filled from this file, if nothing speaks against it."""
    realm, sha256, model = database.realm, sealed.footer.sha256, sealed.header.model
    row = await _marked(
        database,
        realm_key=realm_key(realm),
        sha256=sha256,
        model=model.name if model else None,
        dimensions=model.dimensions if model else None,
    )
    if row["importing"] == sha256:
        return
    if row["importing"] is not None:
        raise Conflict(
            f"realm {realm!r} holds an unfinished import of another file: repeat that one, or "
            "delete the realm first with `asterism realm delete`"
        )
    reason = "is not empty" if row["held"] else f"is for vectors of {row['other']}"
    raise Conflict(
        f"realm {realm!r} {reason}: import into another one with `--realm`, or delete it first "
        "with `asterism realm delete`"
    )


async def _marked(database: Database, **arguments: Any) -> Row:
    """How a realm stands, unless another import holds it; a server that is slow gets more time."""
    seconds = database.settings.transfer.lock_seconds
    for patience in PATIENCE:
        try:
            row = await database.limited(seconds * patience).row("transfer/claim", **arguments)
            assert row is not None
            return row
        except AsterismError as error:
            code = _code(error)
            if code.endswith("LockClientStopped"):
                raise Conflict(
                    f"realm {database.realm!r} is being filled by another import: wait for it, or "
                    "import into another realm with `--realm`"
                ) from error
            if not code.endswith(TIMED_OUT):
                raise
    raise Conflict(f"realm {database.realm!r} is busy: repeat the import when it is not")


def _code(error: AsterismError) -> str:
    cause = error.__cause__
    return (cause.code or "") if isinstance(cause, Neo4jError) else ""


def _require_model(sealed: Sealed, model: str | None) -> None:
    told = sealed.header.model
    if told and model and told.name != model:
        raise InvalidInput(
            "file",
            str(sealed.path),
            f"its vectors are of {told.name}, and this graph's model is {model}: open the graph "
            "with that model as embedder=, or load the file into another realm with name=",
        )


async def _fill(tx: Transaction, sealed: Sealed, on_progress: OnProgress) -> None:
    """Everything under the lock of the realm, which a process that dies lets go of.

    What an attempt before this one has left is removed first.
    """
    database, header = tx.database, sealed.header
    held = await tx.row("transfer/hold")
    if held is None or held["importing"] != sealed.footer.sha256:
        raise Conflict(
            f"realm {database.realm!r} has just been filled or deleted by another process: look "
            "at it with `asterism realm stats`"
        )
    await empty(database)
    total = header.nodes + header.relationships
    done = 1  # the realm's own row is written last
    batches = _batches(sealed, database.settings.transfer)
    while batch := await asyncio.to_thread(next, batches, None):
        await _write(database, *batch)
        done += len(batch[1])
        on_progress(total + done, 2 * total)
    await _finish(tx, sealed)


def _batches(sealed: Sealed, settings: TransferSettings) -> Iterator[tuple[bool, list[Row]]]:
    """Rows of one kind, neither too many nor too large for one transaction."""
    batch: list[Row] = []
    size, kind = 0, True
    for is_node, row, length in sealed.rows():
        full = len(batch) >= settings.batch or size + length > settings.batch_bytes
        if batch and (full or is_node != kind):
            yield kind, batch
            batch, size = [], 0
        kind = is_node
        batch.append(row)
        size += length
    if batch:
        yield kind, batch


async def _write(database: Database, nodes: bool, rows: list[Row]) -> None:
    name = "transfer/create_nodes" if nodes else "transfer/create_relationships"
    seconds = database.settings.transfer.write_seconds
    try:
        row = await database.limited(seconds).row(name, rows=rows)
    except AsterismError as error:
        if not _code(error).endswith(("LockClientStopped", *TIMED_OUT)):
            raise
        raise Conflict(
            f"the server has not written {len(rows)} lines into realm {database.realm!r} within "
            f"{seconds:g} s, as if another transaction held them: repeat the import, with a "
            "longer ASTERISM_TRANSFER_WRITE_SECONDS if the server is slow"
        ) from error
    if row is None or row["created"] != len(rows):
        raise _interfered(database.realm)


async def _finish(tx: Transaction, sealed: Sealed) -> None:
    """See that all of it is there, and only that; then the realm is whole."""
    realm, header = tx.database.realm, sealed.header
    size = await tx.row("transfer/size")
    if size != {"nodes": header.nodes, "relationships": header.relationships}:
        raise _interfered(realm)
    await tx.rows(
        "transfer/finish",
        realm_key=realm_key(realm),
        origin=None if header.realm == realm else header.realm,
        row=sealed.realm_row,
    )


def _interfered(realm: str) -> Conflict:
    return Conflict(
        f"somebody else wrote to realm {realm!r} while it was being filled: repeat the import "
        "when nobody does; it begins anew, and what they wrote goes"
    )
