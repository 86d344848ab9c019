"""Failure modes: how wrong answers are shown to a model, and what it may say of them."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.failure_modes import (
    Failure,
    FailureModes,
    FailureModesOf,
    FailureModesOutput,
    FailureVerdict,
    ModeOfFailure,
)

REQUEST = FailureModesOf(
    known=("wrong unit",),
    failures=(
        Failure(question="How far?", answer="2 miles", note="km"),
        Failure(question="b", answer="c"),
    ),
)


def test_failures_are_numbered_and_stand_below_the_modes_that_have_names() -> None:
    shown = REQUEST.to_prompt().model_dump()
    assert shown["known"] == ("wrong unit",)
    assert [(entry["id"], entry["note"]) for entry in shown["failures"]] == [(1, "km"), (2, "")]


def test_verdicts_come_back_in_the_order_of_the_failures_each_in_one_line() -> None:
    second = FailureVerdict(failure=2, fault="x", mode="a\n b\x1b[31m")
    first = FailureVerdict(failure=1, fault="y", mode="wrong unit")
    reply = REQUEST.from_prompt(FailureModesOutput(verdicts=(second, first)))
    assert [entry.mode for entry in reply.failures] == ["wrong unit", "a b[31m"]


@pytest.mark.parametrize(
    ("modes", "message"),
    [
        (("wrong unit",), "1 verdicts for 2 failures"),
        (("wrong unit", ""), "expected 1 to 60 characters"),
        (("wrong unit", "x" * 61), "expected 1 to 60 characters"),
    ],
)
def test_a_reply_without_a_name_for_each_is_refused(modes: tuple[str, ...], message: str) -> None:
    reply = FailureModes(failures=tuple(ModeOfFailure(fault="f", mode=mode) for mode in modes))
    with pytest.raises(ReplyError, match=message):
        REQUEST.check(reply)


def test_a_mode_that_is_known_may_be_as_long_as_a_person_wrote_it() -> None:
    request = FailureModesOf(known=("x" * 90,), failures=REQUEST.failures[:1])
    request.check(FailureModes(failures=(ModeOfFailure(fault="f", mode="x" * 90),)))
    request.check(request.stand_in())
