"""DeepEval: each metric with the arguments of its page, on the test case of its page."""

import asyncio

from deepeval import metrics
from deepeval.metrics.g_eval import Rubric
from deepeval.metrics.ragas import RagasMetric
from deepeval.prompt import Prompt
from deepeval.test_case import (
    ConversationalTestCase,
    LLMTestCase,
    SingleTurnParams,
    ToolCall,
    Turn,
    TurnParams,
)
from pydantic import BaseModel


class Place(BaseModel):
    """What an answer in JSON looks like."""

    name: str


MODEL = "gpt-4o-mini"
look = ToolCall(name="timetable", description="Times of ferries", input_parameters={"to": "Bergen"})
plain = LLMTestCase(input="Where does the ferry go?", actual_output="To Bergen.")
whole = LLMTestCase(
    input="Where does the ferry go?",
    actual_output="To Bergen.",
    expected_output="To Bergen.",
    context=["The ferry goes to Bergen."],
    retrieval_context=["The ferry goes to Bergen."],
)
agent = LLMTestCase(
    input="Where does the ferry go?",
    actual_output="To Bergen.",
    tools_called=[look, ToolCall(name="clock")],
    expected_tools=[ToolCall(name="clock"), ToolCall(name="timetable")],
)
talk = ConversationalTestCase(
    chatbot_role="A clerk of the ferry.",
    expected_outcome="It goes to Bergen.",
    turns=[
        Turn(role="user", content="Where does the ferry go?"),
        Turn(
            role="assistant",
            content="It goes to Bergen.",
            retrieval_context=["The ferry goes to Bergen."],
            tools_called=[look],
        ),
    ],
)
params = [SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT]
levels = [Rubric(score_range=(0, 4), expected_outcome="Wrong."), Rubric((5, 10), "Right.")]
prompt = Prompt(alias="tone", text_template="Answer in {language}.").interpolate(language="English")

RUNS = [
    (whole, metrics.AnswerRelevancyMetric(threshold=0.7, model=MODEL, include_reason=True)),
    (whole, metrics.FaithfulnessMetric(threshold=0.7, model=MODEL, truths_extraction_limit=9)),
    (whole, metrics.ContextualPrecisionMetric(threshold=0.7, model=MODEL, include_reason=True)),
    (whole, metrics.ContextualRecallMetric(threshold=0.7, model=MODEL, async_mode=True)),
    (whole, metrics.ContextualRelevancyMetric(threshold=0.7, model=MODEL, verbose_mode=False)),
    (whole, metrics.HallucinationMetric(threshold=0.5)),
    (whole, RagasMetric(threshold=0.5, model=MODEL)),
    (plain, metrics.SummarizationMetric(threshold=0.5, model=MODEL, n=5)),
    (plain, metrics.BiasMetric(threshold=0.5)),
    (plain, metrics.ToxicityMetric(threshold=0.5)),
    (plain, metrics.PromptAlignmentMetric(prompt_instructions=[prompt], model=MODEL)),
    (plain, metrics.JsonCorrectnessMetric(expected_schema=Place, model=MODEL)),
    (plain, metrics.PatternMatchMetric(pattern=r"To [A-Z]\w+\.")),
    (plain, metrics.NonAdviceMetric(advice_types=["financial"], threshold=0.5)),
    (plain, metrics.MisuseMetric(domain="ferries", threshold=0.5)),
    (plain, metrics.RoleViolationMetric(role="a clerk", threshold=0.5)),
    (plain, metrics.PIILeakageMetric(threshold=0.5)),
    (
        plain,
        metrics.GEval(name="Right", criteria="It is.", evaluation_params=params, rubric=levels),
    ),
    (
        agent,
        metrics.GEval(
            name="Calls",
            evaluation_steps=["Look at the calls."],
            evaluation_params=[*params, SingleTurnParams.TOOLS_CALLED],
        ),
    ),
    (agent, metrics.ToolCorrectnessMetric()),
    (agent, metrics.ArgumentCorrectnessMetric(threshold=0.7, model=MODEL, include_reason=True)),
    (agent, metrics.TaskCompletionMetric(threshold=0.7, model=MODEL)),
    (agent, metrics.TaskCompletionMetric(threshold=0.7, model=MODEL, task="say where it goes")),
    (agent, metrics.StepEfficiencyMetric(threshold=0.7, model=MODEL)),
    (agent, metrics.PlanAdherenceMetric(threshold=0.7, model=MODEL)),
    (agent, metrics.PlanQualityMetric(threshold=0.7, model=MODEL)),
    (talk, metrics.KnowledgeRetentionMetric(threshold=0.5)),
    (talk, metrics.ConversationCompletenessMetric(threshold=0.5)),
    (talk, metrics.TurnRelevancyMetric(threshold=0.5, window_size=3)),
    (talk, metrics.TurnFaithfulnessMetric(threshold=0.5)),
    (talk, metrics.TurnContextualRelevancyMetric(threshold=0.5)),
    (talk, metrics.TurnContextualPrecisionMetric(threshold=0.5)),
    (talk, metrics.TurnContextualRecallMetric(threshold=0.5)),
    (talk, metrics.RoleAdherenceMetric(threshold=0.5)),
    (talk, metrics.GoalAccuracyMetric(threshold=0.5)),
    (talk, metrics.ToolUseMetric(available_tools=[look], threshold=0.5)),
    (talk, metrics.TopicAdherenceMetric(relevant_topics=["ferries"], threshold=0.5)),
    (
        talk,
        metrics.ConversationalGEval(
            name="Kind", criteria="It is kind.", evaluation_params=[TurnParams.CONTENT]
        ),
    ),
]
for case, metric in RUNS:
    if metric.model is None:
        metric.model = MODEL
    metric.measure(case)
    assert 0 <= metric.score <= 1, metric.__name__
    assert metric.reason, metric.__name__
    assert metric.is_successful() in (True, False)
    score = metric.score
    asyncio.run(metric.a_measure(case))
    assert metric.score == score, metric.__name__
scores = {metric.__name__: metric.score for _, metric in RUNS}
assert scores["Tool Correctness"] == scores["Pattern Match"] == 1
assert scores["Json Correctness"] == 0
exact = metrics.ToolCorrectnessMetric(should_exact_match=True)
exact.measure(agent)
assert exact.score == 0
