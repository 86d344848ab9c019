"""Lexical vectors, and the embedding model made of them."""

import sys

import numpy as np

from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding, lexical_vectors
from tests import prepared


def test_rows_have_length_one_and_an_empty_text_is_zeros():
    rows = lexical_vectors(["The lock is red.", "塔の高さ", ""])
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1).round(5).tolist() == [1, 1, 0]


def test_no_texts_no_rows():
    assert lexical_vectors([], dim=16).shape == (0, 16)


def test_texts_with_more_words_in_common_are_nearer():
    one, near, far = lexical_vectors(
        ["The old lock was built by Ito.", "Ito built an old lock.", "Bread rises with yeast."]
    )
    assert one @ near > 0.5 > one @ far


def test_inflections_and_compounds_are_near_in_german_and_japanese():
    pump, pumps, tea = lexical_vectors(["Wasserpumpe", "Wasserpumpen", "Teekanne"])
    assert pump @ pumps > 0.3 > pump @ tea
    tower, other, cat = lexical_vectors(["東京タワーの高さ", "タワーの高さ", "猫が寝る"])
    assert tower @ other > 0.5 > tower @ cat


def test_another_process_makes_the_same_vectors():
    code = (
        "from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors as v;"
        "print(v(['The old lock, 東京']).tobytes().hex())"
    )
    found = prepared.run([sys.executable, "-c", code], check=True)  # hashes differ there
    assert found.stdout.strip() == lexical_vectors(["The old lock, 東京"]).tobytes().hex()


async def test_the_embedding_is_the_same_awaited_or_not():
    model = LexicalEmbedding(dimensions=64)
    assert await model.aget_text_embedding("red lock") == model.get_text_embedding("red lock")
    assert len(model.get_query_embedding("red lock")) == 64
