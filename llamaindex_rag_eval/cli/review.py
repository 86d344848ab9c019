"""`rag-eval review`: a page on which a person accepts, edits or rejects golden items."""

from pathlib import Path

import testset
from llamaindex_rag_eval.cli.console import Printer, Quiet
from llamaindex_rag_eval.cli.options import Encoding, Page
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import InputError


def review_command(
    golden: Path,
    /,
    *,
    docs: Path | None = None,
    encoding: Encoding = None,
    page: Page = Page(),
    quiet: Quiet = False,
) -> None:
    """Review a golden set in a browser, on this machine alone.

    Every decision is written to the golden set at once, and to a file `.decisions.jsonl` beside
    it. Several people can review one set: a save on what somebody else has decided meanwhile is
    refused once, and `rag-eval card` tells how far two reviewers agree. Ctrl-C ends the review;
    start it again to go on.

    Args:
        golden: The golden set.
        docs: The documents of the golden set, to locate its gold spans.
    """
    try:
        from testset.review.server import serve_review
    except ImportError as error:
        raise InputError(
            f"the review page needs {error.name}; install it: "
            "pip install 'llamaindex-rag-eval[review]'"
        ) from error

    writable(golden)
    texts = testset.Corpus.read(docs, encoding=encoding).texts if docs is not None else {}
    printer = Printer(quiet=quiet)

    def ready(address: str) -> None:
        page.show(address)
        printer.note("Open it in a browser; Ctrl-C ends the review.")

    serve_review(golden, texts, port=page.port, ready=ready)
