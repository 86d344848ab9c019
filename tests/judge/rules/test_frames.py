"""Frames: what is stated, without what is put around it."""

import pytest

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.frames import unframed


@pytest.mark.parametrize(
    ("framed", "stated"),
    [
        ("I know that the lock was built in 1890.", "the lock was built in 1890."),
        ("I do know the lock was built in 1890.", "the lock was built in 1890."),
        ("We read that Ito designed it.", "Ito designed it."),
        ("I am not sure, but the lock is red.", "the lock is red."),
        ("I've never seen it", "I've never seen it"),
        ("I haven't, but I know the lock is red.", "the lock is red."),
    ],
)
def test_doubt_and_knowing_are_no_part_of_what_is_stated(framed: str, stated: str):
    assert unframed(framed) == stated


@pytest.mark.parametrize(
    "statement",
    ["I know the answer.", "I know a lot about it.", "The lock is red.", "I'm not sure, but yes"],
)
def test_a_statement_that_would_be_left_with_none_keeps_its_frame(statement: str):
    assert unframed(statement) == statement


def test_a_claim_is_what_the_speaker_knows():
    assert claims_of("I'm not sure, but I know that Ito built the lock in 1890.") == (
        "Ito built the lock in 1890.",
    )
