"""Diagnoses: where pipelines fail, as the metric `diagnosis` found it, in the pipeline's order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.runs.run import Run

__all__ = ["DiagnosisRow", "diagnosis_rows", "finding_in"]

METRIC = "diagnosis"

MEANINGS: Mapping[str, str] = {
    "correct": "nothing went wrong",
    "retrieval_miss": "what the right answer says was not retrieved",
    "retrieval_noise": "the answer took something wrong from an irrelevant context",
    "contradiction": "the answer says the opposite of a context",
    "hallucination": "the answer says what stands nowhere",
    "generation_miss": "it was retrieved, and the answer does not say it",
    "refusal": "the pipeline refused to answer",
}


@dataclass(frozen=True, slots=True)
class DiagnosisRow:
    """How often each run ended in one finding.

    Attributes:
        finding: As the metric names it.
        meaning: In words.
        counts: Questions, for each run.
        shares: Of the questions that were diagnosed, in [0, 1]; 0 where none was.
    """

    finding: str
    meaning: str
    counts: tuple[int, ...]
    shares: tuple[float, ...]


def diagnosis_rows(runs: Sequence[Run]) -> tuple[DiagnosisRow, ...]:
    """Return a row for each finding that any run has; none if no run was diagnosed."""
    counted = [Counter(_findings(run)) for run in runs]
    totals = [sum(counts.values()) for counts in counted]
    return tuple(
        DiagnosisRow(
            finding=finding,
            meaning=meaning,
            counts=tuple(counts[finding] for counts in counted),
            shares=tuple(
                counts[finding] / total if total else 0.0
                for counts, total in zip(counted, totals, strict=True)
            ),
        )
        for finding, meaning in MEANINGS.items()
        if any(counts[finding] for counts in counted)
    )


def finding_in(evidence: object) -> str:
    """Return the finding that the evidence of a diagnosis names; empty if it names none.

    Example:
        >>> finding_in({"diagnosis": "hallucination"}), finding_in([])
        ('hallucination', '')
    """
    found = evidence.get("diagnosis") if isinstance(evidence, Mapping) else None
    return found if isinstance(found, str) else ""


def _findings(run: Run) -> list[str]:
    results = (result for result in run.of(METRIC) if result.status == "scored")
    return [found for result in results if (found := finding_in(result.evidence)) in MEANINGS]
