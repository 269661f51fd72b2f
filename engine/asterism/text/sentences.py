"""Sentences of a text: what a word follows, which tells whether a capital is that of a name."""


def character_before(text: str, end: int, opening: str) -> str:
    """Return what a word follows, spaces and opening marks aside. Empty where a text begins."""
    while end and text[end - 1] in opening:
        end -= 1
    return text[end - 1 : end] if end else ""
