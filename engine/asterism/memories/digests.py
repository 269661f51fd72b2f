"""Digests of parts, which give texts and messages their ids."""

import hashlib

DIGITS = 16


def digest_of(*parts: object) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of parts, of which None is empty."""
    content = "\x1f".join("" if part is None else str(part) for part in parts)
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:DIGITS]
