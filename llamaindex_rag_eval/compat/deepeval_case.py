"""DeepEval's test cases and data sets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from llamaindex_rag_eval.data.sample import SingleTurnSample


class LLMTestCaseParams(str, Enum):
    """The fields of a test case, by which a metric is told what it may see."""

    INPUT = "input"
    ACTUAL_OUTPUT = "actual_output"
    EXPECTED_OUTPUT = "expected_output"
    CONTEXT = "context"
    RETRIEVAL_CONTEXT = "retrieval_context"


@dataclass
class LLMTestCase:
    """One question and its answer, under DeepEval's names.

    Attributes:
        input: The question.
        actual_output: The pipeline's answer.
        expected_output: The right answer.
        context: Texts that hold the right answer.
        retrieval_context: The retrieved texts.
    """

    input: str
    actual_output: str | None = None
    expected_output: str | None = None
    context: Sequence[str] | None = None
    retrieval_context: Sequence[str] | None = None
    metadata: Mapping[str, Any] | None = None
    comments: str | None = None
    token_cost: float | None = None
    completion_time: float | None = None
    name: str | None = None
    tags: Sequence[str] | None = None

    def sample(self, fields: Mapping[str, str]) -> SingleTurnSample:
        """Return the sample of some of its fields; those that are `None` are not given.

        Args:
            fields: Field of the sample -> field of this test case.
        """
        row = {ours: getattr(self, theirs) for ours, theirs in fields.items()}
        return SingleTurnSample.model_validate({k: v for k, v in row.items() if v is not None})


class Golden(LLMTestCase):
    """A test case that is not answered yet."""


class EvaluationDataset:
    """Test cases, and goldens that wait for answers."""

    def __init__(
        self, goldens: Iterable[Golden] = (), test_cases: Iterable[LLMTestCase] = ()
    ) -> None:
        self.goldens, self.test_cases = list(goldens), list(test_cases)

    def add_golden(self, golden: Golden) -> None:
        """Add a golden."""
        self.goldens.append(golden)

    def add_test_case(self, test_case: LLMTestCase) -> None:
        """Add a test case."""
        self.test_cases.append(test_case)

    def __iter__(self) -> Iterator[LLMTestCase]:
        return iter(self.test_cases)

    def __len__(self) -> int:
        return len(self.test_cases)
