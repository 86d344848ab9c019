"""Similarity and vectors: answered by embeddings, asked of no model in words."""

import numpy as np
import pytest

from llamaindex_rag_eval.judge import SimilaritiesOf
from llamaindex_rag_eval.judge.similarity import VectorsOf

ROWS = np.array([[3, 4], [6, 8], [-4, 3], [0, 0]], dtype=np.float32)


def test_similarities_are_asked_of_no_model() -> None:
    request = SimilaritiesOf(text="a", others=("b",))
    assert (request.prompt, request.to_embed, request.halves()) == (None, ("a", "b"), ())


def test_similarity_is_the_cosine_and_zero_for_a_row_of_zeros() -> None:
    request = SimilaritiesOf(text="a", others=("b", "c", "d"))
    # (3, 4) with (6, 8), with its perpendicular (-4, 3), and with nothing
    assert request.from_vectors(ROWS).values == pytest.approx((1, 0, 0), abs=1e-7)
    assert request.by_rule(lambda texts: ROWS).values == pytest.approx((1, 0, 0), abs=1e-7)


def test_vectors_are_the_rows_as_they_are() -> None:
    rows = VectorsOf(texts=("a", "b", "c", "d")).by_rule(lambda texts: ROWS).rows
    assert rows == ((3, 4), (6, 8), (-4, 3), (0, 0))
