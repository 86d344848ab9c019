"""Answers: whether they come, and the time, tokens and money that they take, beside their scores.

A pipeline that refuses hard questions, or fails on them, has no score there, and its mean over the
others looks better: so answering has a contrast of its own. Resources are a family of their own: a
difference in time takes nothing from what scores can show.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.decisions.contrast import Contrast, contrast_of
from llamaindex_rag_eval.decisions.pairing import Pairing, Rows
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.runs.clusters import SampleClusters
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.resources import RESOURCES, amounts_of, resource_info
from llamaindex_rag_eval.stats.planning import ALPHA

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
        chance = "" if self.p_value <= ALPHA else ", which may be chance"
        return f"{names[1]} attempted {b} of {self.n} questions, {names[0]} {a}{chance}."


def answer_rate(pairing: Pairing, clusters: SampleClusters) -> AnswerRate | None:
    """Return how often two pipelines answer; `None` if neither was asked for answers."""
    samples = (pairing.samples, {sample.id: sample for sample in pairing.b.samples})
    ids = [key for key, sample in samples[0].items() if _wants_answer(sample)]
    if not ids or not any(_response(sample) for of_run in samples for sample in of_run.values()):
        return None
    a, b = (
        _rows({"answered": {key: float(_answered(of_run[key], rows)) for key in ids}})
        for of_run, rows in zip(samples, (pairing.rows_a, pairing.rows_b), strict=True)
    )
    info = MetricInfo(spec="answered", bounds=(0.0, 1.0))
    contrast = contrast_of(replace(pairing, rows_a=a, rows_b=b), info, clusters, ids=ids)
    return AnswerRate(
        n=len(ids),
        only_a=contrast.losses,
        only_b=contrast.wins,
        both=sum(pair.a == pair.b == 1 for pair in contrast.pairs),
        p_value=1.0 if contrast.test is None else float(contrast.test.p_value()),
    )


def _wants_answer(sample: Sample) -> bool:
    return isinstance(sample, SingleTurnSample) and sample.expected_behaviour == "answer"


def _response(sample: Sample) -> str:
    return sample.response.strip() if isinstance(sample, SingleTurnSample) else ""


def _answered(sample: Sample, rows: Rows) -> bool:
    row = rows.get(ATTEMPTED, {}).get(sample.id)
    refused = row is not None and row.verdict == "not_attempted"
    return bool(_response(sample)) and not sample.error and not refused


def resource_contrasts(pairing: Pairing, clusters: SampleClusters) -> tuple[Contrast, ...]:
    """Return a contrast for each resource that both know of a question they share, uncorrected.

    Args:
        pairing: The two runs.
        clusters: Of the paired questions.
    """
    a, b = (_rows(amounts_of(run.samples)) for run in (pairing.a, pairing.b))
    both = replace(pairing, rows_a=a, rows_b=b)
    known = [resource_info(name) for name in RESOURCES if name in a and name in b]
    contrasts = (contrast_of(both, info, clusters) for info in known)
    return tuple(contrast for contrast in contrasts if contrast.pairs)


def _rows(values: Mapping[str, Mapping[str, float]]) -> Rows:
    """Return name -> sample id -> value as the results of metrics of these names."""
    return {
        name: {key: Row(key, name, "scored", value, b"") for key, value in of_name.items()}
        for name, of_name in values.items()
    }
