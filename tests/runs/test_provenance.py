"""The note of a run: by whom it was judged, no more and no less."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.embeddings import MockEmbedding

from llamaindex_rag_eval import AnswerRelevancy, AnswerSimilarity, Faithfulness, evaluate
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import ClaimsOf, Judge, QuestionsOf, SimilaritiesOf, judge_of
from llamaindex_rag_eval.judge.answerers import answerer_name
from llamaindex_rag_eval.models import EmbeddedOracle, LLMOracle
from llamaindex_rag_eval.models.openai_like import OpenAILike
from llamaindex_rag_eval.runs.provenance import Provenance
from llamaindex_rag_eval.runs.run import Run
from tests.models.asking import llm_at, serving

LLM = OpenAILike(model="m", api_base="http://localhost:1/v1", api_key="none")
EMBEDDING = MockEmbedding(embed_dim=3, model_name="small")

UNSEEN = "as no embedding model was given (--embed)."

WORDS = f"Texts were compared by words, {UNSEEN}"

COARSE = ", not by an LLM: good for comparing pipelines on the same questions, coarse as an "

JUDGES: Mapping[str, Judge] = {
    "rules": judge_of(EmbeddedOracle()),
    "rules and embeddings": judge_of(EmbeddedOracle(EMBEDDING)),
    "llm": judge_of(LLMOracle(LLM)),
    "llm, votes": judge_of(LLMOracle(LLM), votes=3),
    "llm and embeddings": judge_of(LLMOracle(LLM, EMBEDDING)),
}


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        ("rules", f"Judged by embedded language rules{COARSE}absolute score."),
        (
            "rules and embeddings",
            "Judged by embedded language rules with the embedding model 'small'"
            f"{COARSE}absolute score.",
        ),
        (
            "llm",
            "Judged by the LLM 'm' and by words; words are compared in answer_relevancy, " + UNSEEN,
        ),
        (
            "llm, votes",
            "Judged by the LLM 'm' (3 votes) and by words; words are compared in "
            "answer_relevancy, " + UNSEEN,
        ),
        ("llm and embeddings", "Judged by the LLM 'm' and by the embedding model 'small'."),
    ],
)
def test_the_note_says_by_whom_a_run_is_judged(judge: str, expected: str):
    metrics = [AnswerRelevancy(JUDGES[judge]), Faithfulness(JUDGES[judge])]
    assert Provenance.now(metrics, dataset="").notes == (expected,)


@pytest.mark.parametrize("judge", JUDGES)
def test_a_run_of_similarities_says_only_who_compared(judge: str):
    (note,) = Provenance.now([AnswerSimilarity(JUDGES[judge])], dataset="").notes
    embedded = "Texts were compared by the embedding model 'small'."
    assert note == (embedded if "embeddings" in judge else WORDS)


def test_a_run_of_one_llm_says_so():
    (note,) = Provenance.now([Faithfulness(JUDGES["llm"])], dataset="").notes
    assert note == "Judged by the LLM 'm'."


def test_judgements_by_rules_beside_those_of_a_model_are_named():
    metrics = [AnswerRelevancy(JUDGES["llm"]), Faithfulness(JUDGES["rules"])]
    assert Provenance.now(metrics, dataset="").notes == (
        "Judged by the LLM 'm', by words and by embedded language rules; words are compared in "
        f"answer_relevancy, {UNSEEN}",
    )


SAMPLES = [
    SingleTurnSample(
        id=f"q{number}",
        query="Who is tall?",
        response="Ada is tall. Ben is old.",
        reference="Ada is tall.",
        contexts=(f"Ada {number} is tall.",),
    )
    for number in range(2)
]


def test_each_row_and_the_run_say_who_answered_which_share(tmp_path: Path):
    out = tmp_path / "run.jsonl"
    metrics: Any = [AnswerRelevancy(), Faithfulness(JUDGES["rules"])]
    with serving() as server:
        judge = judge_of(LLMOracle(llm_at(server)))
        run = evaluate(SAMPLES, metrics=metrics, judge=judge, out=out)
        again = evaluate(SAMPLES, metrics=metrics, judge=judge, out=out)
    asked, words = judge.oracle.fingerprint(QuestionsOf), judge.oracle.fingerprint(SimilaritiesOf)
    rules = JUDGES["rules"].oracle.fingerprint(ClaimsOf)
    relevancy, faithfulness = run.results[0], run.results[1]
    assert relevancy.judged_by == {"QuestionsOf": {asked: 1}, "SimilaritiesOf": {words: 1}}
    assert relevancy.feedback is not None
    assert relevancy.feedback.endswith("Texts were compared by words.")
    assert faithfulness.judged_by == {"ClaimsOf": {rules: 1}, "SupportOf": {rules: 1}}
    # two samples: 2 + 2 judgements of the first metric, 4 of the second
    assert run.provenance.judged == {
        "answer_relevancy": {"QuestionsOf": {asked: 2}, "SimilaritiesOf": {words: 2}},
        "faithfulness": {"ClaimsOf": {rules: 2}, "SupportOf": {rules: 2}},
    }
    assert run.provenance.notes == (
        "Judged by embedded language rules (4 of 8 judgements), by the LLM 'gpt-4o-mini' (2 of 8 "
        "judgements) and by words (2 of 8 judgements); words are compared in answer_relevancy, "
        f"{UNSEEN}",
    )
    assert run.provenance.shares["answer_relevancy"] == "2 by the LLM 'gpt-4o-mini', 2 by words"
    assert again.provenance.judged == run.provenance.judged, "nothing was asked, all is known"
    assert Run.read(out).provenance.notes == run.provenance.notes


class Half:
    """A cross-encoder."""

    def predict(self, sentences: Any) -> list[float]:
        return [0.5 for _ in sentences]


def test_a_cross_encoder_is_named_and_no_judge_is():
    metric = AnswerSimilarity(cross_encoder=Half())
    run = evaluate(SAMPLES, metrics=[metric], judge=JUDGES["llm"])
    assert run.provenance.answered_by == {}
    assert run.provenance.notes == ("Texts were compared by the cross-encoder 'Half'.",)
    assert run.results[0].feedback == (
        "answer_similarity(cross_encoder=Half) is 0.5. "
        "Texts were compared by the cross-encoder 'Half'."
    )


@pytest.mark.parametrize(
    ("who", "name"),
    [
        ("llm/meta-llama/Llama-3/0123456789ab/claims:0123456789ab", "the LLM 'meta-llama/Llama-3'"),
        ("embedded-rules/3+small", "embedded language rules with the embedding model 'small'"),
        ("nli/some/other", "'nli/some/other'"),
    ],
)
def test_who_answers_has_a_name(who: str, name: str):
    assert answerer_name(who) == name
