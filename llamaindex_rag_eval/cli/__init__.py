"""The command line `rag-eval`: commands take options, call the library, and print."""

from llamaindex_rag_eval.cli.app import start as start
