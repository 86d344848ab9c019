"""Quotas add up, and topics and types get their shares."""

import pytest
from hypothesis import given, settings, strategies as st

from llamaindex_rag_eval.errors import InputError
from testset.generation.quotas import Stratum, balanced_quotas, largest_remainder

NAMES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 50), min_size=1)


@settings(deadline=None)
@given(NAMES, st.integers(0, 200))
def test_shares_add_up_and_stay_within_one_of_the_exact_share(weights, total):
    shares = largest_remainder(weights, total)
    assert sum(shares.values()) == total
    whole = sum(weights.values())
    assert all(abs(shares[name] - total * weights[name] / whole) <= 1 for name in weights)


@settings(deadline=None)
@given(NAMES, st.integers(1, 100))
def test_quotas_add_up_to_the_size(topics, size):
    assert sum(balanced_quotas(topics, {"single_hop": 0.8, "table": 0.2}, size).values()) == size


def test_nothing_to_share_among_is_an_error():
    with pytest.raises(InputError, match="weights"):
        largest_remainder({}, 3)


def test_topics_get_their_share_over_all_types_together():
    # Six types of one question each over two equal topics: three questions a topic.
    cells = balanced_quotas({"a": 4, "b": 4}, dict.fromkeys("uvwxyz", 1.0), 6)
    by_topic = {t: sum(n for (topic, _), n in cells.items() if topic == t) for t in "ab"}
    assert by_topic == {"a": 3, "b": 3}
    by_type = {kind: sum(cells[Stratum(t, kind)] for t in "ab") for kind in "uvwxyz"}
    assert by_type == dict.fromkeys("uvwxyz", 1)
