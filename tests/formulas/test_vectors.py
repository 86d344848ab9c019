import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.vectors import cosine_similarity, embedding_distance

distance = pytest.importorskip("scipy.spatial.distance")

DISTANCES = {
    "cosine": distance.cosine,
    "euclidean": distance.euclidean,
    "manhattan": distance.cityblock,
    "chebyshev": distance.chebyshev,
    "hamming": distance.hamming,
}


@pytest.mark.parametrize("measure", DISTANCES)
def test_each_distance_equals_scipy(measure):
    generator = np.random.default_rng(3)
    for _ in range(20):
        left, right = generator.integers(-3, 4, size=(2, 8)).astype(float) + 0.5
        expected = DISTANCES[measure](left, right)
        assert embedding_distance(left, right, measure=measure) == pytest.approx(expected)


def test_a_zero_vector_has_no_cosine_but_other_distances():
    assert cosine_similarity([0, 0], [1, 1]) is None
    assert embedding_distance([0, 0], [1, 1]) is None
    assert embedding_distance([0, 0], [1, 1], measure="manhattan") == 2.0


def test_tiny_and_huge_vectors_keep_their_direction():
    assert cosine_similarity([3e-300, 4e-300], [4e300, 3e300]) == pytest.approx(24 / 25)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8))
def test_a_vector_is_never_more_than_like_itself(vector):
    similarity = cosine_similarity(vector, vector)
    assert similarity is None or (similarity <= 1 and math.isclose(similarity, 1))


@pytest.mark.parametrize(
    ("left", "right"), [([1], [1, 2]), ([], []), ([math.nan], [1]), ([[1]], [[1]])]
)
def test_vectors_that_do_not_fit_are_refused(left, right):
    with pytest.raises(InputError, match="vectors must"):
        cosine_similarity(left, right)


def test_an_unknown_distance_is_refused():
    with pytest.raises(InputError, match="'taxi'"):
        embedding_distance([1], [2], measure="taxi")  # type: ignore[arg-type]  # what is refused
