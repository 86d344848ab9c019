"""Quotas add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llamaindex_rag_eval.errors import InputError
from testset.generation.quotas import largest_remainder, quotas

NAMES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 50), min_size=1)


@given(NAMES, st.integers(0, 200))
def test_shares_add_up_and_stay_within_one_of_the_exact_share(weights, total):
    shares = largest_remainder(weights, total)
    assert sum(shares.values()) == total
    whole = sum(weights.values())
    assert all(abs(shares[name] - total * weights[name] / whole) <= 1 for name in weights)


@given(NAMES, st.integers(1, 100))
def test_quotas_add_up_to_the_size(topics, size):
    assert sum(quotas(topics, {"single_hop": 0.8, "table": 0.2}, size).values()) == size


def test_nothing_to_share_among_is_an_error():
    with pytest.raises(InputError, match="weights"):
        largest_remainder({}, 3)
