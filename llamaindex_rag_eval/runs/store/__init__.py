"""The database of runs: runs that are stored, named, found again, and followed over time."""

from pathlib import Path

DEFAULT_STORE = Path(".rag-eval/runs.db")
"""In the current folder, so that each project has its own runs.

It is defined here, so that the command line can show it without importing a database library.
"""
