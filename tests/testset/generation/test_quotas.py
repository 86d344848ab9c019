"""Quotas add up, and topics and types get their shares."""

import pytest
from hypothesis import given, settings, strategies as st

from llamaindex_rag_eval.errors import InputError
from testset.generation.quotas import balanced_topics, largest_remainder

NAMES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 50), min_size=1)


@settings(deadline=None)
@given(NAMES, st.integers(0, 200))
def test_shares_add_up_and_stay_within_one_of_the_exact_share(weights, total):
    shares = largest_remainder(weights, total)
    assert sum(shares.values()) == total
    whole = sum(weights.values())
    assert all(abs(shares[name] - total * weights[name] / whole) <= 1 for name in weights)


@settings(deadline=None)
@given(NAMES, st.lists(st.sampled_from(["single_hop", "table"])))
def test_each_question_has_a_topic_and_each_topic_about_its_share(topics, types):
    drawn = balanced_topics(topics, types)
    assert len(drawn) == len(types)
    exact = {name: len(types) * n / sum(topics.values()) for name, n in topics.items()}
    assert all(abs(drawn.count(name) - share) < len(topics) for name, share in exact.items())


def test_nothing_to_share_among_is_an_error():
    with pytest.raises(InputError, match="weights"):
        largest_remainder({}, 3)


def test_topics_get_their_share_over_all_types_together():
    # Six types of one question each over two equal topics: three questions a topic.
    drawn = balanced_topics({"a": 4, "b": 4}, "uvwxyz")
    assert (drawn.count("a"), drawn.count("b")) == (3, 3)
    # Two questions of a type have the topics in their order, whichever is drawn first.
    assert {tuple(balanced_topics({"a": 1, "b": 1}, "uu", seed=n)) for n in range(8)} == {
        ("a", "b")
    }
