"""The command line: `rag-eval`."""

from llamaindex_rag_eval.cli.app import app, main

__all__ = ["app", "main"]
