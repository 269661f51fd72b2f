"""Tokens of clients: read from private files or the environment, each with its realm."""

import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from asterism.errors import InvalidInput
from asterism.realm_names import valid_name

VARIABLE = "ASTERISM_MCP_TOKEN"
LEAST_LETTERS = 16
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Access:
    """Realm of each token. Without tokens every client gets the one realm."""

    realm: str
    tokens: Mapping[str, str]

    def realm_of(self, header: str | None) -> str | None:
        """Return the realm for an Authorization header, None if it opens none."""
        if not self.tokens:
            return self.realm
        scheme, _, token = (header or "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        # Every token is compared, so that the time tells nothing about them.
        received, realm = token.strip().encode(), None
        for each, own in self.tokens.items():
            if hmac.compare_digest(each.encode(), received):
                realm = own
        return realm


def read_access(realm: str, file: Path | None, host: str) -> Access:
    """Return who may use the server: the tokens of a file, else that of the environment, else all.

    Only on this machine's own address no token is needed.
    """
    tokens = _tokens_of(file, realm) if file is not None else {}
    variable = os.environ.get(VARIABLE, "").strip()
    if file is None and variable:
        tokens = {_valid_token(variable, VARIABLE): realm}
    if not tokens and host not in LOOPBACK:
        raise InvalidInput(
            "host", host, f"others can reach this address: give --token-file, or set {VARIABLE}"
        )
    return Access(valid_name(realm), tokens)


def _tokens_of(file: Path, realm: str) -> dict[str, str]:
    """Read a file with one token, or with lines of a token and its realm."""
    try:
        mode = file.stat().st_mode
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("token_file", str(file), f"it can't be read: {error}") from error
    if os.name == "posix" and mode & 0o077:
        raise InvalidInput("token_file", str(file), "others can read it: chmod 600 it first")
    rows = [line.split() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    tokens: dict[str, str] = {}
    for row in rows:
        if len(row) > 2:
            remedy = "give one line for each token: the token, a space and its realm"
            raise InvalidInput("token_file", str(file), remedy)
        token = _valid_token(row[0], "token_file")
        if token in tokens:
            raise InvalidInput("token_file", str(file), "two lines have the same token")
        tokens[token] = valid_name(row[1] if len(row) == 2 else realm)
    if not tokens:
        raise InvalidInput("token_file", str(file), "it holds no token")
    return tokens


def _valid_token(token: str, argument: str) -> str:
    if len(token) < LEAST_LETTERS or not token.isascii() or not token.isprintable():
        remedy = f"give a token of at least {LEAST_LETTERS} letters, such as `openssl rand -hex 24`"
        raise InvalidInput(argument, f"{token[:3]}...", remedy)
    return token
