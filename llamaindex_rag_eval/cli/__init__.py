"""The command line `rag-eval`: commands parse options, call the library, and print."""

from llamaindex_rag_eval.cli.app import app, main

__all__ = ["app", "main"]
