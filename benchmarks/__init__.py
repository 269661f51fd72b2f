"""Measurements: each prints a table and writes JSON; ratios are taken within one run."""
