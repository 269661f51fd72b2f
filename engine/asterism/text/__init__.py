"""Text processing without a model: tokens, stems, names, and comparison of wordings.

`english` holds all that depends on a language.
"""
