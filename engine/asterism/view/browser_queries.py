"""Statements of cypher/inspect as texts and saved queries for Neo4j Browser."""

import re
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from asterism import statements
from asterism.clock import aware
from asterism.errors import InvalidInput, NotFound
from asterism.statements import Statement
from asterism.view.output_files import refuse_unwritable

FOLDER, FIRST = "Asterism", "00 Parameters"
REALM_IN_FILES = "'demo'"
ZONED = re.compile(r"T.*(Z|[+-]\d\d:\d\d)$")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
FILE_TIME = (2026, 1, 1, 0, 0, 0)  # fixed, so that the same queries make the same file


def names() -> list[str]:
    """Return the names of all statements for Browser."""
    parts = [name.partition("/") for name in statements.names()]
    return [name for folder, _, name in parts if folder == "inspect"]


def load(name: str) -> Statement:
    """Return one of the statements, or refuse a misspelt name with the right ones."""
    if name not in names():
        raise NotFound("statement", name, f"there is {', '.join(names())}")
    return statements.load(f"inspect/{name}")


def with_values(name: str, realm: str, values: Mapping[str, str] | None = None) -> str:
    """Return a statement with every value in its place: Browser shows its picture at once.

    Other values are those that the file suggests: the newest run, the strongest connection. A
    suggestion that depends on another parameter follows the value of that one.
    """
    statement, values = load(name), values or {}
    samples = dict(_samples(statement, values.get("realm", realm)))
    literals = dict(samples)
    for key, value in values.items():
        if key not in samples:
            raise InvalidInput("set", f"{key}={value}", f"{name} takes {', '.join(samples)}")
        literals[key] = _literal(key, value, samples[key])
        _replace_sample(literals, samples[key], literals[key])
    return _header(statement) + statements.filled(_code(statement), literals)


def saved_queries(realm: str) -> dict[str, str]:
    """Return saved queries by file name: the parameters, to be run first, then every statement."""
    loaded = [load(name) for name in names()]
    values = {key: value for each in loaded for key, value in _samples(each, realm)}
    lines = [f":param {key} => {value};" for key, value in values.items()]
    first = "\n".join(["// 00 Parameters: run this first, with your own values", *lines, ""])
    rest = {each.name.partition("/")[2]: _header(each) + _code(each) for each in loaded}
    return {f"{FOLDER}/{name}.cypher": text for name, text in {FIRST: first, **rest}.items()}


def save(file: Path, realm: str) -> int:
    """Write the saved queries as a file to drop into Browser, and return their number."""
    refuse_unwritable(file, "zip")
    queries = saved_queries(realm)
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, text in queries.items():
            archive.writestr(ZipInfo(name, FILE_TIME), text, ZIP_DEFLATED)
    return len(queries)


def _samples(statement: Statement, realm: str) -> list[tuple[str, str]]:
    literal = statements.literal(realm)
    return [(key, value.replace(REALM_IN_FILES, literal)) for key, value in statement.samples]


def _literal(key: str, value: str, sample: str) -> str:
    """Return a value as a Cypher literal of the type that the file suggests."""
    suggested = sample.rpartition("RETURN ")[2]
    if suggested.startswith("datetime("):
        return f"datetime({statements.literal(_time(key, value))})"
    if not NUMBER.match(suggested) and not suggested.startswith("toFloat("):
        return statements.literal(value)
    if not NUMBER.fullmatch(value):
        raise InvalidInput("set", f"{key}={value}", f"give a number, such as {key}=25")
    return value


def _time(key: str, value: str) -> str:
    """Return a time as it was typed if Cypher reads it so too, else in UTC."""
    try:
        moment = aware(value, "set")
    except InvalidInput as error:
        remedy = f"give a time such as {key}=2026-06-20T13:00Z"
        raise InvalidInput("set", f"{key}={value}", remedy) from error
    return value if ZONED.search(value) else moment.isoformat()


def _replace_sample(literals: dict[str, str], sample: str, literal: str) -> None:
    """Put a literal in place of its sample in every sample that begins with that."""
    for key, value in literals.items():
        literals[key] = value.replace(f"WITH {sample} AS ", f"WITH {literal} AS ", 1)


def _header(statement: Statement) -> str:
    """Return the first line, which Browser shows as the name of a saved query."""
    return f"// {statement.summary}\n"


def _code(statement: Statement) -> str:
    _, marker, code = statement.text.partition("CYPHER 25")
    return marker + code
