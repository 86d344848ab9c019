"""Claims: each once, and none that is blank."""

from llamaindex_rag_eval.judge import Claims
from tests.judge.replies import reply_to
from tests.models.asking import REQUESTS


def test_blank_claims_are_left_out_and_each_stands_once() -> None:
    assert reply_to(REQUESTS["claims"], {"claims": [" a ", "", "  ", "a"]}) == Claims(claims=("a",))
