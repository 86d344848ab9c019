"""Critique: a yes or no, by one vote or several."""

import pytest

from llamaindex_rag_eval.judge import Critique
from llamaindex_rag_eval.judge.critique import RefusalOf
from tests.models.asking import REQUESTS


def test_the_majority_of_critiques_keeps_its_share() -> None:
    votes = [Critique(verdict=verdict) for verdict in (True, False, True)]
    majority = REQUESTS["critique"].majority(votes)
    assert majority == Critique(verdict=True, agreement=2 / 3)


@pytest.mark.parametrize(("response", "refuses"), [("I don't know.", True), ("In 1890.", False)])
def test_rules_tell_a_refusal_from_an_answer(response: str, refuses: bool) -> None:
    assert RefusalOf(response=response).by_rule().verdict is refuses
