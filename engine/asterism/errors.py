"""All errors of Asterism, in one tree.

AsterismError
├── InvalidInput          an argument is refused, before anything is written
├── NotFound              no such thing in this realm
├── Conflict              it contradicts what the graph already holds
├── SchemaMismatch        the graph, or its server, is of another version
├── DatabaseUnavailable   the server does not answer, or not to these credentials
├── ExplorationTimeout    an exploration ran out of time, and nothing was committed
└── LocalServerError      the local server can't be fetched, started or stopped
"""


class AsterismError(Exception):
    """Base of every error this package raises on purpose."""


class InvalidInput(AsterismError):
    """An argument is refused, with its name, its value and a remedy."""

    def __init__(self, argument: str, value: object, remedy: str) -> None:
        text = repr(value)
        if len(text) > 80:
            text = text[:77] + "..."
        super().__init__(f"{argument}={text}: {remedy}")
        self.argument = argument


class NotFound(AsterismError):
    """There is no such thing in this realm."""

    def __init__(
        self,
        kind: str,
        id: str,
        remedy: str = "check the id and the realm",
        where: str = "in this realm",
    ) -> None:
        super().__init__(f"no {kind} {id!r} {where}: {remedy}")


class Conflict(AsterismError):
    """The request contradicts what the graph already holds."""


class SchemaMismatch(AsterismError):
    """The graph or its server is of a version this package can't work with."""


class DatabaseUnavailable(AsterismError):
    """The server can't be reached or refuses the credentials."""


class ExplorationTimeout(AsterismError):
    """The exploration ran out of time, and nothing was committed: `partial` is its result."""

    def __init__(self, message: str, partial: object = None) -> None:
        super().__init__(message)
        self.partial = partial


class LocalServerError(AsterismError):
    """The local server could not be fetched, started, stopped or dumped."""
