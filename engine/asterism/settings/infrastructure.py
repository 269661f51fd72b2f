"""Settings of the infrastructure: the local server, embeddings, realms and their files."""

import os
from typing import Annotated

from pydantic import Field

from asterism.settings.section import Section

ServerKey = Annotated[str, Field(pattern=r"^[A-Za-z][\w.]*$")]
ServerValue = Annotated[str, Field(pattern=r"^[^\r\n]*$")]  # a line of neo4j.conf


class LocalSettings(Section):
    """The server on this machine."""

    heap_mb: int | None = Field(
        default=None, ge=512, description="Java heap; none: sized to the machine"
    )
    page_cache_mb: int | None = Field(
        default=None, ge=16, description="page cache; none: sized likewise"
    )
    bolt_port: int = Field(default=7687, ge=1, le=65535, description="taken if free, else another")
    http_port: int = Field(
        default=7474, ge=1, le=65535, description="Browser; taken if free, else another"
    )
    start_seconds: float = Field(default=180.0, gt=0, description="how long a start may take")
    neo4j: dict[ServerKey, ServerValue] | None = Field(
        default=None, description="more lines of neo4j.conf, or others than Asterism's"
    )


class StatementsSettings(Section):
    """The log of statements."""

    slow_ms: float = Field(
        default=1000.0, gt=0, description="a statement that takes longer is logged at WARNING"
    )


class EmbeddingSettings(Section):
    """Texts that become vectors."""

    model: str | None = Field(
        default_factory=lambda: os.environ.get("ASTERISM_EMBEDDER") or None,
        description="model of a realm without vectors: a name, folder, file or pinned address",
    )
    threads: int | None = Field(
        default=None, ge=1, description="texts embedded at a time; none: the cores"
    )


class RealmsSettings(Section):
    """Bookkeeping of realms."""

    delete_batch: int = Field(
        default=2000, ge=1, description="nodes or relationships per transaction"
    )


class TransferSettings(Section):
    """Imports of a realm from a file."""

    batch: int = Field(default=1000, ge=1, description="nodes or relationships per transaction")
    batch_bytes: int = Field(
        default=4_000_000, ge=1, description="how much of a file goes into one transaction at most"
    )
    lock_seconds: float = Field(
        default=2.0, gt=0, description="how long another import of the realm is waited for"
    )
    write_seconds: float = Field(
        default=300.0, gt=0, description="how long the server may work on one batch of a file"
    )
