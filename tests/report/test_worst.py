"""The worst answers, and where their first wrong claim comes from."""

from llamaindex_rag_eval.report import html_report
from llamaindex_rag_eval.report.worst import worst_answers
from llamaindex_rag_eval.runs.evaluate import evaluate
from tests.report.runs import run_of_scores, sample


def test_a_wrong_claim_is_marked_in_the_answer_and_in_its_source() -> None:
    contexts = ("Nothing of that.", "The hall is 30 m long and 40 m wide.")
    wrong = sample(
        "b", query="How wide is <b>it</b>?", response="40 m", contexts=contexts, reference="12 m"
    )
    right = sample("a", query="How long is it?", response="30 m", reference="30 m")
    run = evaluate([right, wrong], metrics=["answer_verdict"])
    (shown,) = worst_answers(run, run.metrics[0])
    assert (shown["id"], shown["verdict"], shown["source"]) == ("b", "wrong", 2)
    assert shown["claim"] in ("40", "40 m")
    assert (shown["claim"], "wrong") in shown["answer"]
    assert (shown["claim"], "wrong") in shown["passage"]
    page = html_report(run)
    assert "How wide is &lt;b&gt;it&lt;/b&gt;?" in page
    assert "<b>it</b>" not in page
    assert f'<mark class="wrong">{shown["claim"]}</mark>' in page


def test_a_claim_that_no_source_holds_is_said_to_have_none() -> None:
    run = run_of_scores("r", {"m": [0.25, 1.0]}, samples=[sample("q0", contexts=()), sample("q1")])
    (shown,) = worst_answers(run, run.metrics[0])
    assert (shown["claim"], shown["source"]) == ("q0 stands on the left shelf.", 0)
    assert "In no context that was retrieved." in html_report(run)


def test_the_lowest_come_first_and_only_five_are_shown() -> None:
    run = run_of_scores("r", {"m": [0.5, 0.0, 0.25, 1.0, 0.4, 0.3, 0.2, None]})
    shown = worst_answers(run, run.metrics[0])
    assert [one["id"] for one in shown] == ["q1", "q6", "q2", "q5", "q4"]


def test_of_a_metric_where_lower_is_better_the_highest_are_the_worst() -> None:
    run = run_of_scores("r", {"m": [0.0, 1.0, 0.5]}, info={"m": {"direction": "lower"}})
    assert [one["id"] for one in worst_answers(run, run.metrics[0])] == ["q1", "q2"]
