import math

import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.gains import ndcg_at_k
from llamaindex_rag_eval.formulas.ranking import (
    average_precision_at_k,
    average_precision_of_verdicts,
    hit_rate_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank_at_k,
)

MEASURES = [
    hit_rate_at_k,
    reciprocal_rank_at_k,
    precision_at_k,
    recall_at_k,
    average_precision_at_k,
    ndcg_at_k,
]


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_retrieved_is_a_measured_zero(measure):
    assert measure([], [1.0]) == 0.0
    assert measure([], [1.0], k=3) == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_no_relevant_gold_is_undefined(measure):
    assert measure([1.0], []) is None
    assert measure([0.0], [0.0], k=1) is None


@pytest.mark.parametrize("measure", MEASURES)
def test_an_impossible_cutoff_or_gain_is_refused(measure):
    with pytest.raises(InputError, match="k must be at least 1"):
        measure([1.0], [1.0], k=0)
    with pytest.raises(InputError, match="finite"):
        measure([math.nan], [1.0])


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([0, 1], 1 / 2),  # (1/2) / 1
        ([1, 0, 1, 0, 1], 34 / 45),  # (1 + 2/3 + 3/5) / 3
        ([1, 1, 1], 1),
        ([0, 0], 0),
    ],
)
def test_context_precision_sums_precision_at_useful_ranks_only(verdicts, expected):
    assert average_precision_of_verdicts([bool(v) for v in verdicts]) == pytest.approx(expected)


def test_context_precision_is_undefined_without_contexts():
    assert average_precision_of_verdicts([]) is None


def test_precision_divides_by_k_even_if_fewer_were_retrieved():
    assert precision_at_k([1, 1], [1, 1, 1], k=5) == 2 / 5


def test_average_precision_divides_by_all_relevant_gold_items():
    # ranks 1 and 3 of three relevant: (1 + 2/3) / 3
    assert average_precision_at_k([1, 0, 2], [1, 2, 2]) == pytest.approx(5 / 9)
