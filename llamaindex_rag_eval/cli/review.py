"""`rag-eval review`: a page on which a person accepts, edits or rejects golden items."""

import typer

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import InputError


def review_command(
    golden: options.Golden,
    docs: options.GoldenDocs = None,
    port: options.Port = 0,
    show: options.OpenBrowser = False,
    quiet: options.Quiet = False,
) -> None:
    """Review a golden set in a browser, on this machine alone.

    Every decision is written to the golden set at once, and to a file `.decisions.jsonl` beside
    it. Several people can review one set: a save on what somebody else has decided meanwhile is
    refused once, and `rag-eval card` tells how far two reviewers agree. Ctrl-C ends the review;
    start it again to go on.
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
    printer = Printer(quiet=quiet)

    def ready(address: str) -> None:
        # The address holds the key to the page, so it is printed even with --quiet.
        typer.echo(address)
        printer.note("Open it in a browser; Ctrl-C ends the review.")
        if show:
            typer.launch(address)

    serve_review(golden, texts, port=port, ready=ready)
