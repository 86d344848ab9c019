"""HTML: the report of a run, or of runs compared, as one file that needs nothing else.

The page asks for nothing from the network and runs no script but its own, which a content
security policy holds; every text of a document, a question or an answer is shown as text.
"""

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.many_runs import Comparisons
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.report.card import card_blocks
from llamaindex_rag_eval.report.diagnoses import diagnosis_rows
from llamaindex_rag_eval.report.kinds import kind_rows
from llamaindex_rag_eval.report.questions import embedded_json, question_data
from llamaindex_rag_eval.report.rows import difference_scale, rows_of
from llamaindex_rag_eval.report.templates import page_source, template
from llamaindex_rag_eval.report.view import subject_of
from llamaindex_rag_eval.runs.run import Run

__all__ = ["html_report", "write_html"]


def html_report(subject: Run | Comparison | Comparisons, *, card: str = "") -> str:
    """Return the report of a run, or of runs compared, as a whole HTML page.

    Args:
        subject: What it is about.
        card: The data card of the golden set that was asked, in Markdown; it gets a section.
    """
    shown = subject_of(subject)
    script = page_source("report.js")
    contrasts = [contrast for pair in shown.pairs for contrast in pair.contrasts]
    page = template("report.html.j2").render(
        comparison=shown.pairs[0] if len(shown.pairs) == 1 else None,
        shown=shown,
        runs=shown.runs,
        names=shown.names,
        rows=rows_of(shown.runs, shown.metrics, shown.pairs),
        reach=difference_scale(contrasts),
        # Small groups reach further out: on the scale of all questions they would be cut off.
        slice_reach=difference_scale(
            [c for pair in shown.pairs for kind in pair.slices for c in kind.contrasts]
        ),
        diagnoses=diagnosis_rows(shown.runs),
        card=card_blocks(card),
        kinds=kind_rows(shown.runs[0], shown.metrics) if not shown.pairs else (),
        data=Markup(  # noqa: S704 - escaped for its place
            embedded_json(question_data(shown.runs, shown.names, shown.metrics))
        ),
        style=Markup(page_source("report.css")),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=_hash(script),
    )
    # A lone surrogate, as broken input may hold, has no place in UTF-8.
    return page.encode("utf-8", "replace").decode()


def write_html(
    subject: Run | Comparison | Comparisons, path: str | Path, *, card: str = ""
) -> Path:
    """Write the report to a file, with a data card as `html_report` takes it.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [html_report(subject, card=card)])


def _hash(script: str) -> str:
    """Return the hash by which the page's policy lets this one script run."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
