"""Pieces of a Markdown file: the whole of a short one, one a heading of a longer one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from asterism.memories.digests import digest_of
from asterism.memories.files.front_matter import split_front_matter
from asterism.memories.files.models import Unknown, split_tags, with_metadata
from asterism.memories.item_checks import MOST_BYTES

HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*$")
CODE = re.compile(r"\s*(```|~~~)")
NAMES = {"title": "about", "date": "at"}
FIELDS = ("tags", "category", "actor", "session", "speaker", "about", "at", "lasts", "metadata")


@dataclass(frozen=True)
class Section:
    """The text under a heading, with the headings above it, and the line on which it begins."""

    headings: tuple[str, ...]
    text: str
    line: int


def pieces(
    text: str, file: str, split_above: int, unknown: Unknown
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the pieces of a file as fields of texts, each with its line.

    The id of a piece is its file and its heading, so an edited piece stays the same memory.
    """
    front_matter, body, first = split_front_matter(text.replace("\r\n", "\n").lstrip("\ufeff"))
    fields = {NAMES.get(name.lower(), name): value for name, value in front_matter.items()}
    fields = with_metadata(fields, unknown, FIELDS)
    if "tags" in fields:
        fields["tags"] = [str(tag) for tag in split_tags(fields["tags"]) or []]
    if fields.get("at") is not None:
        fields["at"] = str(fields["at"])
    sections = list(_sections(body, first))
    if len(body) <= split_above:
        title = next((section.headings[:1] for section in sections if section.headings), ())
        sections = [Section(title, body.strip(), first)] if body.strip() else []
        yield from _fields_of(sections, file, fields, whole=True)
    else:
        yield from _fields_of(sections, file, fields, whole=False)


def _fields_of(
    sections: list[Section], file: str, fields: dict[str, Any], *, whole: bool
) -> Iterator[tuple[int, dict[str, Any]]]:
    title = fields.get("about")
    counts: dict[str, int] = {}
    for position, section in enumerate(sections, 1):
        path = " / ".join(section.headings)
        anchor = "" if whole else _slug(path)
        counts[anchor] = counts.get(anchor, 0) + 1
        if anchor and counts[anchor] > 1:
            anchor += f"-{counts[anchor]}"
        metadata = {"file": file, "position": position} | ({"heading": path} if path else {})
        about = " / ".join(dict.fromkeys(part for part in (title, path) if part)) or _stem(file)
        yield (
            section.line,
            fields
            | {
                "id": _id(f"{file}#{anchor}" if anchor else file),
                "text": section.text,
                "about": about,
                "metadata": dict(fields.get("metadata") or {}) | metadata,
            },
        )


def _sections(body: str, first: int) -> Iterator[Section]:
    """Yield the texts under each heading. Headings in blocks of code are none."""
    headings: list[tuple[int, str]] = []
    lines: list[str] = []
    begin, in_code = first, False
    for number, line in enumerate(body.split("\n"), first):
        in_code ^= bool(CODE.match(line))
        heading = None if in_code else HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        if text := "\n".join(lines).strip():
            yield Section(tuple(name for _, name in headings), text, begin)
        level = len(heading[1])
        headings = [each for each in headings if each[0] < level] + [(level, heading[2])]
        lines, begin = [], number
    if text := "\n".join(lines).strip():
        yield Section(tuple(name for _, name in headings), text, begin)


def _slug(path: str) -> str:
    return re.sub(r"[^\w]+", "-", path.lower()).strip("-")


def _stem(file: str) -> str:
    return file.rpartition("/")[2].rpartition(".")[0] or file


def _id(id: str) -> str:
    return id if len(id.encode("utf-8", "replace")) <= MOST_BYTES else digest_of("file", id)
