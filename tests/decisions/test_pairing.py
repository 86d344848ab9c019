"""Pairing: which questions and metrics of two runs are compared."""

import pytest

from llamaindex_rag_eval.data.repeats import repeated
from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.decision import decide
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.result import Result
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def test_questions_are_paired_by_id_whatever_their_order() -> None:
    first, second = sample("one"), sample("two")
    a = run_of_scores("a", {"m": [0.0, 1.0]}, samples=[first, second])
    b = run_of_scores("b", {"m": [1.0, 0.0]}, samples=[second, first])
    assert [pair.gap for pair in compare(a, b).contrasts[0].pairs] == [0.0, 0.0]


def test_questions_of_one_run_alone_are_left_out_and_said_so() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5]})
    b = run_of_scores("b", {"m": [0.5, 0.5, 0.5]})
    comparison = compare(a, b)
    assert comparison.pairing.left_out["only 'b' has"] == ("q2",)
    assert comparison.notes == (
        "The runs are over different golden sets: 2 questions in both.",
        "1 question that only 'b' has is left out.",
    )


def test_another_right_answer_to_the_same_question_is_said() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5]})
    other = [sample("q0"), sample("q1", reference="On the right shelf.")]
    b = run_of_scores("b", {"m": [0.5, 0.5]}, samples=other)
    assert compare(a, b).notes == ("1 compared questions have another reference in 'b'.",)


def test_one_id_with_two_questions_is_not_compared() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5]})
    other = [sample("q0"), sample("q1", query="Something else?")]
    b = run_of_scores("b", {"m": [1.0, 1.0]}, samples=other)
    comparison = compare(a, b)
    assert ("q1",) in comparison.pairing.left_out.values()
    assert comparison.contrasts[0].n == 1


def test_runs_without_a_common_question_or_metric_are_refused() -> None:
    a = run_of_scores("a", {"m": [0.5]})
    with pytest.raises(InputError, match="no question in common"):
        compare(a, run_of_scores("b", {"m": [0.5]}, samples=[sample("z")]))
    with pytest.raises(InputError, match="no metric in common"):
        compare(a, run_of_scores("b", {"k": [0.5]}))


def test_names_that_do_not_tell_the_runs_apart_become_letters() -> None:
    a, b = (run_of_scores("same", {"m": [score]}) for score in (0.0, 1.0))
    assert compare(a, b).names == ("A", "B")


def conversation_run(name: str, *messages: tuple[str, str]) -> Run:
    """Return a run over one conversation."""
    talk = MultiTurnSample(
        id="talk",
        messages=tuple(Message(role=role, content=text) for role, text in messages),  # type: ignore[arg-type]  # roles
    )
    return Run(
        samples=(talk,),
        results=(Result(metric="m", sample_id="talk", score=0.5),),
        provenance=Provenance(metrics=(MetricInfo(spec="m"),)),
        name=name,
    )


def test_conversations_are_paired_by_what_the_user_says_alone() -> None:
    a = conversation_run("a", ("user", "Hello."), ("assistant", "Hi."), ("user", "Where?"))
    b = conversation_run(
        "b", ("system", "Be kind."), ("user", "Hello."), ("assistant", "Yes?"), ("user", "Where?")
    )
    pairing = Pairing.of(a, b)
    assert (pairing.ids, any(pairing.left_out.values())) == (("talk",), False)


@pytest.mark.parametrize(
    "messages",
    [
        [("user", "Hello."), ("user", "When?")],
        [("user", "Hello.")],
        [("user", "Hello.Where?")],
        [("assistant", "Hello."), ("assistant", "Where?")],
    ],
)
def test_conversations_in_which_the_user_says_something_else_are_not_paired(
    messages: list[tuple[str, str]],
) -> None:
    a = conversation_run("a", ("user", "Hello."), ("user", "Where?"))
    with pytest.raises(InputError, match="no question in common"):
        Pairing.of(a, conversation_run("b", *messages))


def test_named_metrics_alone_are_compared_in_the_order_in_which_they_are_named() -> None:
    scores = {"faithfulness": [0.5], "k": [0.5], "ndcg@10": [0.5]}
    a, b = (run_of_scores(name, scores) for name in "ab")
    assert [m.spec for m in Pairing.of(a, b, ["k", "faithfulness"]).metrics] == [
        "k",
        "faithfulness",
    ]
    # By any name that the registry knows, and by the metric itself; twice is once.
    found = Pairing.of(a, b, ["Faithfulness", Faithfulness(), "ndcg@10"]).metrics
    assert [m.spec for m in found] == ["faithfulness", "ndcg@10"]


@pytest.mark.parametrize("metric", ["only_a", "nobody_knows_this", "context_recall"])
def test_a_metric_that_not_both_have_is_refused_with_those_that_both_have(metric: str) -> None:
    a = run_of_scores("a", {"m": [0.5], "k": [0.5], "only_a": [0.5]})
    b = run_of_scores("b", {"m": [0.5], "k": [0.5]})
    with pytest.raises(InputError, match=f"do not both have .* '{metric}'; they have 'm', 'k' in"):
        compare(a, b, metrics=[metric])


def test_a_question_that_was_asked_several_times_is_one_question_with_the_mean_of_its_scores() -> (
    None
):
    once = run_of_scores("main", {"m": [1.0, 1.0, 0.0]}, samples=[sample(name) for name in "abc"])
    thrice = [one for one in repeated(once.samples, 3) if isinstance(one, SingleTurnSample)]
    # a: 2 of 3 right; b: undefined once, so 1 of 2; c: failed once, so it failed.
    scores = [1.0, 1.0, 0.0, None, 1.0, 0.0, 1.0, None, 1.0]
    new = run_of_scores("new", {"m": scores}, samples=thrice, failed=[("c#2", "m")])
    compared = compare(once, new)
    (contrast,) = compared.contrasts
    assert compared.notes == ()
    assert [(pair.sample_id, pair.b) for pair in contrast.pairs] == [("a", 2 / 3), ("b", 1 / 2)]
    assert (contrast.missing_b, contrast.n) == (1, 2)


def test_nodes_that_are_numbered_anew_are_no_other_answer() -> None:
    def run(name: str, node: str, text: str) -> Run:
        found = {"contexts": (text,) if text else (), "context_ids": (node,)}
        return run_of_scores(name, {"m": [1.0]}, samples=[sample("a").model_copy(update=found)])

    before = run("main", "1", "Ada came.")
    assert Pairing.of(before, run("new", "2", "Ada came.")).unchanged
    assert not Pairing.of(before, run("new", "1", "Ada.")).unchanged
    assert not Pairing.of(run("main", "1", ""), run("new", "2", "")).unchanged


def test_repeated_answers_count_as_unchanged_only_if_all_are_the_same() -> None:
    samples = list(repeated([sample("a"), sample("b")], 2))
    alike = run_of_scores("main", {"m": [1.0] * 4}, samples=samples)  # type: ignore[arg-type]  # single turns
    assert Pairing.of(alike, alike.named("new")).unchanged
    samples[3] = samples[3].model_copy(update={"response": "On the right shelf."})
    other = run_of_scores("new", {"m": [1.0] * 4}, samples=samples)  # type: ignore[arg-type]  # single turns
    assert not Pairing.of(alike, other).unchanged
    assert not Pairing.of(other, other.named("new")).unchanged


def test_repeated_answers_are_no_more_questions_for_a_gate() -> None:
    samples = list(repeated([sample(f"q{n}") for n in range(8)], 3))
    runs = [
        run_of_scores(name, {"m": [1.0] * 24}, samples=samples)  # type: ignore[arg-type]  # single turns
        for name in ("main", "new")
    ]
    changed = [one.model_copy(update={"response": "Elsewhere."}) for one in samples]
    runs[1] = run_of_scores("new", {"m": [1.0] * 24}, samples=changed)  # type: ignore[arg-type]  # single turns
    decision = decide(runs[0], runs[1])
    assert decision.outcome == "cannot tell"
    assert decision.checks[0].message.startswith("only 8 of at least 20 questions")
    gone = run_of_scores("new", {"m": [0.0] * 24}, samples=changed)  # type: ignore[arg-type]  # single turns
    assert decide(runs[0], gone).outcome == "worse"
