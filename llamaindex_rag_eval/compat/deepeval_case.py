"""DeepEval's test cases and data sets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from llamaindex_rag_eval.data.sample import Sample, sample_of


class LLMTestCaseParams(str, Enum):
    """The fields of a test case, by which a metric is told what it may see."""

    INPUT = "input"
    ACTUAL_OUTPUT = "actual_output"
    EXPECTED_OUTPUT = "expected_output"
    CONTEXT = "context"
    RETRIEVAL_CONTEXT = "retrieval_context"


class TurnParams(str, Enum):
    """The fields of a message, which conversational metrics see all of."""

    ROLE = "role"
    CONTENT = "content"
    RETRIEVAL_CONTEXT = "retrieval_context"
    TOOLS_CALLED = "tools_called"


@dataclass
class ToolCall:
    """A call of a tool."""

    name: str
    input_parameters: Mapping[str, Any] | None = None
    output: Any = None
    description: str | None = None
    reasoning: str | None = None

    def row(self) -> dict[str, object]:
        """Return the call as a sample has it."""
        return {"name": self.name, "args": dict(self.input_parameters or {})}


@dataclass
class Turn:
    """A message of a conversation."""

    role: str
    content: str
    retrieval_context: Sequence[str] | None = None
    tools_called: Sequence[ToolCall] | None = None

    def row(self) -> dict[str, object]:
        """Return the message as a sample has it."""
        calls = [call.row() for call in self.tools_called or ()]
        contexts = self.retrieval_context or ()
        return {
            "role": self.role,
            "content": self.content,
            "tool_calls": calls,
            "contexts": contexts,
        }


class _Sampled:
    """What samples are made of."""

    def sample(self, fields: Mapping[str, str]) -> Sample:
        """Return the sample of some of its fields; those that are `None` are not given.

        Args:
            fields: Field of the sample -> field of this test case.
        """
        row = {ours: getattr(self, theirs, None) for ours, theirs in fields.items()}
        if calls := row.get("reference_tool_calls"):
            row["reference_tool_calls"] = [call.row() for call in calls]
        return sample_of({name: value for name, value in row.items() if value is not None})


@dataclass
class LLMTestCase(_Sampled):
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
    tools_called: Sequence[ToolCall] | None = None
    expected_tools: Sequence[ToolCall] | None = None

    @property
    def expected_outcome(self) -> str | None:
        """What the answer should come to."""
        return self.expected_output

    @property
    def messages(self) -> list[dict[str, object]]:
        """The question and the answer with its calls, as a conversation."""
        answer = Turn("assistant", self.actual_output or "", tools_called=self.tools_called)
        return [Turn("user", self.input).row(), answer.row()]


@dataclass
class ConversationalTestCase(_Sampled):
    """A conversation, under DeepEval's names."""

    turns: Sequence[Turn]
    scenario: str | None = None
    expected_outcome: str | None = None
    user_description: str | None = None
    chatbot_role: str | None = None
    name: str | None = None
    metadata: Mapping[str, Any] | None = None
    tags: Sequence[str] | None = None

    @property
    def messages(self) -> list[dict[str, object]]:
        """The messages, as a sample has them."""
        return [turn.row() for turn in self.turns]

    @property
    def input(self) -> str:
        """What the user says first."""
        return next((turn.content for turn in self.turns if turn.role == "user"), "")

    @property
    def actual_output(self) -> str | None:
        """What is said last."""
        return self.turns[-1].content if self.turns else None


@dataclass
class ConversationalGolden:
    """A conversation that is not led yet."""

    scenario: str
    expected_outcome: str | None = None
    user_description: str | None = None


TestCase = LLMTestCase | ConversationalTestCase


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
