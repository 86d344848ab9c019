"""Compare with pytrec_eval, by way of ir_measures, on random graded rankings."""

import random

import pytest

ir_measures = pytest.importorskip("ir_measures")

from llamaindex_rag_eval.formulas.gains import gains_by_id, ndcg_at_k, relevant_count  # noqa: E402
from llamaindex_rag_eval.formulas.ranking import (  # noqa: E402
    average_precision_at_k,
    hit_rate_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank_at_k,
)

CUTOFFS = (1, 3, 5, 10)


def rankings(count):
    generator = random.Random(7)
    documents = [f"d{number}" for number in range(20)]
    for query in range(count):
        graded = generator.sample(documents, generator.randint(1, 12))
        gold = {document: generator.randint(0, 3) for document in graded}
        gold[graded[0]] = generator.randint(1, 3)
        retrieved = generator.sample(documents, generator.randint(1, 15))
        yield f"q{query}", gold, retrieved


def ours(retrieved, gold):
    relevance, ideal = gains_by_id(retrieved, gold), list(gold.values())
    yield "AP", average_precision_at_k(relevance, ideal)
    yield "RR", reciprocal_rank_at_k(relevance, ideal)
    yield "nDCG", ndcg_at_k(relevance, ideal)
    yield "Rprec", precision_at_k(relevance, ideal, k=relevant_count(ideal))
    yield "SetP", precision_at_k(relevance, ideal)
    yield "SetR", recall_at_k(relevance, ideal)
    for k in CUTOFFS:
        yield f"Success@{k}", hit_rate_at_k(relevance, ideal, k=k)
        yield f"P@{k}", precision_at_k(relevance, ideal, k=k)
        yield f"R@{k}", recall_at_k(relevance, ideal, k=k)
        yield f"RR@{k}", reciprocal_rank_at_k(relevance, ideal, k=k)
        yield f"AP@{k}", average_precision_at_k(relevance, ideal, k=k)
        yield f"nDCG@{k}", ndcg_at_k(relevance, ideal, k=k)


def test_every_ranking_measure_equals_trec_eval():
    cases = {query: (gold, retrieved) for query, gold, retrieved in rankings(60)}
    names = [name for name, _ in ours(["d0"], {"d0": 1})]
    qrels = {query: gold for query, (gold, _) in cases.items()}
    run = {
        query: {document: float(-rank) for rank, document in enumerate(retrieved)}
        for query, (_, retrieved) in cases.items()
    }
    measures = [ir_measures.parse_measure(name) for name in names]
    theirs = {
        (entry.query_id, str(entry.measure)): entry.value
        for entry in ir_measures.iter_calc(measures, qrels, run)
    }
    for query, (gold, retrieved) in cases.items():
        for name, value in ours(retrieved, gold):
            assert value == pytest.approx(theirs[query, name], abs=1e-6), (query, name)


def test_exponential_ndcg_equals_trec_eval_over_exponential_grades():
    cases = {query: (gold, retrieved) for query, gold, retrieved in rankings(20)}
    qrels = {
        query: {document: 2**grade - 1 for document, grade in gold.items()}
        for query, (gold, _) in cases.items()
    }
    run = {
        query: {document: float(-rank) for rank, document in enumerate(retrieved)}
        for query, (_, retrieved) in cases.items()
    }
    measure = ir_measures.parse_measure("nDCG@5")
    theirs = {e.query_id: e.value for e in ir_measures.iter_calc([measure], qrels, run)}
    for query, (gold, retrieved) in cases.items():
        relevance = gains_by_id(retrieved, gold)
        value = ndcg_at_k(relevance, list(gold.values()), k=5, gain="exponential")
        assert value == pytest.approx(theirs[query], abs=1e-6)
