"""The statements of cypher/inspect as texts for Neo4j Browser."""

import re
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from engine import statements
from engine.clock import aware
from engine.errors import InvalidInput, NotFound
from engine.statements import Statement
from engine.view.drawing import writable

FOLDER, FIRST = "Asterism", "00 Parameters"
WRITTEN_FOR = "'demo'"  # the realm in the files
ZONED = re.compile(r"T.*(Z|[+-]\d\d:\d\d)$")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
WHEN = (2026, 1, 1, 0, 0, 0)  # the same queries make the same file


def names() -> list[str]:
    """The names of all of them."""
    found = [name.partition("/") for name in statements.names()]
    return [name for folder, _, name in found if folder == "inspect"]


def load(name: str) -> Statement:
    """One of them; a misspelt name is told the right ones."""
    if name not in names():
        raise NotFound("statement", name, f"there is {', '.join(names())}")
    return statements.load(f"inspect/{name}")


def pasted(name: str, realm: str, given: Mapping[str, str] | None = None) -> str:
    """A statement with every value in its place: pasted into Browser it shows its picture at once.

    What is not given is what the file itself suggests: the newest run, the strongest connection;
    what is suggested for one value goes by what is given for another.
    """
    statement, given = load(name), given or {}
    samples = dict(_samples(statement, given.get("realm", realm)))
    values = dict(samples)
    for key, value in given.items():
        if key not in samples:
            raise InvalidInput("set", f"{key}={value}", f"{name} takes {', '.join(samples)}")
        values[key] = _written(key, value, samples[key])
        _follow(values, samples[key], values[key])
    return _headed(statement) + statements.filled(_code(statement), values)


def saved(realm: str) -> dict[str, str]:
    """Saved queries by file name: the parameters first, to be run once, then every statement."""
    found = [load(name) for name in names()]
    values = {key: value for each in found for key, value in _samples(each, realm)}
    lines = [f":param {key} => {value};" for key, value in values.items()]
    first = "\n".join(["// 00 Parameters: run this first, with your own values", *lines, ""])
    rest = {each.name.partition("/")[2]: _headed(each) + _code(each) for each in found}
    return {f"{FOLDER}/{name}.cypher": text for name, text in {FIRST: first, **rest}.items()}


def save(file: Path, realm: str) -> int:
    """Write the saved queries as a file to drop into Browser; how many there are."""
    writable(file, "zip")
    queries = saved(realm)
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, text in queries.items():
            archive.writestr(ZipInfo(name, WHEN), text, ZIP_DEFLATED)
    return len(queries)


def _samples(statement: Statement, realm: str) -> list[tuple[str, str]]:
    here = statements.literal(realm)
    return [(key, value.replace(WRITTEN_FOR, here)) for key, value in statement.samples]


def _written(key: str, value: str, sample: str) -> str:
    """A value as Cypher writes it, of the kind that the file suggests."""
    suggested = sample.rpartition("RETURN ")[2]
    if suggested.startswith("datetime("):
        return f"datetime({statements.literal(_time(key, value))})"
    if not NUMBER.match(suggested) and not suggested.startswith("toFloat("):
        return statements.literal(value)
    if not NUMBER.fullmatch(value):
        raise InvalidInput("set", f"{key}={value}", f"give a number, such as {key}=25")
    return value


def _time(key: str, value: str) -> str:
    """Return a time as it was typed where Cypher reads it so too, else in UTC."""
    try:
        moment = aware(value, "set")
    except InvalidInput as error:
        remedy = f"give a time such as {key}=2026-06-20T13:00Z"
        raise InvalidInput("set", f"{key}={value}", remedy) from error
    return value if ZONED.search(value) else moment.isoformat()


def _follow(values: dict[str, str], sample: str, given: str) -> None:
    """Put a value in place of its sample wherever another sample begins with that."""
    for key, value in values.items():
        values[key] = value.replace(f"WITH {sample} AS ", f"WITH {given} AS ", 1)


def _headed(statement: Statement) -> str:
    """What Browser calls a saved query: its first line."""
    return f"// {statement.summary}\n"


def _code(statement: Statement) -> str:
    _, marker, code = statement.text.partition("CYPHER 25")
    return marker + code
