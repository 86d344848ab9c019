"""ragas 0.2: retrieval by ids."""

from ragas import SingleTurnSample
from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall

sample = SingleTurnSample(
    retrieved_context_ids=["a", "b"], reference_context_ids=["a", "c"], user_input="Where?"
)
assert IDBasedContextPrecision().single_turn_score(sample) == 1 / 2
assert IDBasedContextRecall().single_turn_score(sample) == 1 / 2
