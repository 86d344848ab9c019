"""An example of a wrong answer, and where its first wrong claim comes from."""

from llamaindex_rag_eval.report import html_report
from llamaindex_rag_eval.report.example import example_of
from llamaindex_rag_eval.runs.evaluate import evaluate
from tests.report.runs import run_of_scores, sample


def test_a_wrong_claim_is_marked_in_the_answer_and_in_its_source() -> None:
    contexts = ("Nothing of that.", "The hall is 30 m long and 40 m wide.")
    wrong = sample(
        "b", query="How wide is <b>it</b>?", response="40 m", contexts=contexts, reference="12 m"
    )
    right = sample("a", query="How long is it?", response="30 m", reference="30 m")
    run = evaluate([right, wrong], metrics=["answer_verdict"])
    shown = example_of(run, wrong, "answer_verdict")
    assert (shown["verdict"], shown["source"]) == ("wrong", 2)
    assert shown["claim"] in ("40", "40 m")
    assert (shown["claim"], "wrong") in shown["answer"]
    assert (shown["claim"], "wrong") in shown["passage"]
    page = html_report(run)
    assert "How wide is &lt;b&gt;it&lt;/b&gt;?" in page
    assert "<b>it</b>" not in page
    assert f'<mark class="wrong">{shown["claim"]}</mark>' in page


def test_a_claim_that_no_source_holds_is_said_to_have_none() -> None:
    samples = [sample("q0", contexts=()), sample("q1")]
    run = run_of_scores("r", {"m": [0.25, 1.0]}, samples=samples)
    shown = example_of(run, samples[0], "m")
    assert (shown["claim"], shown["source"]) == ("q0 stands on the left shelf.", 0)
    assert shown["verdict"] == "m 0.25"
    assert "In no context that was retrieved." in html_report(run)


def test_an_answer_without_a_score_is_shown_without_a_verdict() -> None:
    run = run_of_scores("r", {"m": [None]}, samples=[sample("q0", error="it broke")])
    assert example_of(run, sample("q0", error="it broke"), "m")["verdict"] == ""
    assert "it broke" in html_report(run)
