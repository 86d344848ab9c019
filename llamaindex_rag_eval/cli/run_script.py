"""`rag-eval more run-script`: a script that imports other evaluation tools, as it stands."""

from pathlib import Path

from llamaindex_rag_eval.cli import library


def run_script_command(script: Path, /, *arguments: str) -> None:
    """Run a script or notebook that imports ragas, DeepEval or LlamaIndex's evaluation.

    It runs as it stands: these imports are answered by this package, whether the tools are
    installed or not. A file of tests, test_*.py, is run by pytest. It is code: run only scripts
    that you trust.

    Args:
        script: A script (.py) or a notebook (.ipynb).
        arguments: Its own arguments, or pytest's, behind `--`.
    """
    library.run_script(script, arguments)
