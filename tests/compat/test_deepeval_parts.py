"""DeepEval's data files, comparisons, graphs and simulated users, and what they refuse."""

from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.compat import deepeval
from llamaindex_rag_eval.compat.deepeval import EvaluationDataset, LLMTestCase, evaluate
from llamaindex_rag_eval.compat.models import Prompt, azure_model, observe
from llamaindex_rag_eval.engines.simulated_user import UserTurn
from llamaindex_rag_eval.errors import InputError, MissingFieldError, NeedsModelError
from llamaindex_rag_eval.judge import Critique, CritiqueOf, Grade, GradeOf, Judge
from llamaindex_rag_eval.judge.preference import Preference
from llamaindex_rag_eval.models import ScriptedOracle

CASE = LLMTestCase(input="Where to?", actual_output="To Bergen.")
LOOK = deepeval.ToolCall(name="look", description="Times", input_parameters={"to": "Bergen"})
AGENT = LLMTestCase(
    input="Where to?",
    actual_output="To Bergen.",
    tools_called=[LOOK],
    expected_tools=[deepeval.ToolCall(name="look")],
)
TALK = deepeval.ConversationalTestCase(
    turns=[deepeval.Turn("user", "Where to?"), deepeval.Turn("assistant", "To Bergen.")]
)


def graded(*levels: int) -> Judge:
    return Judge(ScriptedOracle(*[Grade(level=level, reason="It is.") for level in levels]))


def request_to(metric: Any, number: int = 0) -> Any:
    return metric.model.oracle.inner.asked[number]


def test_tools_are_compared_by_name_unless_their_arguments_are_wanted() -> None:
    metric = deepeval.ToolCorrectnessMetric()
    assert metric.measure(AGENT) == 1
    params = [deepeval.ToolCallParams.INPUT_PARAMETERS]
    assert deepeval.ToolCorrectnessMetric(evaluation_params=params).measure(AGENT) == 0
    with pytest.raises(InputError, match="'evaluation_params' takes input_parameters here"):
        deepeval.ToolCorrectnessMetric(evaluation_params=["output"])


def test_calls_are_judged_with_the_tools_that_there_are() -> None:
    metric = deepeval.ToolUseMetric(available_tools=[LOOK], model=graded(7))
    assert metric.measure(AGENT) == 7 / 10
    request = request_to(metric)
    assert "look (Times)" in request.definition
    assert '[tool call] {\\"name\\":\\"look\\"' in request.response


def test_a_role_is_that_of_the_test_case() -> None:
    metric = deepeval.RoleAdherenceMetric(model=graded(10))
    with pytest.raises(MissingFieldError, match="'RoleAdherenceMetric' needs 'chatbot_role'"):
        metric.measure(TALK)
    in_role = deepeval.ConversationalTestCase(turns=TALK.turns, chatbot_role="A clerk.")
    assert metric.measure(in_role) == 1
    assert request_to(metric).reference == "A clerk."


def test_a_summary_is_asked_the_questions_of_an_assessment() -> None:
    oracle = ScriptedOracle(by_request={CritiqueOf: lambda r: Critique(verdict="(" in r.query)})
    asked = ["Does it go (or not)?", "Is it 'red'?"]
    metric = deepeval.SummarizationMetric(model=Judge(oracle), assessment_questions=asked)
    summary = LLMTestCase(input="abcdefgh", actual_output="ab")
    assert metric.measure(summary) == (1 / 2 + 3 / 4) / 2  # of two questions; of eight characters


def test_a_task_is_what_was_to_be_done() -> None:
    plain = deepeval.TaskCompletionMetric()
    assert plain.metric.spec == "agent_goal_accuracy_without_reference"
    metric = deepeval.TaskCompletionMetric(task="say where it goes")
    assert metric.metric.spec == "agent_goal_accuracy"
    assert getattr(metric.sample_of(AGENT), "reference") == "This is done: say where it goes."  # noqa: B009 - of either kind of sample


def test_a_rubric_is_read_with_the_criteria() -> None:
    metric = deepeval.GEval(
        name="Right",
        criteria="It is right.",
        evaluation_steps=["Compare."],
        evaluation_params=[],
        rubric=[deepeval.Rubric((0, 4), "Wrong."), deepeval.Rubric((10, 10), "Whole.")],
        model=graded(4),
    )
    assert metric.measure(CASE) == 4 / 10
    assert request_to(metric).definition == "It is right.\nLevel 0 to 4: Wrong.\nLevel 10: Whole."


def arena(*winners: str) -> Any:
    replies = [Preference(winner=winner) for winner in winners]  # type: ignore[arg-type]
    return deepeval.ArenaGEval(
        name="Short", evaluation_params=[], criteria="Short.", model=Judge(ScriptedOracle(*replies))
    )


def test_the_winner_wins_most_pairs_in_both_orders() -> None:
    cases = {"a": CASE, "b": LLMTestCase(input="Where to?", actual_output="Bergen.")}
    metric = arena("second", "first")
    assert metric.measure(deepeval.ArenaTestCase(cases)) == "b"
    assert "a against b: 0." in metric.reason
    undecided = arena("first", "first")  # the judge changes its mind with the order
    assert undecided.measure(deepeval.ArenaTestCase(cases)) is None
    assert not undecided.is_successful()
    with pytest.raises(InputError, match="expected two contestants or more"):
        deepeval.ArenaTestCase([deepeval.Contestant("a", CASE)])


def graph(*after_yes: Any) -> Any:
    node = deepeval.TaskNode
    verdicts = [node(verdict=False, score=0), node(verdict=True, **after_yes[0])]
    root = node(instructions="List them.", children=[node(criteria="Three?", children=verdicts)])
    return deepeval.DeepAcyclicGraph(root_nodes=[root])


def test_a_graph_leads_to_the_score_of_a_verdict() -> None:
    metric = deepeval.DAGMetric("Format", dag=graph({"score": 8}), model=graded(1))
    assert metric.measure(CASE) == 8 / 10
    assert metric.reason == "Three? True. It is."
    request = request_to(metric)
    assert isinstance(request, GradeOf)
    assert (request.steps, [level.description for level in request.levels]) == (
        ("List them.",),
        ["False", "True"],
    )
    wrong = deepeval.DAGMetric("Format", dag=graph({"score": 8}), model=graded(0))
    (row,) = evaluate([CASE], [wrong]).test_results
    assert (row.metrics_data[0].score, row.success) == (0, False)
    empty = LLMTestCase(input="Where to?", actual_output="")
    assert deepeval.DAGMetric("Format", dag=graph({"score": 8}), model=graded()).measure(empty) == 0


def test_a_graph_leads_to_further_questions_and_to_metrics() -> None:
    node = deepeval.TaskNode
    kind = deepeval.GEval("Kind", [], criteria="Kind.", evaluation_steps=["Look."], model=graded(6))
    more = node(criteria="Order?", children=[node(verdict="no", child=kind), node(verdict="yes")])
    metric = deepeval.DAGMetric("Format", dag=graph({"child": more}), model=graded(1, 0))
    assert metric.measure(CASE) == 6 / 10
    lonely = deepeval.DeepAcyclicGraph([node(criteria="Three?", children=[node(verdict=True)])])
    with pytest.raises(InputError, match=r"'Three\?' needs two verdicts or more"):
        deepeval.DAGMetric("Format", dag=lonely)


def test_a_simulated_user_speaks_until_the_goal_is_reached() -> None:
    replies = [
        UserTurn(reached=False, message="Where to?"),
        UserTurn(reached=False, message="When?"),
        UserTurn(reached=True),
    ]
    oracle = ScriptedOracle(*replies)
    simulator = deepeval.ConversationSimulator(
        model_callback=lambda input, turns: f"{len(turns)}: {input}",  # noqa: A006 - DeepEval's name
        simulator_model=Judge(oracle),
    )
    golden = deepeval.ConversationalGolden(scenario="A trip.", expected_outcome="They know.")
    (talk,) = simulator.simulate([golden])
    assert [turn.content for turn in talk.turns] == [
        "Where to?",
        "0: Where to?",
        "When?",
        "2: When?",
    ]
    assert talk.scenario == "A trip."
    request: Any = oracle.asked[0]
    assert request.goal == "A trip. They know."
    with pytest.raises(NeedsModelError, match="simulator_model='gpt-4o-mini'"):
        deepeval.ConversationSimulator(model_callback=str)


def test_files_of_goldens_name_a_column_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("question,context\nWhere to?,a|b\n")
    dataset = EvaluationDataset()
    with pytest.raises(InputError, match=r"has no 'input' in {'question': 'Where to"):
        dataset.add_goldens_from_csv_file(str(file))
    dataset.add_test_cases_from_csv_file(
        str(file), input_col_name="question", context_col_delimiter="|"
    )
    assert dataset.test_cases[0].context == ["a", "b"]
    with pytest.raises(InputError, match="expected 'csv', 'json' or 'jsonl', got 'xml'"):
        dataset.save_as("xml", str(tmp_path))


@pytest.mark.parametrize(
    ("owner", "name", "nearest"),
    [
        (EvaluationDataset(), "pull", "add_goldens_from_json_file"),
        (EvaluationDataset(), "evals_iterator", "give the test cases to `evaluate`"),
        (deepeval.Synthesizer(), "generate_goldens_from_scratch", "come from documents"),
        (Prompt(), "pull", "text_template="),
    ],
)
def test_what_needs_their_pages_says_what_to_write(owner: Any, name: str, nearest: str) -> None:
    with pytest.raises(AttributeError, match=f"{name}' of deepeval is not here: .*{nearest}"):
        getattr(owner, name)
    with pytest.raises(AttributeError, match=r"'.*none' of deepeval is not here$"):
        owner.none  # noqa: B018 - reading it is the test


def test_metrics_of_a_decorator_are_said_not_to_be_measured() -> None:
    with pytest.warns(UserWarning, match="not measured: give test cases to `evaluate`"):
        answer = observe(metrics=[deepeval.FaithfulnessMetric()])(str)
    assert answer is str


def test_a_model_of_azure_needs_its_package() -> None:
    with pytest.raises(InputError, match="pip install llama-index-llms-azure-openai"):
        azure_model(model="gpt-4o", deployment_name="own")
