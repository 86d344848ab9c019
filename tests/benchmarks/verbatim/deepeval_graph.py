"""DeepEval: a score by a graph of tasks, judgements and verdicts."""

from deepeval import evaluate
from deepeval.metrics import DAGMetric, GEval
from deepeval.metrics.dag import (
    BinaryJudgementNode,
    DeepAcyclicGraph,
    NonBinaryJudgementNode,
    TaskNode,
    VerdictNode,
)
from deepeval.test_case import LLMTestCase, SingleTurnParams

polite = GEval(
    name="Polite",
    criteria="It is polite.",
    evaluation_params=[SingleTurnParams.ACTUAL_OUTPUT],
    model="gpt-4o-mini",
)
order = NonBinaryJudgementNode(
    criteria="Are the headings in the right order?",
    children=[
        VerdictNode(verdict="Yes", score=10),
        VerdictNode(verdict="Two are not", score=4),
        VerdictNode(verdict="All are not", child=polite),
    ],
)
complete = BinaryJudgementNode(
    criteria="Has the summary all three headings?",
    children=[VerdictNode(verdict=False, score=0), VerdictNode(verdict=True, child=order)],
)
headings = TaskNode(
    instructions="List the headings of the summary.",
    evaluation_params=[SingleTurnParams.ACTUAL_OUTPUT],
    output_label="Headings",
    children=[complete, order],
)
metric = DAGMetric(
    name="Format", dag=DeepAcyclicGraph(root_nodes=[headings]), model="gpt-4o-mini", threshold=0.0
)
case = LLMTestCase(input="Summarise it.", actual_output="Intro. Body. Conclusion.")
metric.measure(case)
assert 0 <= metric.score <= 1
assert "Are the headings in the right order?" in metric.reason
assert evaluate([case], [metric]).test_results[0].metrics_data[0].name == "Format [DAG]"
