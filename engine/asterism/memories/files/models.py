"""Results of importing files, and the options of an import."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pydantic import Field

from asterism.answer_changes import AnswerChange
from asterism.base_model import Frozen
from asterism.errors import InvalidInput
from asterism.memories import text_items
from asterism.memories.item_checks import require_key
from asterism.validation import require_whole

Format = Literal["jsonl", "csv", "markdown"]
Unknown = Literal["metadata", "refuse"]


class RejectedRow(Frozen):
    """A row or a piece of a file that was refused: its file and line, and the reason."""

    file: str
    line: int
    reason: str


class ImportReport(Frozen):
    """Counts of an import: rows = created + updated + same + changed + rejected + left out.

    `changed` are memories whose file says something else now, and that were left as they are.
    `vanished` are memories of these files that the files do not hold any more.
    """

    files: int = 0
    rows: int = 0
    created: int = 0
    updated: int = 0
    same: int = 0
    left_out: dict[str, int] = Field(default_factory=dict)
    changed: list[str] = Field(default_factory=list)
    rejected: list[RejectedRow] = Field(default_factory=list)
    vanished: list[str] = Field(default_factory=list)
    forgotten: int = 0
    answers_changed: list[AnswerChange] = Field(default_factory=list)
    dry_run: bool = False


@dataclass(frozen=True)
class ImportOptions:
    """Choices of an import, and fields that belong to every text of it."""

    format: Format | None = None
    source: str | None = None
    session: str | None = None
    text_column: str | None = None
    unknown: Unknown = "metadata"
    split_above: int = 2000
    shared: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what is none of the choices."""
        if self.format not in (None, *get_args(Format)):
            raise InvalidInput("format", self.format, "give jsonl, csv or markdown, or none")
        if self.unknown not in get_args(Unknown):
            raise InvalidInput("unknown", self.unknown, "give metadata or refuse")
        require_whole("split_above", self.split_above, 0)
        for name, value in (("source", self.source), ("session", self.session)):
            if value is not None:
                require_key(name, value)
        text_items.parse({"text": "checked", **self.shared})


@dataclass(frozen=True)
class FileRow:
    """A row or a piece of a file: fields of a text, a message, or the reason why it is neither."""

    file: str
    line: int
    fields: Mapping[str, Any] = field(default_factory=dict)
    is_message: bool = False
    reason: str = ""


TAG_SEPARATORS = (";", ",")
TEXT_FIELDS = (
    *("text", "tags", "category", "actor", "session", "speaker", "about", "at", "id", "lasts"),
    "metadata",
)


def split_tags(value: Any) -> Any:
    """Return tags in one text, such as a cell or a line of front matter, as a list."""
    if not isinstance(value, str):
        return value
    separator = next((each for each in TAG_SEPARATORS if each in value), TAG_SEPARATORS[0])
    return [tag.strip() for tag in value.split(separator) if tag.strip()]


def with_metadata(
    fields: Mapping[str, Any], unknown: Unknown, names: Sequence[str] = TEXT_FIELDS
) -> dict[str, Any]:
    """Return fields of a text, the unknown ones as metadata, or refuse these with ValueError."""
    others = {name: value for name, value in fields.items() if name not in names}
    if others and unknown == "refuse":
        raise ValueError(
            f"unknown field {next(iter(others))!r}: give some of {', '.join(names)}, "
            "or say that unknown fields become metadata"
        )
    result = {name: value for name, value in fields.items() if name in names}
    own = result.get("metadata")
    if own is not None and not isinstance(own, Mapping):
        raise ValueError(f'metadata={own!r}: give an object, such as {{"page": 3}}')
    scalars = {name: _scalar(value) for name, value in others.items() if value is not None}
    if metadata := scalars | dict(own or {}):
        result["metadata"] = metadata
    return result


def _scalar(value: Any) -> Any:
    """Return a list of simple values as one text, since metadata holds no lists."""
    if isinstance(value, list) and all(isinstance(each, (str, int, float)) for each in value):
        return ", ".join(map(str, value))
    return value
