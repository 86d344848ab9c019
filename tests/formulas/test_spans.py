import pytest
from hypothesis import given, strategies as st

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.gains import dcg, ndcg_at_k
from llamaindex_rag_eval.formulas.ranking import average_precision_at_k, precision_at_k, recall_at_k
from llamaindex_rag_eval.formulas.spans import SpanHits, covered_share, covers, hits_by_rank

SPAN = ("a", 10, 20)


@pytest.mark.parametrize(
    ("chunk", "hit"),
    [
        (("a", 0, 15), True),  # 5 of 10 characters
        (("a", 0, 14), False),  # 4 of 10
        (("a", 0, 99), True),
        (("b", 0, 99), False),  # another document
        (("a", 20, 40), False),  # touches, shares nothing
    ],
)
def test_a_chunk_hits_a_span_of_its_document_when_it_covers_half(chunk, hit):
    assert covers(chunk, SPAN) is hit
    assert hits_by_rank([chunk], [[SPAN]]).recall_at_k() == float(hit)


def test_the_threshold_can_be_all_characters():
    assert not covers(("a", 0, 19), SPAN, threshold=1.0)
    assert covers(("a", 10, 20), SPAN, threshold=1.0)


def test_a_span_cut_in_parts_is_hit_where_the_parts_together_reach_the_threshold():
    # 3 of 10 characters, nothing, then 3 more: 6 of 10 at rank 3
    hits = hits_by_rank([("a", 0, 13), ("b", 0, 5), ("a", 17, 30)], [[SPAN]])
    assert hits.by_rank == (frozenset(), frozenset(), frozenset({0}))


def test_characters_covered_twice_count_once():
    assert covered_share(SPAN, [("a", 8, 13), ("a", 10, 14), ("a", 11, 12)]) == 4 / 10


def test_one_span_of_a_group_is_enough_and_all_groups_are_needed():
    gold = [[("a", 0, 10), ("b", 0, 10)], [("c", 0, 10)]]
    hits = hits_by_rank([("b", 0, 50), ("a", 0, 50)], gold)
    assert hits.recall_at_k() == 1 / 2
    assert hits.relevance == (1.0, 0.0)
    assert hits.useful == (1.0, 1.0)


def test_a_chunk_retrieved_again_is_dropped():
    hits = hits_by_rank([("a", 0, 50), ("a", 0, 50), ("b", 0, 9)], [[SPAN]])
    assert hits.useful == (1.0, 0.0)


def test_a_chunk_that_hits_two_groups_keeps_measures_within_one():
    hits = hits_by_rank([("a", 0, 50)], [[SPAN], [("a", 30, 40)]])
    assert ndcg_at_k(hits.relevance, hits.gold) == 1.0
    assert average_precision_at_k(hits.relevance, hits.gold) == 1.0
    assert hits.recall_at_k() == 1.0


def test_a_missed_group_lowers_ndcg():
    hits = hits_by_rank([("a", 0, 50)], [[SPAN], [("z", 30, 40)]])
    assert hits.gold == (1.0, 1.0)
    assert ndcg_at_k(hits.relevance, hits.gold) < 1


def test_no_gold_is_undefined_and_nothing_retrieved_is_zero():
    assert hits_by_rank([SPAN], []).recall_at_k() is None
    assert precision_at_k(hits_by_rank([SPAN], []).useful, hits_by_rank([SPAN], []).gold) is None
    assert hits_by_rank([], [[SPAN]]).recall_at_k(k=5) == 0.0


def test_impossible_gold_is_refused():
    with pytest.raises(InputError, match="must start before it ends"):
        hits_by_rank([SPAN], [[("a", 5, 5)]])
    with pytest.raises(InputError, match="group 1 has no span"):
        hits_by_rank([SPAN], [[SPAN], []])
    with pytest.raises(InputError, match="threshold"):
        hits_by_rank([SPAN], [[SPAN]], threshold=0)


spans = st.builds(
    lambda document, start, length: (document, start, start + length),
    st.sampled_from("ab"),
    st.integers(0, 30),
    st.integers(1, 15),
)


@given(
    chunks=st.lists(spans, max_size=6),
    gold=st.lists(st.lists(spans, min_size=1, max_size=2), min_size=1, max_size=4),
)
def test_every_measure_over_spans_stays_within_zero_and_one(chunks, gold):
    hits = hits_by_rank(chunks, gold)
    for k in (None, 1, 2, 5):
        values = [
            measure(hits.relevance, hits.gold, k=k)
            for measure in (ndcg_at_k, average_precision_at_k, precision_at_k, recall_at_k)
        ]
        assert all(value is not None and 0 <= value <= 1 for value in values)
        assert 0 <= hits.recall_at_k(k=k) <= 1
        for gain in ("linear", "exponential"):
            given = dcg(hits.relevance[:k], gain=gain)
            assert given <= hits.ideal_dcg(k=k, gain=gain) + 1e-12


@given(chunks=st.lists(spans, max_size=6), span=spans)
def test_coverage_equals_counting_characters_one_by_one(chunks, span):
    document, start, end = span
    covered = {
        place
        for other, low, high in chunks
        if other == document
        for place in range(low, high)
        if start <= place < end
    }
    assert covered_share(span, chunks) == len(covered) / (end - start)


def test_the_best_order_need_not_begin_with_the_chunk_that_hits_most():
    # 0 1 2, 3 4 5 and 1 2 3: the last first gains 3, 1, 2; the first two gain 3, 3.
    chunks = ({1, 2, 3}, {0, 1, 2}, {3, 4, 5})
    hits = SpanHits(by_rank=tuple(map(frozenset, chunks)), groups=6)
    assert hits.ideal_dcg() == pytest.approx(dcg([3, 3]))
    assert dcg(hits.relevance) < hits.ideal_dcg()
    many = SpanHits(by_rank=tuple(frozenset({n}) for n in range(20)), groups=21)
    assert many.ideal_dcg(k=5) == pytest.approx(dcg([1] * 5))  # found greedily
