"""The section of docs/agreement.md that says how far the rules agree with people."""

import re
from collections.abc import Sequence
from datetime import datetime, timezone
from importlib.metadata import version

from tests.benchmarks.measuring.embedding_changes import Changes
from tests.benchmarks.measuring.figures import NONE, cells, number
from tests.benchmarks.measuring.records import REPOSITORY
from tests.benchmarks.measuring.row import Row

PAGE = REPOSITORY / "docs" / "agreement.md"
BEGIN, END = "<!-- agreement: begin -->", "<!-- agreement: end -->"

TITLE = "## How far the rules agree with people"
HEAD = (
    "Version {version}, {date}: AUC or Pearson's r on sets labelled by people, with 95 % "
    "intervals. *Graded* is the default score, *score* the one with `graded=False`, *ECE* the "
    "expected calibration error of graded on yes-or-no labels. *Held out* is graded with weights "
    "fitted on other folds (on other sets); on sets with this column, score, graded and ECE "
    "**include the fit**. *Best baseline* is the best of four without a judge: share of words "
    "found, token F1, ROUGE-L, TF-IDF."
)
TOGETHER = (
    "¹ A ridge regression on three figures, 10-fold; not a metric of this package. RAGChecker's "
    "own scores, by an LLM, reach {llm} on the same pairs."
)
EXPECTED = "² Depends on paraphrase and inference: expect an LLM judge to do better."
EMBEDDING = (
    "*Embedding*: what `{model}` beside the rules (`--embed` or `EmbeddedOracle(embed_model=…)`) "
    "changes in graded, else in score, on {records} records of each set, measured {date}{stale}. "
    "It is off by default, and affects only claims compared with responses and references."
)
CAVEAT = (
    "Features, weights and rules were chosen while looking at these sets, so held-out figures may"
    " be too good, too. They leave out responses without a claim, which are 0 in the other "
    "columns (except on mtrag_human). `python -m tests.benchmarks.agreement --write` writes this "
    "section, `--embed MODEL` that column."
)

STALE = " with earlier weights"
PREFERRED = "ragchecker_pref"
HARD = ("mtrag_human", "wice_claim", "q2_wow", "dialfact_small", "jnli_ja", "squality_human")
"""Sets where words in common say little about what people said."""


def block(rows: Sequence[Row], changes: Changes | None) -> str:
    """Return the section.

    Args:
        rows: What was measured; those that stand aside are left out.
        changes: What an embedding model changes; None if that was never measured.
    """
    shown = [row for row in rows if not row.aside]
    titles = ["set", "measure", "n", "score", "graded", "ECE", "held out", "best baseline"]
    titles += ["embedding"] if changes else []
    lines = [_line(titles), "|---" * len(titles) + "|"]
    lines += [_line([*_named(row), *cells(row), *_changed(row, changes)]) for row in shown]
    today = datetime.now(timezone.utc).date().isoformat()
    head = HEAD.format(version=version("llamaindex-rag-eval"), date=today)
    notes = _notes(shown, changes)
    return "\n".join([BEGIN, TITLE, "", head, "", *lines, "", *notes, "", CAVEAT, END])


def with_block(text: str, new: str) -> str:
    """Return the text with what is between the markers replaced, markers included."""
    return re.sub(f"{BEGIN}.*?{END}", lambda _: new, text, flags=re.DOTALL)


def _named(row: Row) -> list[str]:
    mark = " ¹" if row.set == PREFERRED else " ²" if row.set in HARD else ""
    return [f"{row.set}{mark}", f"{row.measure}, {row.coefficient}"]


def _changed(row: Row, changes: Changes | None) -> list[str]:
    if changes is None:
        return []
    change = changes.of(row)
    if change is None:
        return [NONE]
    shown = number(change)
    return [shown if shown.startswith("−") else f"+{shown}"]


def _notes(shown: Sequence[Row], changes: Changes | None) -> list[str]:
    """Return what has to be known of the rows that are there."""
    notes = []
    llm = [number(row.llm) for row in shown if row.llm is not None]
    if llm:
        notes.append(TOGETHER.format(llm=", ".join(llm)))
    if any(row.set in HARD for row in shown):
        notes.append(EXPECTED)
    if changes is not None:
        stale = STALE if changes.stale else ""
        about = {"model": changes.model, "records": changes.records, "date": changes.date}
        notes.append(EMBEDDING.format(**about, stale=stale))
    return [" ".join(notes)] if notes else []


def _line(parts: Sequence[str]) -> str:
    return f"| {' | '.join(parts)} |"
