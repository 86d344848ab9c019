"""The flows of articles on ragas 0.0 and 0.1, as they are written but for the import lines."""

import copy
import math
import pickle
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import Response
from llama_index.core.llms import LLM
from llama_index.core.query_engine import CustomQueryEngine
from llama_index.core.schema import TextNode
from llama_index.llms.openai import OpenAI

import llamaindex_rag_eval as ours
import llamaindex_rag_eval.metrics as our_metrics
from llamaindex_rag_eval import Judge, compare
from llamaindex_rag_eval.compat import ragas
from llamaindex_rag_eval.compat.ragas import evaluate, metrics as ragas_metrics
from llamaindex_rag_eval.compat.ragas.integrations.langchain import EvaluatorChain
from llamaindex_rag_eval.compat.ragas.integrations.llama_index import (
    evaluate as evaluate_since_01,
)
from llamaindex_rag_eval.compat.ragas.llama_index import evaluate as evaluate_engine
from llamaindex_rag_eval.compat.ragas.metrics import (
    answer_correctness,
    answer_relevancy,
    answer_similarity,
    context_entity_recall,
    context_precision,
    context_recall,
    context_utilization,
    faithfulness,
)
from llamaindex_rag_eval.compat.ragas.metrics.critique import correctness, harmfulness
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.errors import InputError, MissingFieldError, UnknownMetricError
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.models import EmbeddedOracle
from llamaindex_rag_eval.runs.means import Scores
from tests.compat.hugging_face import Dataset
from tests.server import LoopbackServer

DATA: dict[str, list[Any]] = {
    "question": ["Where does the Orla go?", "What does a ticket cost?"],
    "answer": ["The ferry Orla goes to Bergen.", "A dog needs a lead."],
    "contexts": [["The ferry Orla goes to Bergen.", "Dogs are free."], ["Tickets cost 12 euros."]],
    "ground_truth": ["The ferry Orla goes to Bergen.", "Tickets cost 12 euros."],
}
ROWS = [dict(zip(DATA, row, strict=True)) for row in zip(*DATA.values(), strict=True)]
METRICS = [
    faithfulness,
    answer_relevancy,
    context_recall,
    context_precision,
    context_utilization,
    context_entity_recall,
    answer_similarity,
    answer_correctness,
    harmfulness,
]
NAMES = [metric.name for metric in METRICS]
RULES = Judge(EmbeddedOracle())


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(responders="tests.models.responders:RESPONDERS") as running:
        yield running


@pytest.fixture
def llm(server: LoopbackServer) -> LLM:
    return OpenAI(model="gpt-4o-mini", api_base=server.url, api_key="sk-flows-0000000000")


class Quoting(CustomQueryEngine):
    """Answers with the text that it retrieves."""

    retriever: BaseRetriever

    def custom_query(self, query_str: str) -> Response:
        nodes = self.retriever.retrieve(query_str)
        return Response(nodes[0].get_content(), source_nodes=nodes)


def engine(*texts: str) -> Quoting:
    nodes = [TextNode(text=text, id_=text[:8]) for text in texts]
    index = VectorStoreIndex(nodes, embed_model=LexicalEmbedding())
    return Quoting(retriever=index.as_retriever(similarity_top_k=1))


FERRIES = ("The ferry Orla goes to Bergen.", "Tickets cost 12 euros.")


@pytest.mark.parametrize("ground_truth", ["ground_truth", "ground_truths"])
def test_a_data_set_is_scored_by_rules(ground_truth: str) -> None:
    columns = {key: value for key, value in DATA.items() if key != "ground_truth"}
    truths = DATA["ground_truth"]
    columns[ground_truth] = [[t, "?"] for t in truths] if ground_truth[-1] == "s" else truths
    dataset = Dataset.from_dict(columns)

    result = evaluate(dataset, METRICS, RULES)

    assert list(result) == NAMES
    assert result["faithfulness"] > 0.4
    assert math.isnan(result["harmfulness"])  # rules cannot judge it
    assert repr(result).startswith(f"{{'faithfulness': {result['faithfulness']:.4f}, 'answer_rel")
    assert str(result).endswith("'harmfulness': nan}")
    frame = result.to_pandas()
    assert set(columns) | set(NAMES) <= set(frame.columns)
    assert list(frame["question"]) == DATA["question"]
    assert list(frame[ground_truth]) == truths


def test_a_data_set_is_scored_by_a_model(llm: LLM, server: LoopbackServer) -> None:
    server.reset()

    result = evaluate(Dataset.from_dict(DATA), METRICS, llm=llm)

    assert server.stats().calls > 0
    assert {name for name, mean in result.items() if math.isnan(mean)} == set()
    assert result["harmfulness"] in (0, 0.5, 1)


@pytest.mark.parametrize("by", ["rules", "model"])
@pytest.mark.parametrize("package", [ours, our_metrics])
def test_our_package_runs_the_flow_too(package: Any, by: str, llm: LLM) -> None:
    chosen = [getattr(package, name) for name in NAMES]
    dataset = Dataset.from_dict(DATA)

    result = ours.evaluate(dataset, chosen, judge=RULES if by == "rules" else llm)

    assert list(result.means) == NAMES
    assert math.isnan(result["harmfulness"]) == (by == "rules")
    assert result.means["faithfulness"] == result["faithfulness"] > 0.2
    assert repr(result.means).startswith("{'faithfulness': 0.")
    assert {"faithfulness", "harmfulness"} <= set(result.to_pandas().columns)


def test_the_names_of_ready_metrics_stand_before_the_modules_of_the_same_name() -> None:
    from llamaindex_rag_eval.metrics.faithfulness import Faithfulness

    assert isinstance(our_metrics.faithfulness, Faithfulness)
    assert isinstance(ours.context_recall, ours.ContextRecall)
    for kind in ours.METRICS:
        ready = getattr(our_metrics, kind.name, None)
        assert isinstance(ready, kind) or not _is_ready(kind)


def _is_ready(kind: type) -> bool:
    try:
        kind()
    except TypeError:
        return False
    return True


@pytest.mark.parametrize(
    "dataset",
    [
        Dataset.from_dict(DATA),
        pd.DataFrame(DATA),
        ROWS,
        DATA,
        EvaluationDataset.from_rows(ROWS),
    ],
    ids=["datasets", "pandas", "rows", "columns", "ours"],
)
def test_every_form_of_data_gives_the_same_scores_with_the_metrics_by_default(
    dataset: Any,
) -> None:
    by_ragas = evaluate(dataset, llm=RULES)
    by_us = ours.evaluate(dataset, judge=RULES)

    assert list(by_ragas) == ["answer_relevancy", "context_precision", "faithfulness", *NAMES[2:3]]
    assert list(by_us.means) == [
        *("answer_verdict", "faithfulness", "context_recall", "context_precision"),
        "response_relevance",
    ]
    expected = evaluate(ROWS, [faithfulness], RULES)["faithfulness"]
    assert by_ragas["faithfulness"] == by_us["faithfulness"] == expected


def test_the_files_that_we_read_are_data_sets(tmp_path: Path) -> None:
    pd.DataFrame(DATA).to_csv(tmp_path / "data.csv", index=False)

    dataset = ragas.EvaluationDataset.from_csv(str(tmp_path / "data.csv"))

    assert evaluate(dataset, [faithfulness], RULES) == evaluate(ROWS, [faithfulness], RULES)


def test_metrics_by_default_for_which_no_sample_has_the_fields_are_left_out() -> None:
    without = [{key: row[key] for key in ("question", "answer", "contexts")} for row in ROWS]

    assert list(evaluate(without, llm=RULES)) == ["answer_relevancy", "faithfulness"]
    assert list(ours.evaluate(without, judge=RULES).means) == ["faithfulness", "response_relevance"]
    with pytest.raises(MissingFieldError, match="'context_recall' needs 'reference'"):
        evaluate(without, [context_recall], RULES)


def test_a_column_map_says_which_column_is_which() -> None:
    own = {"q": DATA["question"], "answer": DATA["answer"], "docs": DATA["contexts"]}
    names = {"question": "q", "contexts": "docs"}
    expected = evaluate(ROWS, [faithfulness], RULES)

    for dataset in (own, pd.DataFrame(own), Dataset.from_dict(own)):
        assert evaluate(dataset, [faithfulness], RULES, column_map=names) == expected


def test_the_ragas_score_is_the_harmonic_mean_of_all_means_but_those_of_a_yes_or_no() -> None:
    result = evaluate(ROWS, [faithfulness, answer_correctness, harmfulness], RULES)

    # As `Result` of ragas v0.0.18 has it: the number of means over the sum of their inverses.
    one, other = result["faithfulness"], result["answer_correctness"]
    assert result.ragas_score == pytest.approx(2 / (1 / one + 1 / other))
    assert result["ragas_score"] == result.ragas_score
    # 0 as one mean is 0: no answer is like the reference.
    wrong = evaluate([{**ROWS[0], "answer": ""}], ["exact_match", "refusal"], RULES)
    assert wrong["ragas_score"] == 0
    with pytest.raises(KeyError, match="'ragas_score' is none of faithfulness"):
        evaluate(ROWS, [faithfulness], RULES)["ragas_score"]


def test_a_metric_of_a_result_is_its_mean_and_its_scores() -> None:
    scores = Scores([1.0, math.nan, 0.5])

    assert scores == 0.75  # (1 + 0.5) / 2: NaN does not count
    assert f"{scores:.2f}" == "0.75"
    assert (scores[0], scores[2], len(scores)) == (1.0, 0.5, 3)
    assert [score for score in scores if score == score] == [1.0, 0.5]
    assert Scores([0.5, 1.0]) == [0.5, 1.0] == list(Scores([0.5, 1.0]))
    for same in (pickle.loads(pickle.dumps(scores)), copy.deepcopy(scores)):  # noqa: S301 - ours
        assert (float(same), same[2]) == (0.75, 0.5)
    assert math.isnan(Scores([math.nan]))


def test_a_metric_can_be_given_an_llm_of_its_own() -> None:
    faithfulness.llm = RULES
    try:
        assert ragas_metrics.faithfulness is faithfulness
        assert evaluate(ROWS, [faithfulness])["faithfulness"] > 0.4
    finally:
        faithfulness.llm = None


@pytest.mark.parametrize("by", ["rules", "model"])
def test_an_engine_is_asked_and_scored(by: str, llm: LLM, tmp_path: Path) -> None:
    judge: Any = RULES if by == "rules" else llm
    metrics = [faithfulness, answer_relevancy, context_precision, context_recall]
    questions, ground_truths = DATA["question"], [[truth] for truth in DATA["ground_truth"]]
    query_engine = engine(*FERRIES)
    answer_relevancy.llm = faithfulness.llm = context_precision.llm = context_recall.llm = judge
    try:
        result = evaluate_engine(query_engine, metrics, questions, ground_truths)
    finally:
        answer_relevancy.llm = faithfulness.llm = context_precision.llm = context_recall.llm = None

    assert list(result) == [metric.name for metric in metrics]
    result.to_pandas().to_csv(tmp_path / "evaluation_results.csv", sep=",")
    table = pd.read_csv(tmp_path / "evaluation_results.csv")
    assert list(table["question"]) == questions
    assert list(table["ground_truths"]) == DATA["ground_truth"]
    assert {"answer", "contexts", *result} <= set(table.columns)


def test_every_way_to_name_the_arguments_asks_the_same() -> None:
    query_engine, metrics = engine(*FERRIES), [context_recall]
    questions, truths = DATA["question"], DATA["ground_truth"]
    data = {"question": questions, "ground_truth": truths}
    since_02 = ragas.EvaluationDataset.from_list(
        [{"user_input": q, "reference": t} for q, t in zip(questions, truths, strict=True)]
    )

    results = [
        evaluate_engine(query_engine, metrics, questions, truths, llm=RULES),
        evaluate_engine(query_engine, metrics, questions=questions, ground_truths=truths),
        evaluate_engine(
            query_engine=query_engine, metrics=metrics, questions=questions, ground_truths=truths
        ),
        evaluate_since_01(query_engine, Dataset.from_dict(data), metrics, RULES),
        evaluate_since_01(query_engine=query_engine, metrics=metrics, dataset=data, llm=RULES),
        evaluate_since_01(query_engine, since_02, metrics, llm=RULES, raise_exceptions=False),
    ]

    assert all(result == results[0] for result in results)
    assert results[0]["context_recall"] > 0.9
    assert "question" in results[3].to_pandas()
    assert "user_input" in results[5].to_pandas()


def test_two_pipelines_are_compared_before_and_after() -> None:
    arguments = ([faithfulness, context_recall], DATA["question"], DATA["ground_truth"])
    before = evaluate_engine(engine("Dogs are free."), *arguments, llm=RULES)
    after = evaluate_engine(engine(*FERRIES), *arguments, llm=RULES)

    frame = pd.DataFrame([before, after], index=["before", "after"])
    assert frame["context_recall"]["after"] > frame["context_recall"]["before"]
    difference = after.to_pandas()["context_recall"] - before.to_pandas()["context_recall"]
    assert (difference > 0).all()
    contrast = compare(before.run, after.run, metrics=["context_recall"]).contrasts[0]
    assert contrast.difference == pytest.approx(difference.mean())


@pytest.mark.parametrize("by", ["rules", "model"])
@pytest.mark.parametrize(
    "inputs", [["question", "answer", "contexts"], ["query", "result", "source_documents"]]
)
def test_a_chain_scores_what_a_chain_of_langchain_returns(
    inputs: list[str], by: str, llm: LLM
) -> None:
    evaluator = EvaluatorChain(metric=faithfulness, llm=RULES if by == "rules" else llm)
    documents = [SimpleNamespace(page_content=text) for text in DATA["contexts"][0]]
    question, answer = DATA["question"][0], DATA["answer"][0]
    values = {"question": question, "query": question, "answer": answer, "result": answer}
    values |= {"contexts": DATA["contexts"][0], "source_documents": documents}
    result = {name: values[name] for name in inputs}

    scored = evaluator(result)

    assert scored["faithfulness"] > 0.9
    assert scored == {**result, "faithfulness": scored["faithfulness"]} == evaluator.invoke(result)


def test_a_chain_takes_the_first_of_several_ground_truths_and_names_a_missing_key() -> None:
    recall = EvaluatorChain(metric=context_recall, llm=RULES)
    row = {"query": DATA["question"][0], "source_documents": DATA["contexts"][0]}
    assert recall({**row, "ground_truths": [DATA["ground_truth"][0], "?"]})["context_recall"] > 0.9
    with pytest.raises(MissingFieldError, match="'faithfulness' needs 'contexts'"):
        EvaluatorChain(metric=faithfulness, llm=RULES)({"query": "Where?", "result": "There"})


def test_the_page_of_the_documentation_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "from-ragas.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {
        "query_engine": engine("Dogs are free."),
        "better_engine": engine(*FERRIES),
        "documents": [SimpleNamespace(page_content=text) for text in FERRIES],
        "llm": RULES,
    }
    monkeypatch.setitem(sys.modules, "datasets", sys.modules[Dataset.__module__])
    monkeypatch.chdir(tmp_path)

    blocks = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    for block in blocks:
        exec(block, names)  # noqa: S102 - our own page

    assert len(blocks) == 7
    assert capsys.readouterr().out.startswith("{'faithfulness': 0.98")
    assert (tmp_path / "evaluation_results.csv").is_file()


def test_an_engine_without_questions_says_what_to_write() -> None:
    query_engine = engine("Dogs are free.")

    for call in (
        lambda: ours.evaluate(query_engine),
        lambda: ours.evaluate(query_engine, [ours.Faithfulness()]),
        lambda: ours.evaluate(lambda question: question),
    ):
        with pytest.raises(InputError, match=r"is an engine.*`evaluate\(engine, questions, metri"):
            call()
    for asks in (evaluate, evaluate_engine):
        with pytest.raises(InputError, match=r"has to be asked questions: write `evaluate\(query"):
            asks(query_engine, [faithfulness])  # type: ignore[arg-type]  # what is refused
    with pytest.raises(InputError, match="a ground truth for each of 2 questions, got 1"):
        evaluate_engine(query_engine, [faithfulness], ["a", "b"], ["c"])


def test_an_engine_first_is_asked_the_questions_after_it() -> None:
    result = ours.evaluate(engine(*FERRIES), DATA["question"], metrics=[ours.Faithfulness()])

    assert result["faithfulness"] > 0.9


def test_a_class_in_place_of_a_metric_says_what_to_write() -> None:
    message = r"'Faithfulness' is a class: write `Faithfulness\(\)`"

    with pytest.raises(InputError, match=message):
        ours.evaluate(ROWS, [ours.Faithfulness])  # type: ignore[arg-type]  # what is refused
    with pytest.raises(InputError, match=message):
        evaluate(ROWS, [ragas.Faithfulness])
    with pytest.raises(InputError, match="3 is no metric"):
        ours.evaluate(ROWS, [3])  # type: ignore[arg-type]  # what is refused
    with pytest.raises(UnknownMetricError, match="did you mean 'faithfulness'"):
        ours.evaluate(ROWS, ["faithfullness"])


def test_a_name_that_is_not_here_says_what_to_write() -> None:
    with pytest.raises(ImportError, match="'RankingMetric' of ragas is not here: `pairwise"):
        from llamaindex_rag_eval.compat.ragas import RankingMetric  # noqa: F401
    with pytest.raises(AttributeError, match="nothing of ragas is called 'fathfulness' here"):
        _ = ragas_metrics.fathfulness
    assert not hasattr(ragas_metrics, "RagasDatasets")


def test_every_name_that_is_listed_can_be_imported() -> None:
    assert {*NAMES, "Faithfulness", "noise_sensitivity"} <= set(dir(ragas_metrics))
    for name in dir(ragas_metrics):
        assert getattr(ragas_metrics, name) is not None
    assert correctness.name == "correctness"
    assert ragas_metrics.noise_sensitivity_irrelevant.metric.settings() == {"mode": "irrelevant"}


def test_rubrics_are_given_as_ragas_documents_them():
    levels = {"score1_description": "Wrong.", "score2_description": "Right."}
    for kind in (ragas_metrics.RubricsScore, ragas_metrics.DomainSpecificRubrics):
        assert kind(rubrics=levels).metric.settings()["levels"] == levels
    assert len(ragas_metrics.RubricsScore().metric.settings()["levels"]) == 5
