"""Comparability: what differs beside the pipelines is named first, and withholds a verdict."""

from dataclasses import replace

import pytest

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores

ALIKE = {"m": [0.2] * 12, "mrr": [0.1] * 12}
BETTER = {"m": [0.9] * 12, "mrr": [0.8] * 12}


def judged(run: Run, **counts: int) -> Run:
    """Return the run with judgements of metric `m`, by fingerprint."""
    who = {name.replace("__", "/"): count for name, count in counts.items()}
    provenance = run.provenance.model_copy(update={"judged": {"m": {"SupportOf": who}}})
    return replace(run, provenance=provenance)


def test_another_judge_is_named_first_and_its_metrics_have_no_verdict() -> None:
    a = judged(run_of_scores("a", ALIKE), llm__big__0__support=40)
    b = judged(run_of_scores("b", BETTER), llm__small__0__support=40)
    found = compare(a, b)
    assert found.verdict[0] == (
        "No verdict on m: 'a' was judged by the LLM 'big', 'b' by the LLM 'small'."
    )
    assert found.verdict[1].startswith("b is better than a on mrr (+0.700")
    m, mrr = found.contrasts
    assert (m.finding, m.p_adjusted, m.difference) == ("not comparable", None, pytest.approx(0.7))
    # One test is left: it is corrected for no other.
    assert (mrr.finding, mrr.p_adjusted) == ("better", 2 / 2**12)


def test_another_prompt_or_version_of_the_rules_is_another_judge() -> None:
    for one, other in (
        ({"llm__m__0__support:1": 9}, {"llm__m__0__support:2": 9}),
        ({"embedded-rules__6": 9}, {"embedded-rules__7": 9}),
    ):
        a = judged(run_of_scores("a", ALIKE), **one)
        b = judged(run_of_scores("b", BETTER), **other)
        first = compare(a, b).verdict[0]
        assert first.startswith("No verdict on m: 'a' was judged by ")
        assert next(iter(other)).replace("__", "/") in first


def test_a_few_judgements_by_somebody_else_do_not_matter() -> None:
    a = judged(run_of_scores("a", ALIKE), llm__big__0__support=100)
    b = judged(run_of_scores("b", BETTER), llm__big__0__support=96, rules=4)
    assert compare(a, b).contrasts[0].finding == "better"


def test_another_direction_or_other_bounds_withhold_the_verdict() -> None:
    a = run_of_scores("a", ALIKE)
    for info, said in (
        ({"m": {"direction": "lower"}}, "direction higher before, lower now"),
        ({"m": {"bounds": (0.0, 5.0)}}, "bounds 0 to 1 before, 0 to 5 now"),
    ):
        found = compare(a, run_of_scores("b", BETTER, info=info))
        assert said in found.verdict[0]
        assert found.contrasts[0].finding == "not comparable"
