"""Text of links for export: JSON lines, and CSV of the fourteen fields and the two events."""

import csv
import io
from collections.abc import Iterable

from asterism.causality.models import CausalLink

FIELDS = tuple(CausalLink.model_fields)


def to_jsonl(links: Iterable[CausalLink]) -> str:
    """Return one JSON object a link."""
    return "".join(link.model_dump_json() + "\n" for link in links)


def to_csv(links: Iterable[CausalLink]) -> str:
    """Return the rows of the original's table: None as an empty cell, claimed as 1 or 0."""
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, FIELDS, lineterminator="\n")
    writer.writeheader()
    for link in links:
        writer.writerow({**link.model_dump(mode="json"), "claimed": int(link.claimed)})
    return table.getvalue()
