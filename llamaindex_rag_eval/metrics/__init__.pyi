# What type checkers know of the metrics that `__init__.py` makes; others are a `BaseMetric`, too.
from llamaindex_rag_eval.metrics.base import BaseMetric

answer_correctness: BaseMetric
answer_relevancy: BaseMetric
answer_similarity: BaseMetric
context_entity_recall: BaseMetric
context_precision: BaseMetric
context_recall: BaseMetric
context_relevancy: BaseMetric
context_utilization: BaseMetric
faithfulness: BaseMetric
harmfulness: BaseMetric

def __getattr__(name: str) -> BaseMetric: ...
