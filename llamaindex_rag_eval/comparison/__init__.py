"""Comparison of runs: paired by question, with intervals, tests and a verdict."""
