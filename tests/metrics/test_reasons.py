from typing import Any

import pandas as pd

from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.metrics.reasons import reason_of

CLAIMS: list[Any] = [
    {"claim": "It is  old.\n", "verdict": "supported"},
    {"claim": "It is red.", "verdict": "contradicted"},
    *({"claim": f"Part {number}.", "verdict": "not_mentioned"} for number in range(5)),
]


def test_claims_are_counted_and_those_without_support_are_quoted():
    assert reason_of(CLAIMS) == (
        "1 of 7 claims supported; contradicted: 'It is red.'; "
        "not mentioned: 'Part 0.', 'Part 1.', 'Part 2.' and 2 more"
    )
    long = reason_of([{"claim": "word " * 100, "verdict": "partly"}])
    assert len(long) < 170
    assert long.endswith("…'")


def test_claims_of_cited_sentences_and_of_nuggets_are_found():
    sentences: Any = {"sentences": [{"cited": [0], "claims": CLAIMS[:2]}, {"claims": []}]}
    assert reason_of(sentences) == "1 of 2 claims supported; contradicted: 'It is red.'"
    nuggets: Any = {"nuggets": [{"importance": "vital", "support": CLAIMS[0]}]}
    assert reason_of(nuggets) == "1 of 1 claims supported"


def test_contexts_and_ranks_are_named_from_one():
    contexts: Any = [{"useful": False, "reason": "r"}, {"useful": True, "reason": "r"}]
    assert reason_of(contexts) == "1 of 2 contexts useful: 2"
    ranks: Any = {"by": "span", "gains": [0, 1, 0, 1], "needed": 2}
    assert reason_of(ranks) == "gold evidence at rank 2, 4 of 4 retrieved"
    assert reason_of(ranks | {"gains": [0, 0]}) == "no gold evidence of 2 retrieved"


def test_evidence_of_another_kind_says_nothing_here():
    nothing: list[Any] = [None, "text", 3, [], {}, [1, "a"], {"similarities": [0.1]}]
    for evidence in nothing:
        assert reason_of(evidence) == ""


def test_every_row_of_a_run_has_its_reason(tmp_path):
    sample = SingleTurnSample(
        id="a",
        query="How old is the bridge?",
        response="The bridge is 90 years old. It is painted blue.",
        contexts=("The bridge is 90 years old.",),
        reference="The bridge is 90 years old.",
    )
    run = evaluate([sample], metrics=["faithfulness", "context_precision", "token_f1"])
    row = run.to_pandas().iloc[0]
    assert row["faithfulness reason"].startswith(
        "1 of 2 claims supported (mean probability 0.53); not mentioned: '"
    )
    assert row["context_precision reason"] == "1 of 1 contexts useful: 1."
    assert row["token_f1 reason"] == run.of("token_f1")[0].feedback != ""
    assert "1 of 2 claims supported (mean probability 0.53)" in run.of("faithfulness")[0].feedback
    table = pd.read_csv(run.to_csv(tmp_path / "scores.csv"))
    assert table["faithfulness reason"][0] == row["faithfulness reason"]


def test_a_run_is_printed_as_a_table():
    run = evaluate([SingleTurnSample(response="a", reference="a")], metrics=["exact_match"])
    head, line = str(run).splitlines()
    assert head.split()[0] == "metric"
    assert line.split()[:2] == ["exact_match", "1.000"]
    assert repr(run) == "Run('', samples=1, metrics=1)"


def test_claims_beside_the_question_are_named_and_not_counted():
    claims: Any = [{"claim": "It is old.", "verdict": "supported"}]
    beside: Any = [{"claim": "It is red.", "verdict": "not_mentioned"}]
    reason = reason_of({"response_in_reference": claims, "beside_the_question": beside})
    assert reason == (
        "response in reference: 1 of 1 claims supported | beside the question: 'It is red.'"
    )
