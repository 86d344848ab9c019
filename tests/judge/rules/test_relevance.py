"""Relevance of contexts and sentences."""

from llamaindex_rag_eval.judge.rules.questions import (
    relevance_grade,
    relevant_sentences,
    useful_contexts,
)

CONTEXTS = ["Tea is green.", "The lock was built by Ito in 1890.", "Bread rises with yeast."]


def test_only_the_context_that_the_answer_comes_from_was_useful():
    found = useful_contexts("Who built the lock?", CONTEXTS, "Ito built the lock.")
    assert [useful for useful, _ in found] == [False, True, False]
    assert all(reason for _, reason in found)


def test_a_short_answer_makes_its_context_useful():
    found = useful_contexts("When was the lock built?", CONTEXTS, "1890")
    assert [useful for useful, _ in found] == [False, True, False]


def test_no_context_no_verdict():
    assert useful_contexts("Who?", [], "Ito") == ()


def test_a_refusal_makes_no_context_useful():
    found = useful_contexts("Who built the mill?", CONTEXTS, "I don't know.")
    assert not any(useful for useful, _ in found)


def test_the_grade_is_one_where_all_words_are_there_and_zero_where_none_is():
    assert relevance_grade("Who built the lock?", CONTEXTS[1]) == 1
    assert relevance_grade("Who built the lock?", CONTEXTS[0]) == 0
    assert relevance_grade("", CONTEXTS[0]) == 0
    assert relevance_grade("Who built the lock?", "") == 0


def test_the_grade_rises_with_the_words_that_are_there():
    question = "When did Ito build the lock?"
    none, some, most = (
        relevance_grade(question, text)
        for text in ("Tea is green.", "Ito drinks tea.", "Ito was asked to build a lock.")
    )
    assert none < some < most


def test_finds_the_sentences_that_answer_in_four_languages():
    cases = [
        ("Who built the lock?", ["Tea is green.", "Ito built the lock."]),
        ("Wer baute die Schleuse?", ["Tee ist grün.", "Ito baute die Schleuse."]),
        ("塔の高さは？", ["お茶は緑です。", "塔の高さは333メートルです。"]),
        ("谁建造了水闸？", ["茶是绿色的。", "伊藤建造了水闸。"]),
    ]
    for question, lines in cases:
        assert relevant_sentences(question, lines) == (1,)


def test_sentences_that_do_not_answer_are_insufficient():
    assert relevant_sentences("Who won the race?", ["Tea is green."]) == ()
    assert relevant_sentences("Who won the race?", []) == ()
