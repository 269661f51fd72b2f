"""Ids and hashes, equal for the same session and transcript everywhere and always."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any
from uuid import UUID, uuid5

from asterism.causality.transcripts.models import Line, Mask

KERNEL_VERSION = "chunkless-2"
LITERAL_VERSION = "chunkless-1"  # knew nothing but the letter of the source
OPENING_LINES = 3
LONGEST_INDEX = 16  # digits of a line's index
NAMESPACE = UUID("7eda4789-481b-5437-94bb-9811024c380a")
_UNIT = "\x1f"
_RECORD = "\x1e"


def intent_id(session_id: str, index: int) -> str:
    """Return the id of the intent, and of its link, on a line."""
    return _uuid(session_id, str(index))


def consequence_id(session_id: str, index: int) -> str:
    """Return the id of the consequence on a line."""
    return _uuid(session_id, "C", str(index))


def utterance_id(session_id: str, index: int) -> str:
    """Return the id of a line itself."""
    return _uuid(session_id, "U", str(index))


def ids_on_line(name: str) -> list[str]:
    """Return the ids that an intent or consequence on a line named SESSION:line:INDEX has."""
    session_id, _, index = name.rpartition(":line:")
    if not session_id or not index.isdecimal() or len(index) > LONGEST_INDEX:
        return []
    return [intent_id(session_id, int(index)), consequence_id(session_id, int(index))]


def transcript_hash(lines: Iterable[Line]) -> str:
    """Return a hash of the lines with their numbers and speakers."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(_line_bytes(line))
    return digest.hexdigest()


def opening(lines: Iterable[Line]) -> list[str]:
    """Return a hash of each of the first lines, by which two files are told apart."""
    first_lines = islice(lines, OPENING_LINES)
    return [hashlib.sha256(_line_bytes(line)).hexdigest()[:16] for line in first_lines]


def same_opening(one: Sequence[str], other: Sequence[str]) -> bool:
    """Compare two openings as far as the shorter one goes, since a transcript may grow."""
    shared = min(len(one), len(other))
    return list(one[:shared]) == list(other[:shared])


def mask_hash(masks: Iterable[Mask]) -> str:
    """Return a hash of the excluded ranges with their reasons."""
    rows = sorted((mask.start_index, mask.end_index, mask.reason.value) for mask in masks)
    text = "".join(_UNIT.join(map(str, row)) + _RECORD for row in rows)
    return hashlib.sha256(text.encode()).hexdigest()


def run_id(lines: str, masks: str, inputs: Any) -> str:
    """Return sixteen hex digits that change with anything that could change the links."""
    text = _UNIT.join((lines, masks, KERNEL_VERSION, canonical_json(inputs)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _uuid(*parts: str) -> str:
    return str(uuid5(NAMESPACE, _UNIT.join(parts)))


def _line_bytes(line: Line) -> bytes:
    text = _UNIT.join((str(line.line_index), line.author_name, line.content)) + _RECORD
    return text.encode()
