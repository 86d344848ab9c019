"""Answer verdict: the contract of the reply, votes, and what rules make of clear cases."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict, AnswerVerdictOf
from tests.judge.replies import reply_to
from tests.models.asking import REQUESTS

REQUEST = REQUESTS["answer_verdict"]
PORTS = AnswerVerdictOf(
    query="Which ports does it need?", references=("8443 and 5683",), response="Port 8444."
)
MISSING = {"kind": "missing", "words": "5683"}
WRONG = {"kind": "wrong", "words": "8444"}


@pytest.mark.parametrize(
    ("verdict", "missing", "wrong"),
    [
        ("partly_right", ("5683",), ("8444",)),
        ("wrong", ("5683",), ("8444",)),
        ("not_attempted", (), ()),
    ],
)
def test_faults_are_those_of_an_answer_that_is_not_right(verdict, missing, wrong) -> None:
    output = {"reason": "r", "faults": [MISSING, WRONG], "verdict": verdict}
    assert reply_to(PORTS, output) == AnswerVerdict(
        verdict=verdict, reason="r", missing=missing, wrong=wrong
    )


@pytest.mark.parametrize("fault", [MISSING, WRONG])
def test_a_right_answer_has_no_fault(fault) -> None:
    with pytest.raises(ReplyError, match="the verdict is 'right' beside a fault: "):
        reply_to(PORTS, {"reason": "r", "faults": [fault], "verdict": "right"})


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        ("8443, and 5683.", True),
        ("the ports 8443 and 5683", True),  # most of its words
        ("port 5684", False),  # another number
        ("the colour of the door", False),
        ("", True),
    ],
)
def test_a_fault_stands_in_a_text_that_was_shown(words, stands) -> None:
    output = {"reason": "r", "faults": [{"kind": "missing", "words": words}], "verdict": "wrong"}
    if stands:
        assert reply_to(PORTS, output).missing == (words,)  # type: ignore[attr-defined]  # a verdict
        return
    with pytest.raises(ReplyError, match="stands in no text shown"):
        reply_to(PORTS, output)


def test_the_majority_of_verdicts_keeps_its_share() -> None:
    votes = [AnswerVerdict(verdict=verdict) for verdict in ("wrong", "right", "right")]
    assert REQUEST.majority(votes) == AnswerVerdict(verdict="right", agreement=2 / 3)


def test_of_verdicts_that_are_as_frequent_the_first_counts() -> None:
    votes = [AnswerVerdict(verdict=verdict) for verdict in ("wrong", "right")]
    assert REQUEST.majority(votes) == AnswerVerdict(verdict="wrong", agreement=1 / 2)


def test_a_model_sees_question_references_and_response_and_what_is_expected() -> None:
    request = AnswerVerdictOf(
        query="Why?", response="So.", references=("A / B", "C"), expected="correct_premise"
    )
    assert request.to_prompt().model_dump(exclude_defaults=True) == {
        "question": "Why?",
        "references": ("A / B", "C"),
        "expected": "correct_premise",
        "response": "So.",
    }


@pytest.mark.parametrize(
    ("expected", "response", "verdict"),
    [
        ("answer", "I don't know.", "not_attempted"),
        ("answer", "Ito built it.", "right"),
        ("refuse", "The documents do not say.", "right"),
        ("refuse", "Ito built it.", "wrong"),
        ("clarify", "Which lock do you mean?", "right"),
        ("clarify", "Ito built it.", "wrong"),
        ("clarify", "I don't know.", "not_attempted"),
    ],
)
def test_rules_hold_a_response_to_what_is_expected(expected, response, verdict) -> None:
    request = AnswerVerdictOf(
        query="Who built the lock?", response=response, references=("Ito",), expected=expected
    )
    assert request.by_rule().verdict == verdict
