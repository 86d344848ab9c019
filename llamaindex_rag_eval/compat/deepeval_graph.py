"""DeepEval's `DAGMetric`: a score by a graph of questions, each answer leading to the next.

    score = that of the verdict that was reached / 10

What a task node has a model write there is here a step of the judgements below it, in one call.

Source: https://deepeval.com/docs/metrics-dag.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from llamaindex_rag_eval.compat.deepeval_case import LLMTestCaseParams
from llamaindex_rag_eval.compat.deepeval_metric import DeepEvalMetric, fields_of
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Grade, Level
from llamaindex_rag_eval.metrics.base import BaseMetric, Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.grading import GradedMetric

MOST = 10
"""The highest score of a verdict."""


@dataclass(eq=False)
class Node:
    """A node of any kind: a task has `instructions`, a judgement `criteria`, else it is a verdict.

    Attributes:
        instructions: What to do before the judgements below it.
        criteria: What is judged; the verdicts are its `children`.
        verdict: Which answer leads here.
        score: What it is worth, 0 to 10; or `child` says what follows, a node or a metric.
        evaluation_params: What the judge sees beside question and answer.
    """

    instructions: str = ""
    criteria: str = ""
    children: Sequence["Node"] = ()
    evaluation_params: Sequence[LLMTestCaseParams] | None = None
    output_label: str = ""
    label: str = ""
    verdict: object = None
    score: float | None = None
    child: Any = None

    def whole(self) -> Iterator["Node"]:
        """Yield the node and all below it."""
        yield self
        for node in (*self.children, self.child):
            if isinstance(node, Node):
                yield from node.whole()


@dataclass
class DeepAcyclicGraph:
    """The nodes that a `DAGMetric` begins with."""

    root_nodes: Sequence[Node]


class _Graph(GradedMetric):
    """A score by a graph, in [0, 1]; higher is better."""

    name = "dag"
    needs = frozenset({"query", "response"})
    sees = frozenset({"contexts", "reference"})

    roots: Sequence[Node] = setting(convert=tuple)

    async def measure(self, sample: SingleTurnSample) -> Score:
        steps, nodes, path, value = list[str](), list(self.roots), list[str](), None
        while nodes:
            node = nodes.pop(0)
            if node.instructions:
                steps.append(node.instructions)
                nodes += [child for child in node.children if child not in nodes]
                continue
            verdicts = (str(child.verdict) for child in node.children)
            levels = tuple(Level(value=n, description=text) for n, text in enumerate(verdicts))
            graded = await self.graded(sample, node.criteria, levels, tuple(steps))
            if not isinstance(graded.evidence, Grade):  # the response is empty
                return graded
            grade = graded.evidence
            reached = node.children[grade.level]
            path.append(f"{node.criteria} {reached.verdict}. {grade.reason}")
            if isinstance(reached.child, Node):
                nodes.append(reached.child)
            elif reached.child is not None:
                value = (await reached.child.ready().score(sample)).value
            else:
                value = (reached.score or 0) / MOST
        return Score(value, {"path": path}, "\n".join(path))


class DAGMetric(DeepEvalMetric):
    """A score by a graph of questions.

    Args:
        name: What it is called.
        dag: The graph.
        settings: As those of `DeepEvalMetric`.

    Raises:
        InputError: A judgement has fewer than two verdicts.
    """

    def __init__(self, name: str, dag: DeepAcyclicGraph, **settings: Any) -> None:
        self.name, self.dag = name, dag
        nodes = [node for root in dag.root_nodes for node in root.whole()]
        if broken := [node for node in nodes if node.criteria and len(node.children) < 2]:
            raise InputError(f"{broken[0].criteria!r} needs two verdicts or more")
        self.fields = fields_of(each for node in nodes for each in node.evaluation_params or ())
        super().__init__(**settings)

    def ours(self) -> BaseMetric:
        """Return our metric."""
        return _Graph(roots=self.dag.root_nodes)

    @property
    def __name__(self) -> str:
        """What DeepEval shows in its results."""
        return f"{self.name} [DAG]"
