"""`rag-eval review`: a page on which a person accepts, edits or rejects golden items."""

from pathlib import Path
from typing import Annotated

import typer

from llamaindex_rag_eval.cli.options import Quiet
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.errors import InputError

__all__ = ["review_command"]


def review_command(
    golden: Annotated[Path, typer.Argument(help="The golden set.")],
    docs: Annotated[
        Path | None,
        typer.Option("--docs", help="Its documents, to show the evidence in its place."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Where to listen; 0 is any free port.")
    ] = 0,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    quiet: Quiet = False,
) -> None:
    """Review a golden set in a browser, on this machine alone.

    Every decision is in the golden set at once, and in a file `.decisions.jsonl` beside it. Ctrl-C
    ends the review; start it again to go on.
    """
    try:
        from testset.review.server import serve_review
    except ImportError as error:
        raise InputError(
            f"the review page needs {error.name}; install it: "
            "pip install 'llamaindex-rag-eval[review]'"
        ) from error
    from testset import Corpus

    writable(golden)
    texts = Corpus.read(docs).texts if docs is not None else {}
    screen = Screen(quiet=quiet)

    def ready(address: str) -> None:
        # The address is the key to the page, so it is told even to those who want no words.
        typer.echo(address)
        screen.note("Open it in a browser; Ctrl-C ends the review.")
        if show:
            typer.launch(address)

    serve_review(golden, texts, port=port, ready=ready)
