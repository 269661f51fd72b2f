"""Ids and hashes: the same session and transcript always give the same ones."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any
from uuid import UUID, uuid5

from engine.causality.transcript import Line, Mask

KERNEL_VERSION = "chunkless-1"
OPENING_LINES = 3
NAMESPACE = UUID("7eda4789-481b-5437-94bb-9811024c380a")
_UNIT = "\x1f"
_RECORD = "\x1e"


def intent_id(session_id: str, index: int) -> str:
    """The id of the intent, and of its link, on a line."""
    return str(uuid5(NAMESPACE, f"{session_id}{_UNIT}{index}"))


def consequence_id(session_id: str, index: int) -> str:
    """The id of the consequence on a line."""
    return str(uuid5(NAMESPACE, f"{session_id}{_UNIT}C{_UNIT}{index}"))


def utterance_id(session_id: str, index: int) -> str:
    """The id of a line itself."""
    return str(uuid5(NAMESPACE, f"{session_id}{_UNIT}U{_UNIT}{index}"))


def transcript_hash(lines: Iterable[Line]) -> str:
    """What was said, by whom, in which line."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(_row(line))
    return digest.hexdigest()


def opening(lines: Iterable[Line]) -> list[str]:
    """Return a hash of each of the first lines, by which two files are told apart."""
    return [hashlib.sha256(_row(line)).hexdigest()[:16] for line in islice(lines, OPENING_LINES)]


def same_opening(one: Sequence[str], other: Sequence[str]) -> bool:
    """Compare two openings as far as the shorter one goes, since a transcript may grow."""
    shared = min(len(one), len(other))
    return list(one[:shared]) == list(other[:shared])


def mask_hash(masks: Iterable[Mask]) -> str:
    """Which lines were left out, and why."""
    rows = sorted((mask.start_index, mask.end_index, mask.reason.value) for mask in masks)
    text = "".join(_UNIT.join(map(str, row)) + _RECORD for row in rows)
    return hashlib.sha256(text.encode()).hexdigest()


def run_id(lines: str, masks: str, params: Any) -> str:
    """Sixteen hex digits that change with anything that could change the links."""
    text = _UNIT.join((lines, masks, KERNEL_VERSION, canonical(params)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _row(line: Line) -> bytes:
    text = _UNIT.join((str(line.line_index), line.author_name, line.content)) + _RECORD
    return text.encode()


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
