"""DeepEval: tools that were called, and a conversation."""

from deepeval import evaluate
from deepeval.dataset import EvaluationDataset, Golden
from deepeval.metrics import KnowledgeRetentionMetric, ToolCorrectnessMetric
from deepeval.test_case import ConversationalTestCase, LLMTestCase, ToolCall, Turn

case = LLMTestCase(
    input="What is the weather?",
    actual_output="It rains.",
    tools_called=[ToolCall(name="weather"), ToolCall(name="clock")],
    expected_tools=[ToolCall(name="weather"), ToolCall(name="clock")],
)
metric = ToolCorrectnessMetric()
metric.measure(case)
assert metric.score == 1
talk = ConversationalTestCase(
    turns=[
        Turn(role="user", content="I live in Bergen."),
        Turn(role="assistant", content="Noted. Bergen it is."),
    ]
)
retention = KnowledgeRetentionMetric(threshold=0.0, model="gpt-4o-mini")
retention.measure(talk)
assert 0 <= retention.score <= 1
assert len(evaluate([talk], [retention]).test_results) == 1
dataset = EvaluationDataset(goldens=[Golden(input="Where?")])
for golden in dataset.goldens:
    dataset.add_test_case(LLMTestCase(input=golden.input, actual_output="There."))
assert len(dataset) == 1
