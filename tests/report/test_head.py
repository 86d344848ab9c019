"""The head of a report: a decision, figures, the trade-off and what changed."""

from dataclasses import replace

import pytest

from llamaindex_rag_eval.decisions.by_people import run_by_people
from llamaindex_rag_eval.decisions.calibration import digest_of
from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.labels import HumanLabel
from llamaindex_rag_eval.report import html_report
from llamaindex_rag_eval.report.head import head_of, quality_of, shown_run
from llamaindex_rag_eval.report.view import Shown, view_of
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def head(about: Run, before: Run | None = None) -> Shown:
    return head_of(view_of(about), before)


def judged(name: str, answers: list[str], latency: float | None) -> Run:
    samples = [
        sample(f"q{n}", response=text, reference="12 m", latency=latency)
        for n, text in enumerate(answers)
    ]
    return evaluate(samples, metrics=["answer_verdict"], name=name)


@pytest.fixture(scope="module")
def two() -> tuple[Run, Run]:
    return judged("a", ["12 m"] * 5 + ["40 m"] * 15, 0.5), judged("b", ["12 m"] * 20, 1.5)


def test_shares_of_verdicts_have_intervals_also_where_all_are_alike(two: tuple[Run, Run]) -> None:
    answers, retrieval, taken = head_of(view_of(compare(*two)))["panels"]
    right = answers["rows"][0]["estimates"]
    assert [one.value for one in right if one] == [0.25, 1.0]
    assert all(one and one.low is not None and one.low < 1.0 for one in right)
    assert retrieval["notes"] == ("Not measured: no metric here looks at retrieval.",)
    assert [row["label"] for row in taken["rows"]] == ["latency, s"]
    assert [one.value for one in taken["rows"][0]["estimates"] if one] == [0.5, 1.5]


def test_where_no_price_is_known_it_says_so() -> None:
    runs = [judged(name, ["12 m"] * 8, None) for name in "ab"]
    page = html_report(compare(*runs))
    assert "Not known: these answers say neither their time nor their cost." in page


def test_a_run_alone_has_nothing_to_be_compared_with(two: tuple[Run, Run]) -> None:
    shown = head(two[0])
    assert shown["decisions"][0].headline == "Cannot tell yet"
    assert "nothing to compare it with" in shown["decisions"][0].reasons[0]
    assert shown["change"] is None


def test_a_run_is_held_against_the_one_before(two: tuple[Run, Run]) -> None:
    before, now = two
    shown = head(now, before.named("b"))
    assert shown["change"] is not None
    (sentence,) = shown["change"]["sentences"]
    assert " on answer_verdict (+0.750)." in sentence
    assert shown["decisions"][0].verdict == "ship"


def test_a_run_before_over_other_questions_is_not_comparable(two: tuple[Run, Run]) -> None:
    other = run_of_scores("b", {"m": [0.5]}, samples=[sample("elsewhere")])
    shown = head(two[1], other)
    assert shown["change"] is not None
    assert shown["change"]["sentences"][0].startswith("Not comparable: ")
    assert shown["decisions"][0].headline == "Cannot tell yet"


def test_of_several_pipelines_each_has_a_decision_and_the_best_is_shown() -> None:
    half = judged("half", ["12 m"] * 4 + ["40 m"] * 4, 1.0)
    runs = [judged("a", ["40 m"] * 8, 1.0), half, judged("bad", ["40 m"] * 8, 1.0)]
    view = view_of(compare({run.name: run for run in runs}))
    assert [one.name for one in head_of(view)["decisions"]] == ["half", "bad"]
    assert view.names[shown_run(view, quality_of(view.metrics))] == "half"


def test_the_shares_of_answers_say_whose_they_are_and_are_peoples_if_they_labelled_all(
    two: tuple[Run, Run],
) -> None:
    marks = [1.0] * 4 + [0.75] * 2 + [0.5] * 2 + [0.0] * 12  # 0.75: of two people who differ

    def labels(run: Run, count: int) -> list[HumanLabel]:
        digests = [digest_of(entry) for entry in run.samples]
        return [
            HumanLabel(f"q{n}", "", marks[n], answer=digest)
            for n, digest in enumerate(digests[:count])
        ]

    def alone(count: int) -> Shown:
        entries = run_by_people(two[0], labels(two[0], count))
        return head_of(replace(view_of(two[0]), alone=entries))["panels"][0]

    assert alone(20)["notes"] == ("Shares by people, who labelled every answer.",)
    shares = {row["label"]: row["estimates"][0].value for row in alone(20)["rows"]}
    assert shares == {"right": 4 / 20, "partly right": 4 / 20, "wrong or not attempted": 12 / 20}
    judges = "Shares by answer_verdict. These are the judge's, not people's."
    assert alone(19)["notes"] == (judges,)
    for count, rows, note in ((20, 3, alone(20)["notes"][0]), (19, 4, judges)):
        both = [label for run, n in zip(two, (20, count), strict=True) for label in labels(run, n)]
        panel = head_of(view_of(compare(*two, labels=both)))["panels"][0]
        assert (len(panel["rows"]), panel["notes"]) == (rows, (note,))
        assert [len(row["estimates"]) for row in panel["rows"]] == [2] * rows
