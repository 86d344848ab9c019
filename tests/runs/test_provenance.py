"""The note of a run: by whom it was judged, no more and no less."""

from collections.abc import Mapping

import pytest
from llama_index.core.embeddings import MockEmbedding

from llamaindex_rag_eval import AnswerRelevancy, AnswerSimilarity, Faithfulness
from llamaindex_rag_eval.judge import Judge, judge_of
from llamaindex_rag_eval.models import EmbeddedOracle, LLMOracle
from llamaindex_rag_eval.models.by_name import OpenAILike
from llamaindex_rag_eval.runs.provenance import Provenance

LLM = OpenAILike(model="m", api_base="http://localhost:1/v1", api_key="none")
EMBEDDING = MockEmbedding(embed_dim=3, model_name="small")

WORDS = "Similarities were compared by words, not by an embedding model: give one with --embed."

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
        ("llm", WORDS),
        ("llm, votes", WORDS),
        ("llm and embeddings", ""),
    ],
)
def test_the_note_says_by_whom_a_run_was_judged(judge: str, expected: str):
    metrics = [AnswerRelevancy(JUDGES[judge]), Faithfulness(JUDGES[judge])]
    notes = Provenance.now(metrics, dataset="").notes
    assert notes == ((expected,) if expected else ())


@pytest.mark.parametrize("judge", JUDGES)
def test_similarities_alone_need_a_note_only_where_words_were_compared(judge: str):
    notes = Provenance.now([AnswerSimilarity(JUDGES[judge])], dataset="").notes
    assert notes == (() if "embeddings" in judge else (WORDS,))


def test_an_llm_s_own_judgements_need_no_note():
    assert Provenance.now([Faithfulness(JUDGES["llm"])], dataset="").notes == ()


def test_judgements_by_rules_beside_those_of_a_model_are_named():
    metrics = [AnswerRelevancy(JUDGES["llm"]), Faithfulness(JUDGES["rules"])]
    assert Provenance.now(metrics, dataset="").notes == (
        "ClaimsOf, SupportOf: answered by embedded language rules, not by a model as the rest.",
        WORDS,
    )
