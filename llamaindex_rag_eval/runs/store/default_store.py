"""Where runs are kept if nothing else is said; apart from what reads them, which takes a second."""

from pathlib import Path

__all__ = ["DEFAULT_STORE"]

DEFAULT_STORE = Path(".rag-eval/runs.db")
"""In the folder where one works, so that each project has its own runs."""
