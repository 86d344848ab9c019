"""Alternatives: passages that are not listed do nothing; what is listed must exist, once."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from testset.requests.alternatives import AlternativesOf, AlternativesOutput, Finding

PASSAGES = ("At nine.", "It is red.", "At ten.")
ASKED = AlternativesOf(question="When does it open?", passages=PASSAGES)


def output(*numbers: int) -> AlternativesOutput:
    found = (Finding(passage=number, quote="At ten", verdict="other") for number in numbers)
    return AlternativesOutput(found=tuple(found))


def test_a_passage_that_is_not_listed_does_not_answer():
    found = ASKED.from_prompt(output(3)).verdicts
    assert [(entry.verdict, entry.quote) for entry in found] == [
        ("no", ""),
        ("no", ""),
        ("other", "At ten"),
    ]


@pytest.mark.parametrize(
    ("numbers", "fault"),
    [((2, 2), "a passage is listed twice"), ((4,), "passage 4 does not exist")],
)
def test_a_list_with_a_passage_twice_or_none_is_an_error(numbers, fault):
    with pytest.raises(ReplyError, match=fault):
        ASKED.from_prompt(output(*numbers))
