"""Subjects: what a report is about, one run, two compared, or several against a baseline."""

from dataclasses import dataclass

from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.many_runs import Comparisons
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

__all__ = ["Subject", "subject_of"]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a report shows.

    Attributes:
        runs: The baseline first, if there is one.
        names: What they are called.
        metrics: In the order of the first run.
        pairs: The baseline with each other run; none for a run alone.
        questions: How many are shown scores of.
        verdict: In sentences.
        notes: What a reader must know about the questions.
    """

    runs: tuple[Run, ...]
    names: tuple[str, ...]
    metrics: tuple[MetricInfo, ...]
    pairs: tuple[Comparison, ...]
    questions: int
    verdict: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def subject_of(about: Run | Comparison | Comparisons) -> Subject:
    """Return what a report of this shows."""
    if isinstance(about, Run):
        return Subject((about,), (about.name or "Run",), about.metrics, (), len(about))
    if isinstance(about, Comparisons) and len(about.pairs) == 1:
        about = about.pairs[0]
    if isinstance(about, Comparison):
        pairing = about.pairing
        runs, metrics, count = (pairing.a, pairing.b), pairing.metrics, len(pairing.ids)
        return Subject(runs, about.names, metrics, (about,), count, about.verdict, about.notes)
    return Subject(
        about.runs,
        about.names,
        about.metrics,
        about.pairs,
        about.questions,
        about.verdict,
        about.notes,
    )
