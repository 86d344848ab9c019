"""Relevant sentences: numbers of sentences that exist."""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import RelevantSentences, RelevantSentencesOf
from tests.judge.replies import output_of, reply_to
from tests.models.asking import REQUESTS

REQUEST = REQUESTS["relevant_sentences"]


def test_a_sentence_that_does_not_exist_is_named_as_the_model_counts() -> None:
    with pytest.raises(ReplyError, match="sentence 4 does not exist; ids are 1 to 3"):
        reply_to(REQUEST, {**output_of(REQUEST), "needed": [1, 4]})


def test_sentences_are_in_their_own_order_and_each_once() -> None:
    reply = reply_to(REQUEST, {**output_of(REQUEST), "needed": [3, 1, 3]})
    assert reply == RelevantSentences(sentences=(0, 2))
    with pytest.raises(ReplyError, match="sentence 2 is named more than once"):
        REQUEST.check(RelevantSentences(sentences=(2, 2)))


def test_a_sentence_too_long_for_one_call_is_needed_if_a_part_of_it_is() -> None:
    request = RelevantSentencesOf(question="q", sentences=("One is here. Two is there.",))
    parts = request.halves()
    assert [part.sentences for part in parts] == [("One is here.",), ("Two is there.",)]
    for needed in ([(), (0,)], [(0,), (0,)]):
        replies = [RelevantSentences(sentences=numbers) for numbers in needed]
        assert request.join(parts, replies).sentences == (0,)
