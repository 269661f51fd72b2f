"""Names a realm by one word, for the fulltext index."""

import hashlib


def realm_key(name: str) -> str:
    """The realm as one word of letters and digits, for the fulltext index."""
    return "r" + hashlib.sha256(name.encode()).hexdigest()[:12]
