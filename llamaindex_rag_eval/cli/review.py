"""`rag-eval golden review`: a page on which a person accepts, edits or rejects golden items."""

from pathlib import Path

from llamaindex_rag_eval.cli.options import GoldenDocuments, Page
from llamaindex_rag_eval.cli.paths import writable


def review_command(
    golden: Path,
    /,
    *,
    documents: GoldenDocuments = GoldenDocuments(),
    page: Page = Page(),
) -> None:
    """Review a golden set in a browser.

    On this machine alone. Every decision is written to the golden set at once, and to a file
    `.decisions.jsonl` beside it. Several people can review one set: a save on what somebody else
    has decided meanwhile is refused once, and `rag-eval golden card` tells how far two reviewers
    agree. Ctrl-C ends the review; start it again to go on.

    Args:
        golden: The golden set.
    """
    serve = page.server("review")
    writable(golden)
    corpus = documents.corpus()
    ready = page.ready("Open it in a browser; Ctrl-C ends the review.")
    serve(golden, {} if corpus is None else corpus.texts, ready=ready)
