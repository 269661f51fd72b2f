"""Names of realms: what one may look like, and the word that stands for it in an index."""

import hashlib
from functools import cache

from asterism.errors import InvalidInput

LONGEST_NAME = 100


def valid_name(name: str, argument: str = "realm") -> str:
    """Return a realm's name as it is, or refuse it."""
    fine = (
        isinstance(name, str)
        and 0 < len(name) <= LONGEST_NAME
        and name.isprintable()
        and name == name.strip()
    )
    if not fine:
        remedy = (
            f"a realm's name is 1 to {LONGEST_NAME} printable characters without spaces around it"
        )
        raise InvalidInput(argument, name, remedy)
    return name


def quoted(name: str) -> str:
    """Return the realm as a phrase in a query of the fulltext index."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@cache
def realm_key(name: str) -> str:
    """Return the realm as one word of letters and digits, for the fulltext index."""
    return "r" + hashlib.sha256(name.encode()).hexdigest()[:12]
