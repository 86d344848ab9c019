"""Quotas add up, near-duplicates are found, and order does not depend on company."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llamaindex_rag_eval.errors import InputError
from testset import SourceDocument
from testset.corpus.duplicates import near_duplicates
from testset.corpus.search import Bm25
from testset.corpus.topics import topics_of
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


def test_near_duplicates_are_found_and_others_are_not():
    text = " ".join(f"sentence number {n} about vents and pumps." for n in range(40))
    other = " ".join(f"clause {n} is on taxes, wages and holidays." for n in range(40))
    changed = text.replace("number 7 ", "number seven ")
    assert near_duplicates([text, other, changed]) == {2: 0}


def test_documents_of_one_subject_share_a_topic():
    vents = [
        SourceDocument(f"v{n}", f"Roof vents open and close. Vents need grease, note {n}.")
        for n in (1, 2)
    ]
    tax = SourceDocument("t", "The quarterly turnover tax is due in January; invoices follow.")
    topics = topics_of([*vents, tax])
    assert topics["v1"] == topics["v2"] != topics["t"]


def test_search_ranks_by_words_and_ties_by_order():
    index = Bm25(["red vent", "blue pump", "blue pump"])
    assert [number for number, _ in index.search("blue pumps", k=3)] == [1, 2]
    assert index.rank("blue pump", [2]) == 2
    assert index.rank("green", [0, 1]) is None
