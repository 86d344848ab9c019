"""Formulas: pure functions from judgements, ranks, sets, vectors and texts to numbers."""

from llamaindex_rag_eval.formulas.answers import (
    TokenOverlap,
    exact_match,
    string_presence,
    token_f1,
    token_overlap,
)
from llamaindex_rag_eval.formulas.average_precision import (
    average_precision_at_k,
    average_precision_of_verdicts,
)
from llamaindex_rag_eval.formulas.discounted_gain import Gain, dcg, ndcg_at_k
from llamaindex_rag_eval.formulas.edits import StringMeasure, string_similarity
from llamaindex_rag_eval.formulas.gains import distinct, gains_by_id, relevant_count, top
from llamaindex_rag_eval.formulas.means import f_of, harmonic_mean, weighted_mean
from llamaindex_rag_eval.formulas.normalisation import (
    answer_tokens,
    folded,
    normalised_answer,
    spaced,
    words,
)
from llamaindex_rag_eval.formulas.ranking import (
    hit_rate_at_k,
    precision_at_k,
    r_precision,
    recall_at_k,
    reciprocal_rank_at_k,
)
from llamaindex_rag_eval.formulas.sets import f_beta, jaccard, precision, recall
from llamaindex_rag_eval.formulas.spans import (
    Span,
    SpanHits,
    coverage,
    covers,
    hits_by_rank,
    overlap,
)
from llamaindex_rag_eval.formulas.texts import RougeMeasure, RougeType, bleu, chrf, rouge
from llamaindex_rag_eval.formulas.vectors import (
    Distance,
    Vector,
    cosine_similarity,
    embedding_distance,
)

__all__ = [
    "Distance",
    "Gain",
    "RougeMeasure",
    "RougeType",
    "Span",
    "SpanHits",
    "StringMeasure",
    "TokenOverlap",
    "Vector",
    "answer_tokens",
    "average_precision_at_k",
    "average_precision_of_verdicts",
    "bleu",
    "chrf",
    "cosine_similarity",
    "coverage",
    "covers",
    "dcg",
    "distinct",
    "embedding_distance",
    "exact_match",
    "f_beta",
    "f_of",
    "folded",
    "gains_by_id",
    "harmonic_mean",
    "hit_rate_at_k",
    "hits_by_rank",
    "jaccard",
    "ndcg_at_k",
    "normalised_answer",
    "overlap",
    "precision",
    "precision_at_k",
    "r_precision",
    "recall",
    "recall_at_k",
    "reciprocal_rank_at_k",
    "relevant_count",
    "rouge",
    "spaced",
    "string_presence",
    "string_similarity",
    "token_f1",
    "token_overlap",
    "top",
    "weighted_mean",
    "words",
]
