"""HTML: the report of a run, or of runs compared, as one file that needs nothing else.

The page loads nothing from the network and runs no script but its own, as its content security
policy demands; every text of a document, a question or an answer is escaped.
"""

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.comparisons import Comparisons
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.report.card import card_blocks
from llamaindex_rag_eval.report.questions import embedded_json, question_data
from llamaindex_rag_eval.report.templates import render, source
from llamaindex_rag_eval.report.view import (
    diagnosis_rows,
    difference_axis,
    score_rows,
    slice_rows,
    view_of,
    wrong_answers,
)
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.run import Run

__all__ = ["html_report", "write_html"]


def html_report(
    about: Run | Comparison | Comparisons, *, card: str = "", clusters: Clustering = "documents"
) -> str:
    """Return the report of a run, or of runs compared, as a whole HTML page.

    Args:
        about: A run, two runs compared, or several against a baseline.
        card: The data card of the golden set, in Markdown; it becomes a section.
        clusters: What is not independent in a run; runs compared have said so already.
    """
    view = view_of(about, clusters)
    script = source("report.js")
    contrasts = [contrast for pair in view.pairs for contrast in pair.contrasts]
    by_slice = [c for pair in view.pairs for one in pair.slices for c in one.contrasts]
    data = embedded_json(question_data(view.runs, view.names, view.metrics))
    return render(
        "report.html.j2",
        comparison=view.pairs[0] if len(view.pairs) == 1 else None,
        view=view,
        runs=view.runs,
        names=view.names,
        rows=score_rows(view.runs, view.metrics, view.pairs, view.clusters),
        difference_axis=difference_axis(contrasts),
        # Differences of small groups are larger: the axis of all questions would cut them off.
        slice_axis=difference_axis(by_slice),
        wrong=wrong_answers(view.runs),
        diagnoses=diagnosis_rows(view.runs),
        card=card_blocks(card),
        slices=slice_rows(view.runs[0], view.metrics) if not view.pairs else (),
        data=Markup(data),  # noqa: S704 - escaped for its place
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=_sha256(script),
    )


def write_html(
    about: Run | Comparison | Comparisons,
    path: str | Path,
    *,
    card: str = "",
    clusters: Clustering = "documents",
) -> Path:
    """Write the report to a file, with a data card and clusters as `html_report` takes them.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [html_report(about, card=card, clusters=clusters)])


def _sha256(script: str) -> str:
    """Return the hash that the page's content security policy names: no other script runs."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
