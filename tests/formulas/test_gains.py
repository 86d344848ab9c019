import math

import pytest

from llamaindex_rag_eval.formulas.gains import dcg, gains_by_id, ndcg_at_k
from llamaindex_rag_eval.formulas.ranking import average_precision_at_k, hit_rate_at_k


def test_an_id_retrieved_twice_counts_at_its_first_rank_only():
    gold = {"a": 1.0, "b": 1.0}
    relevance = gains_by_id(["a", "a", "x", "b"], gold)
    assert relevance == (1.0, 0.0, 1.0)
    # distinct ranking a x b: (1/1 + 2/3) / 2
    assert average_precision_at_k(relevance, list(gold.values())) == pytest.approx(5 / 6)


def test_ndcg_reads_grades_and_discounts_by_log2_of_rank_plus_one():
    # DCG = 1/1 + 3/log2(3); ideal of gold (3, 1) = 3/1 + 1/log2(3)
    expected = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert ndcg_at_k([1, 3], [3, 1]) == pytest.approx(expected)


def test_exponential_gain_takes_two_to_the_grade_minus_one():
    assert dcg([3, 0, 2], gain="exponential") == 7 + 3 / 2


def test_a_negative_grade_counts_as_not_relevant():
    assert dcg([-2, 0, 2]) == 1.0
    assert hit_rate_at_k([-1], [1]) == 0.0
