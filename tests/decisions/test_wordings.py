"""Wordings: verdicts that flip and contexts that are others, by kind, over documents."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.wordings import wording_effects, worst_wording
from llamaindex_rag_eval.runs.clusters import clusters_of
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def worded(name: str, kind: str, *contexts: str, document: str = "") -> SingleTurnSample:
    of = name.partition("~")[0].partition("#")[0]
    gold = [[{"doc_id": document or of, "start": 0, "end": 3}]]
    metadata = {"variant_of": of, "variant": kind}
    return sample(name, metadata=metadata, contexts=contexts, gold=gold)


def run_of(scores: Mapping[str, float | None], *samples: SingleTurnSample) -> Run:
    run = run_of_scores(
        "r", {"answer_verdict": [scores[entry.id] for entry in samples]}, samples=samples
    )
    return replace(
        run,
        results=tuple(
            result.model_copy(
                update={"passing": None if result.score is None else result.score >= 1}
            )
            for result in run.results
        ),
    )


ASKED = tuple(
    entry
    for name in "abcd"
    for entry in (
        worded(name, "as_written", "x", "y"),
        worded(f"{name}~typos", "typos", "y", "z"),
        worded(f"{name}~polite", "polite", "x", "y"),
    )
)
SCORES = {
    **dict.fromkeys((entry.id for entry in ASKED), 1.0),
    "d": 0.0,
    "a~typos": 0.0,
    "b~typos": 0.5,
    "d~typos": 1.0,
    "d~polite": 0.0,
}


def test_flips_changes_and_shared_contexts_are_counted_by_kind() -> None:
    typos, polite = wording_effects(run_of(SCORES, *ASKED))
    assert (typos.kind, typos.metric, typos.questions) == ("typos", "answer_verdict", 4)
    # partly right (0.5) is not right: a and b are lost, d is won, c stays
    assert (typos.flips.value, typos.change.value) == (3 / 4, -1 / 4)
    assert typos.overlap.value == 1 / 3  # y of x, y, z
    assert (polite.flips.value, polite.change.value, polite.overlap.value) == (0, 0, 1)
    assert typos.flips.interval is not None


def test_the_kind_that_hurts_most_is_named_with_its_doubt() -> None:
    effects = wording_effects(run_of(SCORES, *ASKED))
    assert worst_wording(effects) == (
        "The share of right answers falls most with typos: by 0.250, which may be chance."
    )
    assert worst_wording(effects[1:]) == "No kind of wording loses answers."
    assert worst_wording(()) == ""


def test_a_loss_that_chance_does_not_explain_is_said_without_doubt() -> None:
    asked = [
        entry
        for number in range(40)
        for entry in (worded(f"q{number}", "as_written"), worded(f"q{number}~typos", "typos"))
    ]
    scores = {entry.id: float("~" not in entry.id or entry.id < "q2") for entry in asked}
    effects = wording_effects(run_of(scores, *asked))
    assert "chance" not in worst_wording(effects)


def test_intervals_are_wider_where_questions_are_about_one_document() -> None:
    def width(documents: int) -> float:
        asked = [
            worded(name, kind, document=f"d{number % documents}")
            for number in range(24)
            for name, kind in ((f"q{number}", "as_written"), (f"q{number}~typos", "typos"))
        ]
        lost = {f"q{number}~typos" for number in range(24) if number % documents == 0}
        scores = {entry.id: float(entry.id not in lost) for entry in asked}
        interval = wording_effects(run_of(scores, *asked))[0].flips.interval
        assert interval is not None
        return interval.width

    assert width(4) > width(24)


def test_questions_that_were_asked_again_say_what_changes_by_chance() -> None:
    asked = (*ASKED[:2], worded("a#2", "as_written"), worded("a~typos#2", "typos"))
    scores = {"a": 1.0, "a~typos": 0.0, "a#2": 0.0, "a~typos#2": 1.0}
    effects = {e.kind: e.flips.value for e in wording_effects(run_of(scores, *asked))}
    assert effects == {"typos": 1 / 2, "asked_again": 1}


def test_answers_without_a_verdict_or_without_their_question_are_left_out() -> None:
    scores: dict[str, float | None] = {**SCORES, "a~typos": None}
    typos, _ = wording_effects(run_of(scores, *ASKED))
    assert (typos.flips.n, typos.questions) == (3, 4)
    alone = (worded("e~typos", "typos"), sample("f"))
    assert wording_effects(run_of({"e~typos": 1.0, "f": 1.0}, *alone)) == ()


def test_variants_are_one_cluster_with_their_question() -> None:
    plain = [sample(n, metadata={"variant_of": "a"}) for n in ("a", "a~typos")]
    again = [sample("a~typos#2", metadata={"variant_of": "a", "repeat_of": "a~typos"}), sample("b")]
    assert list(clusters_of([*plain, *again], "none").labels.values()) == [0, 0, 0, 1]


def test_a_run_without_a_verdict_still_says_what_is_retrieved() -> None:
    effects = wording_effects(run_of_scores("r", {"m": [1.0] * len(ASKED)}, samples=ASKED))
    assert effects[0].overlap.value == pytest.approx(1 / 3)
    assert (effects[0].metric, effects[0].flips.value) == ("", None)
    assert worst_wording(effects) == ""
