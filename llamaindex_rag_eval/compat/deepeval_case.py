"""DeepEval's test cases and data sets."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from llamaindex_rag_eval.compat.names import absent
from llamaindex_rag_eval.data.sample import Sample, sample_of
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


class LLMTestCaseParams(str, Enum):
    """The fields of a test case, by which a metric is told what it may see."""

    INPUT = "input"
    ACTUAL_OUTPUT = "actual_output"
    EXPECTED_OUTPUT = "expected_output"
    CONTEXT = "context"
    RETRIEVAL_CONTEXT = "retrieval_context"
    TOOLS_CALLED = "tools_called"


class ToolCallParams(str, Enum):
    """What is compared of a call of a tool, beside its name."""

    INPUT_PARAMETERS = "input_parameters"


class TurnParams(str, Enum):
    """The fields of a message, which conversational metrics see all of."""

    ROLE = "role"
    CONTENT = "content"
    RETRIEVAL_CONTEXT = "retrieval_context"
    TOOLS_CALLED = "tools_called"
    SCENARIO = "scenario"
    EXPECTED_OUTCOME = "expected_outcome"


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

    def __str__(self) -> str:
        return f"{self.name} ({self.description})" if self.description else self.name


@dataclass
class Turn:
    """A message of a conversation."""

    role: str
    content: str
    retrieval_context: Sequence[str] | None = None
    tools_called: Sequence[ToolCall] | None = None
    user_id: str | None = None
    additional_metadata: Mapping[str, Any] | None = None

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


@dataclass(kw_only=True)
class _Case:
    """What samples are made of."""

    name: str | None = None
    metadata: Mapping[str, Any] | None = None
    additional_metadata: Mapping[str, Any] | None = None
    custom_column_key_values: Mapping[str, Any] | None = None
    comments: str | None = None
    tags: Sequence[str] | None = None

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
class LLMTestCase(_Case):
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
    tools_called: Sequence[ToolCall] | None = None
    expected_tools: Sequence[ToolCall] | None = None
    token_cost: float | None = None
    completion_time: float | None = None

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
class ConversationalTestCase(_Case):
    """A conversation, under DeepEval's names."""

    turns: Sequence[Turn]
    scenario: str | None = None
    expected_outcome: str | None = None
    user_description: str | None = None
    chatbot_role: str | None = None
    context: Sequence[str] | None = None

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
class ConversationalGolden(_Case):
    """A conversation that is not led yet, or begun by `turns`."""

    scenario: str
    expected_outcome: str | None = None
    user_description: str | None = None
    context: Sequence[str] | None = None
    turns: Sequence[Turn] | None = None


TestCase = LLMTestCase | ConversationalTestCase


@dataclass
class Golden(LLMTestCase):
    """A test case that is not answered yet."""

    source_file: str | None = None


CaseT = TypeVar("CaseT", LLMTestCase, Golden)


def _cases_in(kind: type[CaseT], path: str, keys: Mapping[str, str]) -> list[CaseT]:
    """Return test cases or goldens of a CSV or a JSON file.

    Args:
        kind: The class.
        path: The file; one that ends in `.json` has a list of objects.
        keys: What the file calls a field, and what parts contexts in one cell: DeepEval's
            `input_col_name`, `input_key_name` and `context_col_delimiter`.
    """
    text = Path(path).read_text(encoding="utf-8-sig")
    rows = json.loads(text) if path.endswith(".json") else csv.DictReader(io.StringIO(text))
    names = [field.name for field in fields(kind)]
    columns = {n: keys.get(f"{n}_col_name", keys.get(f"{n}_key_name", n)) for n in names}
    marks = {n: keys.get(f"{n}_col_delimiter", ";") for n in names if n.endswith("context")}
    cases = []
    for row in rows:
        if not row.get(columns["input"]):
            raise InputError(f"{path!r} has no {columns['input']!r} in {dict(row)!r}")
        values: dict[str, Any] = {name: row.get(column) or None for name, column in columns.items()}
        for name, mark in marks.items():
            if isinstance(values[name], str):
                values[name] = values[name].split(mark)
        cases.append(kind(**values))
    return cases


def write_rows(frame: "pd.DataFrame", file_type: str, directory: str, file_name: str | None) -> str:
    """Write goldens as `csv`, `json` or `jsonl`; return the path.

    Raises:
        InputError: The type is another one.
    """
    path = Path(directory, f"{file_name or 'goldens'}.{file_type}")
    path.parent.mkdir(parents=True, exist_ok=True)
    if file_type == "csv":
        frame.to_csv(path, index=False)
    elif file_type in ("json", "jsonl"):
        frame.to_json(path, orient="records", lines=file_type == "jsonl", force_ascii=False)
    else:
        raise InputError(f"expected 'csv', 'json' or 'jsonl', got {file_type!r}")
    return str(path)


def golden_frame(goldens: Iterable[Golden]) -> "pd.DataFrame":
    """Return one row a golden."""
    import pandas as pd

    names = ("input", "expected_output", "context")
    return pd.DataFrame([{name: getattr(each, name) for name in names} for each in goldens])


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

    def add_goldens_from_csv_file(self, file_path: str, **keys: str) -> None:
        """Add the goldens of a CSV or JSON file; see `_cases_in`."""
        self.goldens += _cases_in(Golden, file_path, keys)

    def add_test_cases_from_csv_file(self, file_path: str, **keys: str) -> None:
        """Add the test cases of a CSV or JSON file; see `_cases_in`."""
        self.test_cases += _cases_in(LLMTestCase, file_path, keys)

    add_goldens_from_json_file = add_goldens_from_csv_file
    add_test_cases_from_json_file = add_test_cases_from_csv_file

    def save_as(self, file_type: str, directory: str, file_name: str | None = None) -> str:
        """Write the goldens as `csv`, `json` or `jsonl`; return the path."""
        return write_rows(golden_frame(self.goldens), file_type, directory, file_name)

    def __getattr__(self, name: str) -> Any:
        """Refuse what needs DeepEval's own pages or traces; the message says what to write."""
        raise AttributeError(absent("deepeval", f"EvaluationDataset.{name}"))

    def __iter__(self) -> Iterator[LLMTestCase]:
        return iter(self.test_cases)

    def __len__(self) -> int:
        return len(self.test_cases)
