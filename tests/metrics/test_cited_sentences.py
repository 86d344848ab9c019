import pytest

from llamaindex_rag_eval.metrics.citations import cited_sentences


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("It is long [1].", [("It is long.", (0,))]),
        ("It is long. [1]", [("It is long.", (0,))]),
        ("It is long [1][3]. It is old.", [("It is long.", (0, 2)), ("It is old.", ())]),
        ("It is long [1, 2]. [2] It is old [3].", [("It is long.", (0, 1)), ("It is old.", (2,))]),
        ("It is long [1-3].", [("It is long.", (0, 1, 2))]),
        ("It is long [Source 2].", [("It is long.", (1,))]),
        ("長いです【2】。", [("長いです。", (1,))]),
        ("See [the manual].", [("See [the manual].", ())]),
        ("It is long [1-999].", [("It is long.", ())]),  # no list of sources is that long
        ("", []),
    ],
)
def test_markers_are_read_and_belong_to_the_sentence_they_stand_in_or_after(response, expected):
    assert [(s.text, s.cited) for s in cited_sentences(response)] == expected
