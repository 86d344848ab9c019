"""DeepEval: a test case and a metric with a model."""

import deepeval
from deepeval import assert_test
from deepeval.metrics import FaithfulnessMetric, GEval
from deepeval.test_case import LLMTestCase, LLMTestCaseParams
from deepeval.tracing import observe


@observe()
def answer(question: str) -> str:
    """Answer."""
    return f"{question} To Bergen."


case = LLMTestCase(
    input="Where does the ferry go?",
    actual_output=answer("The ferry?"),
    expected_output="To Bergen.",
    retrieval_context=["The ferry goes to Bergen."],
)
metric = GEval(
    name="Correctness",
    criteria="Is the actual output right?",
    evaluation_params=[LLMTestCaseParams.ACTUAL_OUTPUT, LLMTestCaseParams.EXPECTED_OUTPUT],
    model="gpt-4o-mini",
    threshold=0.0,
)
assert_test(case, [metric, FaithfulnessMetric(threshold=0.0)])
result = deepeval.evaluate(test_cases=[case], metrics=[FaithfulnessMetric(threshold=0.0)])
assert result.test_results[0].success
