"""Front matter of Markdown: simple keys with values or lists, the part of YAML that people use."""

import re
from typing import Any

FENCE = "---"
KEY = re.compile(r"([A-Za-z_][\w .-]*?)\s*:(?:\s+(.*)|)$")
ITEM = re.compile(r"\s*-\s+(.*)$")
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?$")
TRUTHS = {"true": True, "false": False}
NOTHING = ("", "null", "~")
REMEDY = "front matter takes `key: value` and `key: [one, two]`, or a list of `- value` lines"


class FrontMatterError(ValueError):
    """A line of front matter that can't be read."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"{reason}: {REMEDY}")
        self.line = line


def split_front_matter(text: str) -> tuple[dict[str, Any], str, int]:
    """Return the fields of front matter, the text after it, and the line on which that begins."""
    lines = text.split("\n")
    if lines[0].strip() != FENCE:
        return {}, text, 1
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() in (FENCE, "...")), None)
    if end is None:
        raise FrontMatterError(1, "the front matter has no end")
    return _parse(lines[1:end]), "\n".join(lines[end + 1 :]), end + 2


def _parse(lines: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    key: str | None = None  # of a list that is being read
    for number, line in enumerate(lines, 2):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        item, pair = ITEM.match(line), KEY.match(line)
        if item and key is not None:
            fields[key] = [*(fields[key] or []), _scalar(item[1], number)]
        elif pair:
            key = pair[1].strip()
            if key in fields:
                raise FrontMatterError(number, f"the key {key!r} is there twice")
            fields[key] = _value(pair[2] or "", number)
            key = key if fields[key] is None else None
        else:
            raise FrontMatterError(number, f"this line can't be read, {bare[:60]!r}")
    return fields


def _value(text: str, line: int) -> Any:
    text = _without_comment(text.strip())
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1].strip()
        return [_scalar(each, line) for each in inner.split(",")] if inner else []
    return _scalar(text, line)


def _without_comment(text: str) -> str:
    return text if text[:1] in ("'", '"') else re.split(r"\s+#", text, maxsplit=1)[0]


def _scalar(text: str, line: int) -> Any:
    text = text.strip()
    if text[:1] in ("{", "[", "|", ">", "&", "*", "!", "%", "@", "`"):
        raise FrontMatterError(line, f"this value can't be read, {text[:60]!r}")
    if len(text) > 1 and text[0] == text[-1] and text[0] in ("'", '"'):
        return text[1:-1]
    if text.lower() in TRUTHS:
        return TRUTHS[text.lower()]
    if NUMBER.match(text):
        return float(text) if "." in text else int(text)
    return None if text.lower() in NOTHING else text
