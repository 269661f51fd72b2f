"""Guided explorations: they start where recall finds, and keep its order."""
