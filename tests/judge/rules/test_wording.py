"""Wording: figures of how a claim is put beside the sentences with most of it."""

import math

import pytest

from llamaindex_rag_eval.judge.rules.index import index_sentences
from llamaindex_rag_eval.judge.rules.matching import WORDING_FEATURES, match_statement
from llamaindex_rag_eval.judge.rules.profile import profile_of, source_profiles


def features(claim: str, source: str) -> dict[str, float]:
    found = match_statement(profile_of(claim), index_sentences([source_profiles(source)], [0]))
    return {name: found.features[name] for name in WORDING_FEATURES}


def test_a_claim_that_copies_its_source_lacks_nothing():
    found = features("Ito built the old lock.", "Ito built the old lock.")
    assert found["cover_pairs"] == 1
    assert found["last_missing"] == found["related"] == 0
    assert found["words"] == math.log1p(5)  # Ito, built, the, old, lock


def test_a_new_last_word_counts_by_its_share_of_the_claim():
    found = features("Ito built the old reactor.", "Ito built the old lock.")
    assert found["last_missing"] == 1 / 4  # one of Ito, built, old, reactor
    assert found["cover_pairs"] == pytest.approx(2 / 3)  # not (old, reactor)


@pytest.mark.parametrize(
    ("claim", "exchanged"),
    [
        ("The depot holds twelve boats.", 1),
        ("The yard holds twelve trains.", 1),
        ("The depot keeps twelve trains.", 1),
        ("The depot holds trains.", 0),
        ("The depot in Rome holds twelve trains.", 0),
    ],
)
def test_a_word_in_the_place_of_another_is_told_from_one_that_is_added(claim, exchanged):
    assert features(claim, "The depot holds twelve trains.")["exchanged"] == exchanged


def test_words_in_another_order_do_not_stand_together():
    source = "The harbour of Kyoto trades with the mills of distant Rome."
    kept = features("The harbour of Kyoto trades.", source)
    turned = features("Rome trades Kyoto.", source)
    assert turned["cover_pairs"] < kept["cover_pairs"] == 1


def test_a_synonym_relates_a_word_that_is_not_there():
    found = features("Ito purchased the lock.", "Ito bought the gate; he did buy it.")
    assert found["related"] == 1 / 2  # "purchased" has "buy", "lock" has nothing


def test_another_number_is_told_from_one_that_is_only_absent():
    assert features("It has 12 boats.", "It has 40 boats.")["other_number"] == 1
    assert features("It has 12 boats.", "It has boats.")["other_number"] == 0


def test_what_a_word_repeats_is_a_share_of_the_claim():
    # lock twice among lock, lock, red
    assert features("The lock is a red lock.", "The lock is red.")["repeats"] == pytest.approx(
        1 / 3
    )


def test_who_speaks_of_themselves_is_told():
    assert features("The lock is red.", "The lock is red.")["personal_cover"] == 0
    found = features("I see the lock.", "The lock is red.")  # of see, lock one is there
    assert 0 < found["personal_cover"] < 1


def test_chinese_and_japanese_have_none_of_these_figures():
    assert set(features("塔の高さは333メートルです。", "塔は高い。").values()) == {0.0}
