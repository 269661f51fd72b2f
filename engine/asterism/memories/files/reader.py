"""Reads files as rows: JSON lines, CSV, Markdown files and folders of them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from asterism.errors import InvalidInput
from asterism.memories.files import entity_graph, markdown
from asterism.memories.files.front_matter import FrontMatterError
from asterism.memories.files.models import FileRow, Format, ImportOptions, split_tags, with_metadata
from asterism.tabular import LineReader, RowError, csv_records, pair_cells, parse_object, whole_text

FORMATS: dict[str, Format] = {
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "jsonl"),
    **dict.fromkeys((".csv", ".tsv"), "csv"),
    **dict.fromkeys((".md", ".markdown", ".txt"), "markdown"),
}
TEXT_COLUMNS = ("text", "content", "note", "body", "message", "sentence")
DELIMITERS = (",", ";", "\t")
MARKDOWN = (".md", ".markdown")


class FileReader:
    """Rows of a file, or of the Markdown files of a folder."""

    def __init__(self, path: Path, options: ImportOptions) -> None:
        if not path.exists():
            raise InvalidInput("path", str(path), "there is no such file or folder")
        self.path = path
        self.source = options.source or path.resolve().parent.name
        if path.is_dir():
            self.source = options.source or path.resolve().name
        self.format = options.format or _format_of(path)
        self._options = options
        self.files = self._list_files()

    def __iter__(self) -> Iterator[FileRow]:
        for file in self.files:
            read = {"jsonl": _jsonl, "csv": _csv, "markdown": _markdown}[self.format]
            yield from read(file, self.name_of(file), self._options)

    def name_of(self, file: Path) -> str:
        """Return the name of a file in ids: its source, and its path in the folder."""
        inside = file.relative_to(self.path).as_posix() if self.path.is_dir() else file.name
        return f"{self.source}/{inside}"

    def owns(self, id: str) -> bool:
        """Tell whether a memory of this id is of one of these files, or was."""
        if self.path.is_dir():
            return id.startswith(f"{self.source}/")
        name = self.name_of(self.path)
        return id == name or id.startswith(f"{name}#")

    def _list_files(self) -> list[Path]:
        if not self.path.is_dir():
            return [self.path]
        paths = sorted(path for path in self.path.rglob("*") if path.suffix.lower() in MARKDOWN)
        files = [
            path
            for path in paths
            if path.is_file()
            and not any(part.startswith(".") for part in path.relative_to(self.path).parts)
        ]
        if not files:
            raise InvalidInput("path", str(self.path), "the folder holds no Markdown file")
        return files


def _format_of(path: Path) -> Format:
    if path.is_dir():
        return "markdown"
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if not suffixes or suffixes[-1] not in FORMATS:
        remedy = "name the format: jsonl, csv or markdown"
        raise InvalidInput("path", str(path), remedy)
    return FORMATS[suffixes[-1]]


def _jsonl(path: Path, name: str, options: ImportOptions) -> Iterator[FileRow]:
    reader = LineReader(path)
    for line, text in reader:
        try:
            row = parse_object(text, line)
            if "role" in row and "text" not in row:
                yield FileRow(name, line, row, is_message=True)
            elif entity_graph.is_entity_line(row):
                for fields in [*entity_graph.line_fields(row)]:
                    yield FileRow(name, line, fields)
            else:
                yield FileRow(name, line, with_metadata(row, options.unknown))
        except ValueError as error:
            yield FileRow(name, line, reason=str(error))
    yield from (FileRow(name, bad.line, reason=bad.reason) for bad in reader.bad)


def _csv(path: Path, name: str, options: ImportOptions) -> Iterator[FileRow]:
    try:
        text = whole_text(path)
        first = text.partition("\n")[0]
        records = csv_records(text, max(DELIMITERS, key=first.count))
        _, heading = next(records, (1, []))
        columns = [column.strip() for column in heading]
        text_column = _text_column(columns, options, path)
        for line, cells in records:
            yield _csv_row(columns, cells, text_column, FileRow(name, line), options)
    except RowError as error:
        yield FileRow(name, error.line, reason=str(error))


def _csv_row(
    columns: list[str], cells: list[str], text_column: str, row: FileRow, options: ImportOptions
) -> FileRow:
    try:
        values = {
            name: value for name, value in pair_cells(columns, cells, row.line).items() if value
        }
        fields: dict[str, Any] = {"text": values.pop(text_column, "")}
        for name, value in values.items():
            fields[name] = value
        if "tags" in fields:
            fields["tags"] = split_tags(fields["tags"])
        fields = with_metadata(fields, options.unknown)
        metadata = fields.get("metadata")
        if metadata:
            fields["metadata"] = {key: _number_or_text(value) for key, value in metadata.items()}
        return FileRow(row.file, row.line, fields)
    except ValueError as error:
        return FileRow(row.file, row.line, reason=str(error))


def _text_column(columns: list[str], options: ImportOptions, path: Path) -> str:
    candidates = (options.text_column,) if options.text_column is not None else TEXT_COLUMNS
    for candidate in candidates:
        if candidate in columns:
            return candidate
    argument = "path" if options.text_column is None else "text_column"
    value = str(path) if options.text_column is None else options.text_column
    raise InvalidInput(argument, value, f"name the column of the texts: {', '.join(columns)}")


def _number_or_text(value: Any) -> Any:
    """Return a cell as the number that is written exactly so, else as it is."""
    for kind in (int, float):
        with suppress(ValueError):
            if str(kind(value)) == value and value not in ("inf", "-inf", "nan"):
                return kind(value)
    return value


def _markdown(path: Path, name: str, options: ImportOptions) -> Iterator[FileRow]:
    try:
        text = whole_text(path)
        for line, fields in markdown.pieces(text, name, options.split_above, options.unknown):
            yield FileRow(name, line, fields)
    except (FrontMatterError, RowError) as error:
        yield FileRow(name, error.line, reason=str(error))
    except ValueError as error:
        yield FileRow(name, 1, reason=str(error))
