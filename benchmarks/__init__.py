"""Benchmarks, each of which prints a table and writes JSON: docs/benchmarks.md lists them."""
