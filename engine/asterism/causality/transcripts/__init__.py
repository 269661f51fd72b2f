"""Transcripts: readers of files, masks, speakers, and the rules that recognise intents and answers.

Nothing in here knows the causal kernel or the graph.
"""
