"""Recall: the right memories for a question, with the reason."""
