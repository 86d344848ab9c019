"""HTML: the report of a run, or of runs compared, as one file that needs nothing else.

The page loads nothing from the network and runs no script but its own, as its content security
policy demands; every text of a document, a question or an answer is escaped.
"""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.decisions.by_people import ByPeople, people_sentences
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.comparisons import Comparisons
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY, Policy
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswers
from llamaindex_rag_eval.diagnosis.modes import SortedFailure
from llamaindex_rag_eval.report.head import head_of
from llamaindex_rag_eval.report.lost import lost_section
from llamaindex_rag_eval.report.questions import (
    embedded_json,
    question_data,
    shown_ids,
)
from llamaindex_rag_eval.report.resources import resource_tables
from llamaindex_rag_eval.report.templates import render, source
from llamaindex_rag_eval.report.view import (
    difference_scale,
    score_rows,
    slice_rows,
    view_of,
)
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.run import Run


def html_report(
    about: Run | Comparison | Comparisons,
    *,
    clusters: Clustering = "documents",
    before: Run | None = None,
    policy: Policy = DEFAULT_POLICY,
    home: str = "",
    people: Sequence[ByPeople] | None = None,
    diagnoses: Sequence[LostAnswers] = (),
    modes: Sequence[SortedFailure] = (),
) -> str:
    """Return the report of a run, or of runs compared, as a whole HTML page.

    It begins with what may be decided: see `decide`.

    All numbers are over all questions. Of more than a thousand, the page shows as many one by one.

    Args:
        about: A run, two runs compared, or several against a baseline.
        clusters: What is not independent in a run; runs compared have said so already.
        before: An earlier run of the pipeline of the last run, to say what changed.
        policy: What is decided by.
        home: Where the page's first link leads, back to all runs; empty for none.
        people: What labels say of a run (`run_by_people`); runs compared have it.
        diagnoses: Where answers are lost, by `diagnose`; a run is shown with that of its answers.
        modes: The lines of a file of failure modes (`rag-eval diagnose RUN LABELS`).
    """
    view = view_of(about, clusters)
    view = replace(view, pairs=tuple(pair.under(policy) for pair in view.pairs), alone=people)
    script = source("report.js")
    contrasts = [contrast for pair in view.pairs for contrast in pair.contrasts]
    by_slice = [c for pair in view.pairs for part in pair.slices for c in part.contrasts]
    ids = tuple(dict.fromkeys(key for run in view.runs for key in run.ids))
    shown = shown_ids(ids)
    data = question_data(view.runs, view.names, view.metrics, shown)
    return render(
        "report.html.j2",
        view=view,
        head=head_of(view, before, policy),
        questions=len(ids),
        shown=len(shown),
        rows=score_rows(view),
        difference_scale=difference_scale(contrasts),
        # Differences of small groups are larger: the scale of all questions would cut them off.
        slice_scale=difference_scale(by_slice),
        part=lost_section(view, diagnoses, modes),
        resources=resource_tables(about, clusters),
        slices=slice_rows(view.runs[0], view.metrics) if not view.pairs else (),
        data=embedded_json(data),
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=script_hash("report.js"),
        home=home,
        people=dict.fromkeys(line for each in view.people for line in people_sentences(each)),
    )


def write_html(
    about: Run | Comparison | Comparisons,
    path: str | Path,
    *,
    clusters: Clustering = "documents",
    before: Run | None = None,
    policy: Policy = DEFAULT_POLICY,
    people: Sequence[ByPeople] | None = None,
    diagnoses: Sequence[LostAnswers] = (),
    modes: Sequence[SortedFailure] = (),
) -> Path:
    """Write the report to a file; all but the path is as in `html_report`.

    Raises:
        OutputError: The file cannot be written.
    """
    shown: dict[str, Any] = {"people": people, "diagnoses": diagnoses, "modes": modes}
    page = html_report(about, clusters=clusters, before=before, policy=policy, **shown)
    return write_whole(path, [page])


def script_hash(name: str) -> str:
    """Return the SHA-256 of one of our scripts, as a policy names it so that no other runs."""
    return base64.b64encode(hashlib.sha256(source(name).encode()).digest()).decode()
