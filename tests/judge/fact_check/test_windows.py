from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from llamaindex_rag_eval.judge.fact_check.windows import Window, windows_of


def count(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def windows(text: str, room: int) -> list[Window]:
    return windows_of(text, count, room, 3)


def test_a_short_source_is_one_window_as_it_stands():
    (window,) = windows("  One is here.\n\nTwo is  there. ", 50)
    assert window.text == "One is here.\n\nTwo is  there."
    assert window.sentences == ("One is here.", "Two is  there.")
    assert (window.source, window.shown) == (3, window.text)
    assert windows(" \n", 50) == []


def test_neighbouring_windows_share_sentences():
    # Each sentence counts 3 words and 1 to spare: 12 hold three sentences, a quarter of it one.
    text = " ".join(f"It is {number}." for number in range(6))
    found = [window.text for window in windows(text, 12)]
    assert found == [
        "It is 0. It is 1. It is 2.",
        "It is 2. It is 3. It is 4.",
        "It is 4. It is 5.",
    ]


def test_a_sentence_that_is_too_long_is_cut_between_words():
    found = windows("a b c d e f g h.", 5)
    assert [window.text for window in found] == ["a b c d", "e f g h."]


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=25),
    st.integers(4, 40),
)
def test_windows_hold_every_word_in_order_and_none_is_too_long(lengths: list[int], room: int):
    sentences = [
        " ".join(f"w{place}x{number}" for number in range(length)).capitalize() + "."
        for place, length in enumerate(lengths)
    ]
    text = " ".join(sentences)
    found = windows(text, room)
    assert all(window.text in text for window in found)
    assert all(window.tokens <= room for window in found)
    places = [(text.index(window.text), window.text) for window in found]
    assert places == sorted(places)
    reached = 0
    for start, piece in places:
        assert not text[reached:start].strip() or start <= reached
        assert start + len(piece) > reached, "every window goes further than the one before"
        reached = start + len(piece)
    assert reached == len(text)


def test_a_text_without_spaces_is_cut_in_the_middle():
    found = windows_of("x" * 100, lambda texts: [len(t) for t in texts], 30)
    assert "".join(window.text for window in found) == "x" * 100


@pytest.mark.parametrize("room", [1, 2])
def test_even_the_smallest_room_ends(room: int):
    assert windows("a b c.", room)
