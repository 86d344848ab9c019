from collections.abc import Callable

import pytest

from llamaindex_rag_eval import compare
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.decision import decide
from llamaindex_rag_eval.report.html import html_report
from llamaindex_rag_eval.report.resources import resource_tables
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run


def run_with(name: str, latency: Callable[[int], float], tokens: int | None = None) -> Run:
    usage = {} if tokens is None else {"usage": {"prompt_tokens": tokens, "completion_tokens": 0}}
    rows = [
        SingleTurnSample(
            id=str(n),
            query=f"{n}?",
            response="a",
            reference="a",
            latency=latency(n),
            metadata=usage,
        )
        for n in range(20)
    ]
    return evaluate(rows, metrics=["exact_match"]).named(name)


def slow() -> Run:
    return run_with("slow", lambda n: 2 + n % 3, tokens=100)


def test_a_quicker_run_is_shown_to_take_less_time_question_by_question():
    found = compare(slow(), run_with("quick", lambda n: 1 + n % 3 - 0.01 * (n % 2), tokens=100))

    latency, tokens = found.resources
    assert latency.metric.spec == "latency"
    # Half of the questions take 1 s less, half 1.01 s.
    assert latency.difference == pytest.approx(-1.005)
    assert latency.finding == "better"
    assert tokens.difference == 0
    assert found.as_json()["resources"][0]["metric"] == "latency"  # type: ignore[index, call-overload]  # JSON


def test_what_answers_take_is_among_the_reasons_of_a_decision():
    quick = run_with("quick", lambda n: 1 + n % 3, tokens=100)
    reasons = decide(slow(), quick).reasons
    assert reasons[-1].startswith("An answer of quick takes less time (−1 s")
    assert not any("takes" in reason for reason in decide(slow(), slow().named("b")).reasons)


def test_scores_lose_nothing_to_the_tests_of_resources():
    alone = compare(slow(), run_with("b", lambda n: 2 + n % 3))

    assert [contrast.metric.spec for contrast in alone.contrasts] == ["exact_match"]
    assert alone.contrasts[0].level == 0.05
    assert [one.metric.spec for one in alone.resources] == ["latency"]  # b tells of no tokens


def test_several_runs_are_corrected_together():
    several = compare(
        {
            "slow": slow(),
            "quick": run_with("quick", lambda n: 1 + n % 2),
            "same": run_with("same", lambda n: 2 + n % 3),
        }
    )

    assert [one.level for pair in several.pairs for one in pair.resources] == [0.05 / 2] * 2
    table = resource_tables(several)
    assert table is not None
    assert table["head"][1:4] == ["slow", "quick", "difference (interval)"]
    assert table["head"][4:] == ["same", "difference (interval)"]


def test_the_page_and_the_table_show_them():
    run = slow()
    table = resource_tables(run)

    assert table is not None
    assert [row[0] for row in table["rows"]] == ["latency, s", "tokens"]
    assert table["rows"][1][1:] == ("100", "–", "100", "100", "20")
    assert "What an answer takes" in html_report(run)
    assert "What an answer takes" in html_report(compare(run, run.named("b")))


def test_nothing_is_shown_where_nothing_is_known():
    sample = SingleTurnSample(query="?", response="a", reference="a")
    run = evaluate([sample], metrics=["exact_match"])

    assert resource_tables(run) is None
    assert "What an answer takes" not in html_report(run)
