"""Where answers are lost: for the terminal, as JSON, and as one HTML page with the waterfall."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.table import Table

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.diagnosis.cause import TrialName, cause_texts
from llamaindex_rag_eval.diagnosis.lost_answers import LostAnswers
from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.numbers import counted, interval, number
from llamaindex_rag_eval.report.templates import render
from llamaindex_rag_eval.stats.interval import Estimate

READING: Mapping[TrialName, str] = {
    "alone": "tried from the evidence alone, the share that stays right is",
    "noise": "tried with more nodes beside the evidence, the share that stays right is",
    "without": "tried without the evidence, the share that is refused is",
    "exchanged": "tried with another number in the nodes, the share that follows it is",
}
"""Of a trial with right answers, what its share is."""


def lost_sentences(lost: LostAnswers) -> Iterator[str]:
    """Yield what was found, in sentences."""
    causes = ", ".join(f"{entry.count} {entry.text.title}" for entry in lost.causes)
    wrong = f"{len(lost.lost)} went wrong" if lost.lost else "none went wrong"
    yield f"Of {counted(lost.questions, 'question')} {wrong}{': ' if causes else ''}{causes}."
    yield f"The share of right answers is {_figure(lost.right)}."
    if lost.lost and lost.reach.value is not None:
        yield f"With perfect retrieval this reader would reach {_figure(lost.reach)}."
    for name, share in lost.reading.items():
        yield f"Of {counted(share.n, 'right answer')} {READING[name]} {_figure(share)}."
    both = sum(len(entry.causes) > 1 for entry in lost.lost)
    if both:
        yield f"{both} of the wrong answers have a second cause: mending the first is not enough."
    if lost.unjudged:
        yield f"{counted(lost.unjudged, 'question')} without a verdict are left out."


def lost_table(lost: LostAnswers) -> Table:
    """Return a row for each cause, in the order of a pipeline, with what to do."""
    rows = [
        (
            entry.text.title,
            entry.count,
            number(entry.share.value),
            _ends(entry.share),
            entry.text.remedy,
        )
        for entry in lost.causes
    ]
    heads = ("answers", "share", "interval")
    return text_table(
        "Where answers are lost", ["cause"], heads, "what to do", rows=rows, whole=heads
    )


def lost_html(lost: LostAnswers) -> str:
    """Return the page; it loads nothing and runs no script, and every text is escaped."""
    return render(
        "lost.html.j2",
        lost=lost,
        sentences=tuple(lost_sentences(lost)),
        titles={name: text.title for name, text in cause_texts().items()},
    )


def write_lost(lost: LostAnswers, folder: str | Path) -> tuple[Path, ...]:
    """Write `diagnosis.json` and `diagnosis.html` to a folder, and return their paths.

    Raises:
        OutputError: They cannot be written.
    """
    texts = {
        "diagnosis.json": json_safe(json.dumps(lost.as_json(), ensure_ascii=False, indent=2))
        + "\n",
        "diagnosis.html": lost_html(lost),
    }
    return tuple(write_whole(Path(folder) / name, [text]) for name, text in texts.items())


def _figure(estimate: Estimate) -> str:
    ends = _ends(estimate)
    return number(estimate.value) + (f" ({ends})" if estimate.interval else "")


def _ends(estimate: Estimate) -> str:
    return interval(estimate.low, estimate.high)
