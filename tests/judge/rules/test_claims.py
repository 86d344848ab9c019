"""Claims: what a text states, one by one."""

import pytest

from llamaindex_rag_eval.judge.rules.claims import claims_of
from llamaindex_rag_eval.judge.rules.phrases import is_refusal
from llamaindex_rag_eval.judge.rules.support import support_of

REFUSALS = [
    "I don't know.",
    "I’m sorry, but I cannot answer this question.",
    "The provided context does not contain information about the price.",
    "There is no information on this. Please provide more documents.",
    "Unknown.",
    "Ich weiß es nicht.",
    "Die Dokumente enthalten keine Information dazu.",
    "Diese Frage kann ich leider nicht beantworten.",
    "分かりません。",
    "文書にはその情報が記載されていません。",
    "无法回答这个问题。",
    "文中没有提到相关信息。",
    "The context does not answer this question.",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_makes_no_claim(text: str):
    assert is_refusal(text)
    assert claims_of(text, question="What is the price?") == ()


@pytest.mark.parametrize(
    "text",
    [
        "The lock does not open on Sundays.",
        "I am not sure, but the lock was built by Ito in 1890.",
        "Ito did not know the builder of the mill.",
        "Das Tor ist nicht offen.",
        "門は開いていません。",
        "这座门没有打开。",
    ],
)
def test_a_negative_statement_is_no_refusal(text: str):
    assert not is_refusal(text)
    assert claims_of(text)


@pytest.mark.parametrize(
    "text", ["", "Hello!", "What is it?", "Hallo", "こんにちは", "你好！", "***"]
)
def test_greetings_questions_and_nothing_make_no_claim(text: str):
    assert claims_of(text) == ()


def test_a_sentence_with_two_verbs_makes_two_claims_about_one_subject():
    assert claims_of("Ada was born in Kyoto and died in Rome.") == (
        "Ada was born in Kyoto",
        "Ada died in Rome.",
    )


def test_a_pronoun_takes_the_subject_of_the_sentence_before():
    found = claims_of("The lock was built in 1890. It was painted by Ito.")
    assert found == ("The lock was built in 1890.", "The lock was painted by Ito.")


def test_a_list_of_two_things_is_not_taken_apart():
    assert claims_of("Education and caution are essential.") == (
        "Education and caution are essential.",
    )


def test_low_atomicity_leaves_sentences_whole():
    text = "Ada was born in Kyoto and died in Rome."
    assert claims_of(text, atomicity="low") == (text,)


def test_low_coverage_leaves_out_parentheses_and_examples():
    text = "The lock (a steel one) holds 12 boats. For example, it held the Nimbus."
    assert claims_of(text, coverage="low") == ("The lock holds 12 boats.",)
    assert len(claims_of(text)) == 2


@pytest.mark.parametrize("answer", ["42", "Paris", "Yes", "东京", "Nikkei/Nikkei 225"])
def test_a_short_answer_stands_behind_its_question(answer: str):
    assert claims_of(answer, question="Which one is it?") == (f"Which one is it? {answer}",)
    assert claims_of("Kyoto") == ("Kyoto",)


def test_markup_code_and_citations_are_not_claimed():
    text = "## Locks\n\n1. **Ito** built it [2].\n\n```\nopen = 1\n```\n"
    assert claims_of(text) == ("Ito built it.",)


def test_the_number_of_a_list_entry_and_a_bare_link_are_no_claims():
    text = "1. Ito built it. 2. Sato painted it.\n\nhttps://example.org/locks/2\n"
    assert claims_of(text) == ("Ito built it.", "Sato painted it.")


def test_a_statement_without_content_is_dropped_where_another_has_some():
    assert claims_of("That is great. Ito built the lock.") == ("Ito built the lock.",)


def test_a_claim_is_told_once():
    assert claims_of("Ito built it. Ito built it.") == ("Ito built it.",)


def test_japanese_and_chinese_clauses_are_taken_apart():
    assert len(claims_of("大阪は大きい都市ですが、首都ではありません。")) == 2
    assert len(claims_of("北京是首都，但是上海是最大的城市。")) == 2


@pytest.mark.parametrize(
    ("framed", "stated"),
    [
        ("I know that the lock was built in 1890.", "the lock was built in 1890."),
        ("I do know the lock was built in 1890.", "the lock was built in 1890."),
        ("We read that Ito designed it.", "Ito designed it."),
        ("I am not sure, but the old lock was built by Ito.", "the old lock was built by Ito."),
        ("I'm not sure, but I know that Ito built the old lock.", "Ito built the old lock."),
        ("I haven't, but I know the lock is red.", "the lock is red."),
    ],
)
def test_doubt_and_knowing_are_no_part_of_a_claim(framed: str, stated: str):
    assert claims_of(framed) == (stated,)


@pytest.mark.parametrize("statement", ["I know the answer.", "I've never seen it"])
def test_a_statement_keeps_its_frame_if_nothing_would_be_stated_without_it(statement: str):
    assert claims_of(statement) == (statement,)


def test_the_cells_of_a_row_stay_apart_so_that_no_number_runs_into_the_next():
    row = "| VT-120 | controller, with one TH-10 | £489 |"
    (claim,) = claims_of(row)
    assert claim == "VT-120 | controller, with one TH-10 | £489"
    (found,) = support_of([claim], [row])
    assert found.verdict == "supported"
