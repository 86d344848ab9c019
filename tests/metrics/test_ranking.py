import math

import pytest
from llama_index.core.base.response.schema import Response
from llama_index.core.schema import NodeWithScore, TextNode

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from llamaindex_rag_eval.errors import InputError, MissingFieldError
from llamaindex_rag_eval.metrics.ranking import (
    HitRate,
    Map,
    Mrr,
    Ndcg,
    Precision,
    Recall,
    RPrecision,
)

ALL = (HitRate, Map, Mrr, Ndcg, Precision, Recall, RPrecision)


def by_id(retrieved, gold):
    return SingleTurnSample(context_ids=retrieved, reference_context_ids=gold)


def by_span(spans, *gold, texts=None):
    texts = texts or [f"text {number}" for number in range(len(spans))]
    groups = tuple((span,) for span in gold)
    return SingleTurnSample(contexts=texts, context_spans=spans, gold=groups)


def at(doc_id, start, end, quote=""):
    return Span(doc_id=doc_id, start=start, end=end, quote=quote)


async def score(metric, sample):
    return (await metric.result(sample)).score


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (HitRate(k=1), 0),
        (HitRate(k=2), 1),
        (Mrr(), 1 / 2),
        (Mrr(k=1), 0),
        (Map(), (1 / 2 + 2 / 4) / 3),  # gold at ranks 2 and 4, three gold items
        (Map(k=2), (1 / 2) / 3),
        (Precision(k=4), 2 / 4),
        (Precision(k=8), 2 / 8),  # eight were asked for, four came
        (Recall(k=2), 1 / 3),
        (Recall(), 2 / 3),
        (RPrecision(), 1 / 3),  # one of the first three
        # (1/log2(3) + 1/log2(5)) / (1 + 1/log2(3) + 1/log2(4))
        (
            Ndcg(k=10),
            (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3) + 1 / 2),
        ),
    ],
)
async def test_ids_are_ranked_as_the_field_defines_it(metric, expected):
    sample = by_id(("x", "a", "y", "b"), ("a", "b", "c"))
    assert await score(metric, sample) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (HitRate(k=1), 0),
        (Mrr(), 1 / 2),
        (Recall(), 1 / 2),
        (Recall(k=1), 0),
        (Precision(), 1 / 3),
        (RPrecision(), 1 / 2),  # two pieces of evidence, one of the first two contexts has one
        (Map(), (1 / 2) / 2),
    ],
)
async def test_spans_are_ranked_by_what_of_the_gold_evidence_they_hold(metric, expected):
    spans = (at("a", 0, 100), at("a", 100, 200), at("b", 0, 100))
    sample = by_span(spans, at("a", 150, 190), at("c", 0, 10))
    assert await score(metric, sample) == pytest.approx(expected)


async def test_any_span_of_a_group_will_do_and_every_group_is_needed():
    sample = SingleTurnSample(
        contexts=("one",),
        context_spans=(at("b", 0, 50),),
        gold=((at("a", 0, 10), at("b", 0, 10)), (at("c", 0, 10),)),
    )
    assert await score(Recall(), sample) == 1 / 2


async def test_a_document_is_the_same_under_its_whole_path():
    gold = at("guide/pump.md", 0, 10)
    for doc_id, hit in (
        ("/srv/docs/guide/pump.md", 1),
        ("guide/pump.md", 1),
        ("C:\\docs\\guide\\pump.md", 1),
        ("/srv/docs/otherguide/pump.md", 0),
        ("pump.md", 0),
    ):
        assert await score(HitRate(), by_span((at(doc_id, 0, 10),), gold)) == hit


async def test_half_of_the_span_is_enough_unless_more_is_asked():
    sample = by_span((at("a", 0, 15),), at("a", 10, 20))  # 5 of 10 characters
    assert await score(HitRate(), sample) == 1
    assert await score(HitRate(coverage=0.6), sample) == 0
    assert HitRate(coverage=0.6).spec == "hit_rate(coverage=0.6)"


async def test_a_context_of_unknown_place_is_read_for_the_quote():
    quote = "The pump moves 40 litres a minute."  # 34 characters
    gold = at("a", 0, 34, quote)
    texts = ["Call us.", "Note:  the pump moves\n40 litres a minute. Repairs are free."]
    sample = by_span((None, None), gold, texts=texts)
    assert await score(Mrr(), sample) == 1 / 2


async def test_known_and_unknown_places_are_ranked_together():
    gold = (at("a", 0, 10, "0123456789"), at("b", 0, 10, "abcdefghij"))
    sample = by_span((None, at("a", 0, 10)), *gold, texts=["… abcdefghij …", "0123456789"])
    assert await score(Recall(k=1), sample) == 1 / 2
    assert await score(Recall(k=2), sample) == 1


async def test_the_same_context_again_gains_nothing_and_counts_once():
    spans = (at("b", 0, 9), at("b", 0, 9), at("a", 0, 10))
    sample = by_span(spans, at("a", 0, 10), texts=["same", "same", "other"])
    assert await score(Mrr(), sample) == 1 / 2


async def test_without_places_and_without_quotes_nothing_can_be_said():
    sample = by_span((None,), at("a", 0, 10))
    result = await HitRate().result(sample)
    assert result.status == "undefined"
    assert "no quotes" in result.reason


@pytest.mark.parametrize("metric", ALL)
async def test_nothing_retrieved_is_a_measured_zero(metric):
    assert await score(metric(), by_id((), ("a",))) == 0
    assert await score(metric(), by_span((), at("a", 0, 10))) == 0


@pytest.mark.parametrize("metric", ALL)
async def test_a_question_without_gold_is_undefined(metric):
    for sample in (by_id(("a",), ()), by_span((at("a", 0, 10),))):
        result = await metric().result(sample)
        assert result.status == "undefined"
        assert result.reason == "The question has no gold evidence."


async def test_the_nodes_of_a_query_engines_answer_bring_their_places():
    texts = ("Call us.", "The pump moves 40 litres.")
    starts = (0, 100)
    nodes = [
        NodeWithScore(
            node=TextNode(
                text=text,
                start_char_idx=start,
                end_char_idx=start + len(text),
                metadata={"doc_id": "/srv/docs/pump.md"},
            )
        )
        for text, start in zip(texts, starts, strict=True)
    ]
    response = Response(response="40 litres.", source_nodes=nodes)
    gold = [[{"doc_id": "pump.md", "start": 100, "end": 120}]]
    result = await Mrr().aevaluate_response("q", response, gold=gold)
    assert result.score == 1 / 2


async def test_ids_serve_where_the_gold_is_given_empty():
    sample = SingleTurnSample(
        contexts=("t",), gold=(), context_ids=("a",), reference_context_ids=("a",)
    )
    assert await score(HitRate(), sample) == 1


async def test_a_sample_without_either_way_is_told_both():
    with pytest.raises(
        MissingFieldError,
        match="'ndcg@10' needs 'contexts and gold, or context_ids and reference_context_ids'",
    ):
        await Ndcg(k=10).result(SingleTurnSample(contexts=("t",), context_ids=("a",)))


@pytest.mark.parametrize(
    "settings", [{"k": 0}, {"k": -1}, {"coverage": 0.0}, {"coverage": 1.5}, {"gain": "cubic"}]
)
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(InputError, match=next(iter(settings))):
        Ndcg(**settings)


async def test_ndcg_over_spans_sees_the_order_of_chunks_that_overlap():
    both, first = at("d", 0, 20), at("d", 0, 12)
    gold = (at("d", 0, 10), at("d", 10, 20))
    assert await score(Ndcg(), by_span([both, first], *gold)) == 1
    # Gains 1, 1 where 2, 0 was possible.
    later = await score(Ndcg(), by_span([first, both], *gold))
    assert later == pytest.approx((1 + 1 / math.log2(3)) / 2)


async def test_gains_by_id_make_ndcg_graded_and_a_gain_of_0_is_not_relevant():
    row = {"context_ids": ("b", "a", "b", "x"), "reference_context_ids": {"a": 3, "b": 1, "x": 0}}
    sample = SingleTurnSample.model_validate(row)
    assert sample.reference_gains == (3, 1, 0)
    ideal = 3 + 1 / math.log2(3)
    assert await score(Ndcg(), sample) == pytest.approx((1 + 3 / math.log2(3)) / ideal)
    assert await score(Recall(k=1), sample) == 1 / 2
    assert await score(Precision(), sample) == 2 / 3  # b comes again and is dropped
    assert await score(RPrecision(), sample) == 1
    with pytest.raises(ValueError, match="1 'reference_gains' for 2"):
        SingleTurnSample(reference_context_ids=("a", "b"), reference_gains=(1,))
