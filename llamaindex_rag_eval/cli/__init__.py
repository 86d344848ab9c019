"""The command line `rag-eval`: commands parse options, call the library, and print."""

from llamaindex_rag_eval.cli.app import app as app, main as main
