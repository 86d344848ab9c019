"""A metric of one's own as ragas 0.2 documents them, beside one of ragas; and a function's."""

from dataclasses import dataclass, field

from ragas import EvaluationDataset, evaluate
from ragas.dataset_schema import SingleTurnSample
from ragas.metrics import RougeScore, numeric_metric
from ragas.metrics.base import MetricType, SingleTurnMetric


@dataclass
class Brief(SingleTurnMetric):
    name: str = "brief"
    _required_columns: dict[MetricType, set[str]] = field(
        default_factory=lambda: {MetricType.SINGLE_TURN: {"user_input", "response"}}
    )

    async def _single_turn_ascore(self, sample, callbacks):
        return float(len(sample.response) <= len(sample.user_input) and sample.reference is None)


@numeric_metric(name="share", allowed_values=(0, 1))
def share(part: float, whole: float) -> float:
    return part / whole


rows = [
    {"user_input": "How long is the pier?", "response": "90 m"},
    {"user_input": "Why?", "response": "For the boats."},
]
dataset = EvaluationDataset.from_list(rows)
result = evaluate(dataset, metrics=[Brief()])
assert [score["brief"] for score in result.scores] == [1.0, 0.0], result.scores
assert Brief().single_turn_score(SingleTurnSample(**rows[0])) == 1.0
rouge = RougeScore(rouge_type="rouge1", mode="recall")
assert rouge.batch_score([{"response": "90 m", "reference": "90 m long"}])[0].value == 2 / 3
assert share.score(part=1, whole=4).value == 0.25
assert share.score(part=5, whole=4).value is None
