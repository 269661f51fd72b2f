"""Values and texts as messages show them: printable, and not too long."""

from decimal import Decimal

LONGEST_VALUE = 60
LONGEST_TEXT = 1000
MOST_EXACT = 2**106  # Python refuses to print a whole number of more than 4,300 digits


def excerpt(value: object) -> str:
    """Return a value for a message, at most 60 characters of it."""
    text = str(value) if isinstance(value, (Decimal, float)) else bounded_repr(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


def bounded_repr(value: object) -> str:
    """Return the representation of a value, of a long text that of its beginning."""
    if isinstance(value, int) and not -MOST_EXACT < value < MOST_EXACT:
        return "a number of many digits"
    return repr(value[: LONGEST_VALUE + 1] if isinstance(value, str) else value)


def printable(text: str) -> str:
    """Return a text that every output can take, shortened: half characters become marks."""
    whole = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    return whole if len(text) <= LONGEST_TEXT else whole + "..."
