"""Links as files: JSON lines, and CSV of the fourteen fields and the two events."""

import csv
import io
from collections.abc import Iterable

from engine.causality.model import CausalLink

FIELDS = tuple(CausalLink.model_fields)


def to_jsonl(links: Iterable[CausalLink]) -> str:
    """One JSON object a link."""
    return "".join(link.model_dump_json() + "\n" for link in links)


def to_csv(links: Iterable[CausalLink]) -> str:
    """The rows of the original's table: nothing is an empty cell, claimed is 1 or 0."""
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, FIELDS, lineterminator="\n")
    writer.writeheader()
    for link in links:
        writer.writerow({**link.model_dump(mode="json"), "claimed": int(link.claimed)})
    return written.getvalue()
