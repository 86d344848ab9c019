"""Answer rate: how many questions each of two pipelines answers at all.

A pipeline that refuses hard questions, or fails on them, has no score there, and its mean over the
others looks better. So answering has a contrast of its own.
"""

from dataclasses import dataclass

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.decisions.pairing import Pairing, Rows
from llamaindex_rag_eval.runs.clusters import SampleClusters

ATTEMPTED = "answer_verdict"
"""The metric whose verdict says that a response does not attempt an answer."""


@dataclass(frozen=True, slots=True)
class AnswerRate(JsonFields):
    """The questions that two pipelines answer.

    Attributes:
        n: Questions that want an answer.
        only_a: Answered by the first pipeline alone.
        only_b: Answered by the second alone.
        both: Answered by both.
        p_value: Of McNemar's test that both answer equally often, in [0, 1].
    """

    _json = "n only_a only_b both p_value"

    n: int
    only_a: int
    only_b: int
    both: int
    p_value: float

    def sentence(self, names: tuple[str, str]) -> str:
        """Return how many questions each answers; empty if they answer the same ones."""
        if not (self.only_a or self.only_b):
            return ""
        a, b = self.both + self.only_a, self.both + self.only_b
        p = "< 0.001" if self.p_value < 0.001 else f"{self.p_value:.3f}"
        return (
            f"{names[1]} answers {b} of {self.n} questions, {names[0]} {a}; "
            f"{self.only_a} only {names[0]}, {self.only_b} only {names[1]} (p {p})."
        )


def answer_rate(pairing: Pairing, clusters: SampleClusters) -> AnswerRate | None:
    """Return how often two pipelines answer; `None` if neither was asked for answers."""
    from llamaindex_rag_eval.stats.paired import paired_test

    first, second = pairing.samples, {sample.id: sample for sample in pairing.b.samples}
    ids = [key for key, sample in first.items() if _wants_answer(sample)]
    if not any(_response(sample) for found in (first, second) for sample in found.values()):
        return None
    a = [_answered(first[key], pairing.rows_a) for key in ids]
    b = [_answered(second[key], pairing.rows_b) for key in ids]
    if not ids:
        return None
    gaps = [float(two) - float(one) for one, two in zip(a, b, strict=True)]
    test = paired_test(gaps, clusters=clusters.of(ids), width=1.0)
    return AnswerRate(
        n=len(ids),
        only_a=gaps.count(-1.0),
        only_b=gaps.count(1.0),
        both=sum(one and two for one, two in zip(a, b, strict=True)),
        p_value=float(test.p_value()),
    )


def _wants_answer(sample: Sample) -> bool:
    return isinstance(sample, SingleTurnSample) and sample.expected_behaviour == "answer"


def _response(sample: Sample) -> str:
    return sample.response.strip() if isinstance(sample, SingleTurnSample) else ""


def _answered(sample: Sample, rows: Rows) -> bool:
    row = rows.get(ATTEMPTED, {}).get(sample.id)
    refused = row is not None and row.verdict == "not_attempted"
    return bool(_response(sample)) and not sample.error and not refused
