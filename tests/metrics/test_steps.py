from fractions import Fraction
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.tools import FunctionTool

from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.errors import InputError, MissingFieldError
from llamaindex_rag_eval.metrics.answer_similarity import AnswerSimilarity
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.non_llm_contexts import NonLlmContextRecall
from llamaindex_rag_eval.metrics.steps import (
    RetrievalPerStep,
    StepEfficiency,
    step_efficiency_score,
)
from llamaindex_rag_eval.metrics.tool_calls import ToolCallAccuracy
from tests.engines.test_workflow import calls_of, pump, twice

pytestmark = pytest.mark.filterwarnings(
    # llama-index-workflows looks at all attributes of an agent, deprecated ones of pydantic too
    "ignore::pydantic.warnings.PydanticDeprecatedSince20",
    "ignore::pydantic.warnings.PydanticDeprecatedSince211",
    "ignore:is_running called from within a step:DeprecationWarning",  # by LlamaIndex's ReActAgent
)

PUMP = ("pump", {"input": "How much does the pump hold?"})
TWICE = ("twice", {"number": 4})
WANTED = [{"name": name, "args": args} for name, args in (PUMP, TWICE)]


def scripted(*replies: ChatMessage) -> MockFunctionCallingLLM:
    """Reply with these messages in turn, by how many the model has been told already."""

    def reply(messages: Any, **_: object) -> ChatMessage:
        told = [m for m in messages if m.role in (MessageRole.TOOL, MessageRole.ASSISTANT)]
        tools = [m for m in told if m.role == MessageRole.TOOL]
        return replies[min(len(tools), len(replies) - 1)]

    return MockFunctionCallingLLM(response_generator=reply)


def says(text: str) -> ChatMessage:
    return ChatMessage(role="assistant", content=text)


def tools() -> list[Any]:
    return [pump(), FunctionTool.from_defaults(twice)]


def function_agent(*replies: ChatMessage) -> FunctionAgent:
    llm = scripted(*replies)
    return FunctionAgent(name="plumber", description="", tools=tools(), llm=llm)


def asked(engine: Any, **metadata: Any) -> Sample:
    question = SingleTurnSample(id="q", query="What is twice 5 l?", metadata=metadata)
    [answer] = run(engine, EvaluationDataset([question]), retries=0)
    assert answer.error == ""
    return answer


def test_a_function_agent_that_repeats_a_call_is_less_efficient():
    agent = function_agent(calls_of(PUMP), calls_of(PUMP), calls_of(TWICE), says("8"))

    answer = asked(agent, reference_tool_calls=WANTED)
    found = evaluate([answer], metrics=[StepEfficiency(), ToolCallAccuracy(), RetrievalPerStep()])
    efficiency, accuracy, retrieval = found.results

    # Two calls were wanted, three made.
    assert efficiency.score == float(Fraction(2, 3))
    assert efficiency.evidence == {"needed": 2, "made": 3, "repeated": 1}
    assert accuracy.score == float(Fraction(2, 3))
    # Both calls of the query engine retrieved; the other tool did not.
    assert retrieval.evidence["scored"] == 2  # type: ignore[index, call-overload]  # JSON
    assert retrieval.score is not None


def test_an_agent_workflow_hands_on_its_tools_calls():
    agent = function_agent(calls_of(PUMP), calls_of(TWICE), says("8"))
    several = AgentWorkflow(agents=[agent], root_agent="plumber")

    answer = asked(several, reference_tool_calls=WANTED)
    found = evaluate([answer], metrics=[StepEfficiency(), ToolCallAccuracy()])

    assert [result.score for result in found.results] == [1.0, 1.0]


def test_a_react_agent_that_thinks_in_text_is_measured_too():
    thought = "Thought: I need a tool.\nAction: twice\nAction Input: {'number': 4}"
    replies = iter([says(thought), says(thought), says("Thought: I know.\nAnswer: 8")])
    llm = MockFunctionCallingLLM(response_generator=lambda messages, **_: next(replies))
    agent = ReActAgent(llm=llm, tools=tools(), streaming=False)

    answer = asked(agent)
    [result] = evaluate([answer], metrics=[StepEfficiency()]).results

    assert result.score == float(Fraction(1, 2))  # nothing says what is needed: no repetition
    assert getattr(answer, "response", "") == "8"


def test_what_is_wanted_beyond_what_was_made_costs_nothing_here():
    assert step_efficiency_score(3, 2) == 1
    with pytest.raises(InputError, match="-1"):
        step_efficiency_score(-1, 2)


def test_an_answer_without_tools_has_no_efficiency_and_one_without_trajectory_is_refused():
    silent = MultiTurnSample.model_validate({"messages": [{"role": "user", "content": "?"}]})
    found = evaluate([silent], metrics=[StepEfficiency(), RetrievalPerStep()])
    assert {result.status for result in found.results} == {"undefined"}

    with pytest.raises(MissingFieldError, match="'step_efficiency' needs 'messages'"):
        evaluate([SingleTurnSample(query="?")], metrics=[StepEfficiency()])


def test_another_metric_may_measure_the_steps():
    metric = RetrievalPerStep(metric=NonLlmContextRecall())

    assert metric.spec == "retrieval_per_step(metric=non_llm_context_recall)"
    assert RetrievalPerStep().spec == "retrieval_per_step"
    assert metric.with_judge(Faithfulness().judge).settings() == metric.settings()
    assert isinstance(RetrievalPerStep(metric=AnswerSimilarity()).missing(silent_step()), str)


def silent_step() -> MultiTurnSample:
    row = {"role": "tool", "content": "5 l", "contexts": ["It holds 5 l."]}
    return MultiTurnSample.model_validate({"messages": [row]})
