"""Sentences: exact offsets in four languages."""

import time

import pytest

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Ito paid. She left.", ("Dr. Ito paid.", "She left.")),
        ("Korea north/N. Korea/Mr. Kim", ("Korea north/N. Korea/Mr. Kim",)),
        ("It runs at 80 km/h. Then it stops.", ("It runs at 80 km/h.", "Then it stops.")),
        ("It costs 3.50 euros. It is red.", ("It costs 3.50 euros.", "It is red.")),
        ("J. R. Nakamura wrote it. Why?", ("J. R. Nakamura wrote it.", "Why?")),
        ("Am 3. Mai kam er. Z. B. heute.", ("Am 3. Mai kam er.", "Z. B. heute.")),
        ("Das gilt z.B. Montag. Ja!", ("Das gilt z.B. Montag.", "Ja!")),
        ("Das gilt z. B. Montag, d. h. heute.", ("Das gilt z. B. Montag, d. h. heute.",)),
        ("Kunden bzw. Lieferanten. Ja!", ("Kunden bzw. Lieferanten.", "Ja!")),
        ("It is b. I saw it.", ("It is b.", "I saw it.")),
        ("東京です。大阪は？はい！", ("東京です。", "大阪は？", "はい！")),
        ("他来了。你呢？", ("他来了。", "你呢？")),
        ("彼は「はい。」と言った。終わり。", ("彼は「はい。」と言った。", "終わり。")),
        ("Yahoo! is a firm. It grew.", ("Yahoo! is a firm.", "It grew.")),
        ("one is red. two is blue.", ("one is red.", "two is blue.")),
        ("", ()),
        (" \n\t ", ()),
    ],
)
def test_cuts_where_a_reader_would(text: str, expected: tuple[str, ...]):
    assert sentences(text) == expected


def test_headings_list_items_and_table_rows_are_units_of_their_own():
    text = "# The lock\nIt is red.\n- first\n- second\n\n| a | b |\n| 1 | 2 |\n1. Go on."
    assert sentences(text) == (
        "# The lock",
        "It is red.",
        "- first",
        "- second",
        "| a | b |",
        "| 1 | 2 |",
        "1. Go on.",
    )


def test_a_hard_wrapped_line_does_not_end_a_sentence():
    text = "The lock that stands beside the old mill was built\nby Ito in 1890. It is red."
    assert len(sentences(text)) == 2


@pytest.mark.parametrize(
    "text", ["  A b.  C d!\r\n\r\nE", "あ。い。\n\nう", "# x\n\n* y\n", "1. \n"]
)
def test_spans_are_exact_in_order_and_leave_out_only_white_space(text: str):
    spans = sentence_spans(text)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert list(spans) == sorted(spans)


def test_time_grows_with_the_length_of_the_text_and_no_faster():
    piece = "Dr. Ito paid 3.50 euros on 3 May. Why not? "

    def seconds(times: int) -> float:
        def once() -> float:
            started = time.process_time()
            sentence_spans(piece * times)
            return time.process_time() - started

        return min(once() for _ in range(3))

    seconds(100)
    # ten times the text: about ten times as long; quadratic would be a hundred times
    assert seconds(20_000) < 40 * max(seconds(2_000), 1e-3)
