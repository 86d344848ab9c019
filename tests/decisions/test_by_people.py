"""Means and differences by people: figures by hand, and when nothing is corrected."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.by_people import NO_LABEL, people_sentences, run_by_people
from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.decision import decide, decide_pair
from llamaindex_rag_eval.decisions.labels import HumanLabel, answer_digest, read_labels
from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.ppi import ppi_difference, ppi_mean
from tests.report.runs import run_of_scores

TRUE = [1.0, 0.0, 1.0, 1.0] * 25
JUDGED = [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] * 12 + TRUE[:4]
"""The judge takes every other wrong answer for right."""


def answers(name: str, changed: range | None = None) -> list[SingleTurnSample]:
    """Return answers of a run; only those of `changed`, by default all, are its own."""
    return [
        SingleTurnSample(
            id=f"q{n}",
            query=f"q{n}?",
            response=name if changed is None or n in changed else "as before",
        )
        for n in range(100)
    ]


def run_of(name: str, scores: list[float], changed: range | None = None) -> Run:
    return run_of_scores(name, {"m": scores}, samples=answers(name, changed))


def labels_of(response: str, ids: range, *, run: str = "", judged: str = "") -> list[HumanLabel]:
    digest = answer_digest(response)
    return [HumanLabel(f"q{n}", "m", TRUE[n], answer=digest, run=run, judged=judged) for n in ids]


def test_the_mean_of_a_run_is_that_of_calibration() -> None:
    (entry,) = run_by_people(run_of("a", JUDGED), labels_of("a", range(40))) or ()
    expected = ppi_mean(TRUE[:40], JUDGED[:40], JUDGED[40:], bounds=(0, 1))
    assert expected is not None
    (mean,) = entry.means
    assert (mean.mean.value, mean.mean.low) == (
        pytest.approx(expected.value),
        pytest.approx(expected.low),
    )
    assert mean.judged == pytest.approx(0.87)  # 12 · 7 / 8 of eight, and 3 of 4
    assert entry.sentences == (
        f"m of a: 0.870 by the judge, {expected.text()} as people would score it, by 40 labels.",
    )
    # Two runs are compared by the same means.
    runs, own = (run_of("a", JUDGED), run_of("b", TRUE)), labels_of("b", range(40))
    (both,) = compare(*runs, labels=labels_of("a", range(40)) + own).by_people or ()
    assert both.means[0].mean.value == expected.value
    assert both.difference is not None
    assert both.difference.value == (both.means[1].mean.value or 0.0) - (expected.value or 0.0)


def test_labels_of_both_runs_give_the_difference_with_what_they_share_taken_out() -> None:
    runs = run_of("a", JUDGED), run_of("b", JUDGED)
    labels = labels_of("a", range(40)) + labels_of("b", range(40))
    (entry,) = compare(*runs, labels=labels).by_people or ()
    assert entry.difference is not None
    assert entry.difference.value == 0
    # The same labels and scores: nothing but the prior is left of the width.
    apart = compare(*runs, labels=labels_of("a", range(40)) + labels_of("b", range(40, 80)))
    (other,) = apart.by_people or ()
    assert other.difference is not None
    assert other.difference.interval is not None
    assert entry.difference.interval is not None
    assert other.difference.interval.width > 1.5 * entry.difference.interval.width
    assert len(entry.sentences) == 2  # the difference is in the table, and in the decision


def test_the_error_of_a_difference_is_that_of_paired_differences() -> None:
    first, second = [1.0, 0.0] * 15, [1.0, 1.0, 0.0] * 10
    means = [ppi_mean(labels, labels, [], clusters=range(30)) for labels in (first, second)]
    assert means[0] is not None
    assert means[1] is not None
    difference = ppi_difference(*means)
    from scipy import stats

    gaps = [b - a for a, b in zip(first, second, strict=True)]
    student = stats.ttest_1samp(gaps, 0).confidence_interval(0.95)
    assert (difference.low, difference.high) == (
        pytest.approx(student.low),
        pytest.approx(student.high),
    )


def test_documents_make_the_interval_wider() -> None:
    values = ([1.0] * 5 + [0.0] * 5) * 3
    alone = ppi_mean(values, values, [], bounds=(0, 1))
    clustered = ppi_mean(values, values, [], bounds=(0, 1), clusters=[n // 5 for n in range(30)])
    assert alone is not None
    assert clustered is not None
    assert alone.interval is not None
    assert clustered.interval is not None
    assert clustered.interval.width > 1.5 * alone.interval.width


def test_few_labels_correct_nothing_and_say_so() -> None:
    (entry,) = run_by_people(run_of("a", JUDGED), labels_of("a", range(19))) or ()
    assert entry.sentences == (
        "m of a: not corrected by people, because it has 19 labels drawn at random, and 20 are "
        "needed.",
    )
    plain = entry.means[0].as_json()
    assert (plain["value"], plain["labels"], plain["judged"]) == (None, 19, pytest.approx(0.87))
    assert people_sentences(run_by_people(run_of("a", JUDGED), [])) == (NO_LABEL,)
    assert people_sentences(run_by_people(run_of("a", JUDGED), None)) == ()


def test_of_two_runs_a_label_must_say_which_answer_it_is_about() -> None:
    labels = [HumanLabel(f"q{n}", "m", TRUE[n]) for n in range(40)]
    (apart,) = compare(run_of("a", JUDGED), run_of("b", TRUE), labels=labels).by_people or ()
    assert apart.difference is None
    assert "it has 0 labels" in apart.sentences[0]
    runs = run_of("a", JUDGED, range(0)), run_of("b", JUDGED, range(0))
    (same,) = compare(*runs, labels=labels).by_people or ()
    assert same.difference is not None


def test_doubtful_labels_do_not_count() -> None:
    labels = [HumanLabel(f"q{n}", "m", 1.0, "doubtful") for n in range(40)]
    (entry,) = run_by_people(run_of("a", JUDGED), labels) or ()
    assert entry.means[0].mean.n == 0


def test_labels_of_the_run_before_count_only_as_far_as_they_are_a_random_choice() -> None:
    # Of 100 answers 70 changed. 60 labels were drawn before: 30 are still of an answer of today.
    before, now = run_of("a", TRUE, range(0)), run_of("b", TRUE, range(30, 100))
    labels = labels_of("as before", range(60))
    (alone,) = run_by_people(now, labels) or ()
    assert "no random choice" in alone.sentences[0]
    (pair,) = compare(before, now, labels=labels).by_people or ()
    assert [entry.mean.value is None for entry in pair.means] == [False, True]
    # With labels of changed answers, too, each stands for 30 / 30 or 70 / 20 answers.
    wrong = [HumanLabel(f"q{n}", "m", 0.0, answer=answer_digest("b")) for n in range(70, 90)]
    (pair,) = (
        compare(before, run_of("b", [0.5] * 100, range(30, 100)), labels=labels + wrong).by_people
        or ()
    )
    right = sum(TRUE[:30]) / 30
    assert pair.means[1].mean.value == pytest.approx(0.3 * right)  # and .7 · 0; a flat judge
    assert pair.difference is not None


def test_labels_that_were_drawn_from_the_run_are_a_random_choice_whatever_else_is_in_the_file() -> (
    None
):
    run = run_of("b", TRUE)
    provenance = run.provenance.model_copy(update={"dataset": "0123456789abcdef" * 4})
    run = Run(samples=run.samples, results=run.results, provenance=provenance, name="b")
    labels = labels_of("b", range(30), run="0123456789abcdef") + labels_of("a", range(30, 60))
    (entry,) = run_by_people(run, labels) or ()
    assert entry.means[0].mean.n == 30


def test_a_judge_that_changed_since_the_labels_were_given_is_named() -> None:
    run = run_of("a", JUDGED)
    provenance = run.provenance.model_copy(update={"judged": {"m": {"Verdict": {"llm/new": 9}}}})
    run = Run(samples=run.samples, results=run.results, provenance=provenance, name="a")
    (entry,) = run_by_people(run, labels_of("a", range(40), judged="llm/old")) or ()
    assert "(the LLM 'old' before, the LLM 'new' now)" in entry.sentences[1]
    (same,) = run_by_people(run, labels_of("a", range(40), judged="llm/new")) or ()
    assert len(same.sentences) == 1


def test_a_file_says_from_which_run_a_label_is_and_who_judged(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(json.dumps({"id": "q1", "label": 1, "run": "r", "judged": "llm/m"}))
    (label,) = read_labels(file)
    assert (label.run, label.judged) == ("r", "llm/m")


def judged(
    name: str, rate: float, kind: float, *, other: float = 0.5
) -> tuple[Run, list[HumanLabel]]:
    """Return a run of 200 answers, right at a rate, that a judge scores too kindly, and labels."""
    draw = np.random.default_rng(int(100 * rate) + ord(name[0]))
    right = (draw.random(200) < rate).astype(float)
    scores = np.clip(right + np.where(draw.random(200) < kind, 1.0, 0.0), 0, 1)
    samples = [
        SingleTurnSample(id=f"q{n}", query=f"q{n}?", response=f"{name} {n}") for n in range(200)
    ]
    run = run_of_scores(name, {"m": scores.tolist(), "k": [other] * 200}, samples=samples)
    labels = [
        HumanLabel(f"q{n}", "m", right[n], answer=answer_digest(f"{name} {n}")) for n in range(200)
    ]
    return run, labels


def test_labels_decide_against_a_judge_that_prefers_one_run() -> None:
    (a, of_a), (b, of_b) = judged("a", 0.8, 0.0), judged("b", 0.4, 1.0)
    assert decide(a, b).outcome == "better"
    decision = decide(a, b, labels=of_a[:40] + of_b[:40])
    assert decision.outcome == "worse"
    assert " by 40 and 40 labels of people)" in decision.reasons[0]
    check = decision.checks[0]
    assert "questions by 40 and 40 labels of people" in check.message
    assert check.contrast is not None
    first, second = check.contrast.mean_a, check.contrast.mean_b
    assert first is not None
    assert second is not None
    assert check.found == check.contrast.difference == pytest.approx(second - first)
    pair = compare(a, b, labels=of_a[:40] + of_b[:40])
    assert [contrast.as_json()["labels"] for contrast in pair.contrasts] == [[40, 40], []]


def test_interval_p_value_and_difference_by_people_never_disagree() -> None:
    (a, of_a), (b, of_b) = judged("a", 0.6, 0.2), judged("b", 0.6, 0.3)
    for count in (20, 35, 60):
        pair = compare(a, b, labels=of_a[:count] + of_b[:count])
        (entry,) = pair.by_people or ()
        assert entry.difference is not None
        test = pair.contrasts[0].test
        assert test is not None
        ends = test.interval(0.95)
        assert ends is not None
        assert (ends.low, ends.high) == (
            pytest.approx(entry.difference.low, abs=1e-6),
            pytest.approx(entry.difference.high, abs=1e-6),
        )
        assert float(test.p_value(ends.low)) == pytest.approx(0.05, abs=1e-6)


def test_of_several_pipelines_each_difference_is_by_people() -> None:
    made = [judged("a", 0.8, 0.0), judged("bb", 0.4, 1.0), judged("ccc", 0.1, 1.0)]
    labels = [label for _, own in made for label in own[:60]]
    several = compare({run.name: run for run, _ in made}, [], labels=labels)
    assert several.rankings[0].sentence == "m: a is better than bb; a and bb are better than ccc."
    assert [pair.contrasts[0].finding for pair in several.pairs] == ["worse", "worse"]


@pytest.mark.parametrize(
    ("of_a", "of_b", "why"),
    [
        (slice(30), slice(12), "m of b: not corrected by people, because it has 12 labels"),
        (slice(30), slice(0), "m of b: not corrected by people, because it has 0 labels"),
        (slice(0), slice(0), NO_LABEL),
    ],
)
def test_labels_that_are_not_enough_leave_the_decision_to_the_judge(
    of_a: slice, of_b: slice, why: str
) -> None:
    (a, labels_a), (b, labels_b) = judged("a", 0.8, 0.0), judged("b", 0.4, 1.0)
    labels = labels_a[of_a] + labels_b[of_b]
    decision = decide(a, b, labels=labels)
    assert decision.outcome == decide(a, b).outcome == "better"
    note = "The judge decides on m, not the labels: they do not correct both runs."
    assert note in decision.notes
    assert note in compare({"a": a, "b": b}, [], labels=labels).notes
    assert why in " ".join(people_sentences(decision.by_people))
    assert note not in decide(a, b).notes


def test_labels_of_other_answers_decide_nothing() -> None:
    (a, _), (b, _), (_, others) = judged("a", 0.8, 0.0), judged("b", 0.4, 1.0), judged("c", 0.4, 0)
    decision = decide(a, b, labels=others)
    assert decision.outcome == "better"
    assert "not the labels" in decision.notes[0]
    assert "m of a: not corrected by people, because it has 0 labels" in " ".join(
        people_sentences(decision.by_people)
    )


def test_where_labels_cannot_tell_it_says_how_many_would() -> None:
    (a, of_a), (b, of_b) = judged("a", 0.8, 0.6), judged("b", 0.8, 0.6)
    policy = Policy(margin=0.2)
    decision = decide(a, b, policy, labels=of_a[:20] + of_b[:20])
    assert (decision.outcome, decision.more) == ("cannot tell", None)
    found = re.fullmatch(r"Cannot tell yet: label about (\d+) more .*", decision.headline)
    assert found
    assert f"Label about {found[1]} more answers of each run" in decision.reasons[0]
    more = 20 + int(found[1])
    assert decide(a, b, policy, labels=of_a[:more] + of_b[:more]).outcome == "not worse"
    narrow = decide(a, b, Policy(margin=0.08), labels=of_a[:20] + of_b[:20])
    assert "These 200 questions are too few, even if all answers are labelled" in narrow.reasons[0]


def test_what_decides_is_what_labels_correct() -> None:
    (a, of_a), (b, of_b) = judged("a", 0.8, 0.0), judged("b", 0.4, 1.0)
    overall = [replace(label, metric="") for label in of_a[:40] + of_b[:40]]
    pair = compare(a, b, labels=overall)
    assert [contrast.labels for contrast in pair.contrasts] == [(40, 40), ()]
    decision = decide_pair(pair, Policy(primary="k"))
    labels = {c.spec: c.labels for check in decision.checks if (c := check.contrast)}
    assert labels == {"k": (40, 40), "m": ()}


def test_scores_that_are_missing_shift_with_what_people_say() -> None:
    (a, of_a), (b, of_b) = judged("a", 0.8, 0.0), judged("b", 0.8, 0.0)
    failed = [(f"q{n}", "m") for n in range(100, 110)]
    scores = [*b.values("m").values()]
    lost = run_of_scores(
        "b",
        {"m": [*scores[:100], *[None] * 10, *scores[110:]]},
        failed=failed,
        samples=[x for x in b.samples if isinstance(x, SingleTurnSample)],
    )
    contrast = compare(a, lost, metrics=["m"], labels=of_a[:40] + of_b[:40]).contrasts[0]
    assert contrast.difference is not None
    assert contrast.bounds is not None
    of_known = 0.95 * contrast.difference  # 190 of 200 have both scores
    missing = sum(a.values("m")[f"q{n}"] for n in range(100, 110)) / 200
    assert contrast.bounds == (
        pytest.approx(of_known - missing),
        pytest.approx(of_known - missing + 0.05),
    )
