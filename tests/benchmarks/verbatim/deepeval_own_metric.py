"""DeepEval: a metric of one's own beside one by turns, a model by its class, and configurations."""

from deepeval import assert_test, evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig
from deepeval.metrics import BaseMetric, TurnRelevancyMetric
from deepeval.models import GPTModel
from deepeval.test_case import ConversationalTestCase, LLMTestCase, Turn


class Brief(BaseMetric):
    def __init__(self, most: int = 20, threshold: float = 1.0):
        self.most = most
        self.threshold = threshold

    def measure(self, test_case):
        self.score = min(1.0, self.most / len(test_case.actual_output))
        self.reason = f"{len(test_case.actual_output)} characters"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Brief"


case = LLMTestCase(input="How long is the pier?", actual_output="90 m")
assert_test(case, [Brief()])
result = evaluate(
    [case, LLMTestCase(input="Why?", actual_output="For the boats that come from Bergen.")],
    [Brief()],
    async_config=AsyncConfig(max_concurrent=2),
    display_config=DisplayConfig(print_results=False),
)
assert [row.success for row in result.test_results] == [True, False]
assert result.test_results[1].metrics_data[0].name == "Brief"
talk = ConversationalTestCase(
    turns=[
        Turn(role="user", content="How long is the pier?"),
        Turn(role="assistant", content="It is 90 m long."),
    ]
)
relevancy = TurnRelevancyMetric(model=GPTModel(model="gpt-4o-mini"), threshold=0.0)
relevancy.measure(talk)
assert 0 <= relevancy.score <= 1
