"""Formulas: pure functions from judgements, ranks, sets, vectors and texts to numbers."""

from llamaindex_rag_eval.formulas.answers import (
    TokenOverlap as TokenOverlap,
    answer_tokens as answer_tokens,
    exact_match as exact_match,
    fold_case as fold_case,
    normalise_answer as normalise_answer,
    separate_characters as separate_characters,
    string_presence as string_presence,
    token_f1 as token_f1,
    token_overlap as token_overlap,
    words as words,
)
from llamaindex_rag_eval.formulas.gains import (
    Gain as Gain,
    dcg as dcg,
    distinct as distinct,
    gains_by_id as gains_by_id,
    ndcg_at_k as ndcg_at_k,
    relevant_count as relevant_count,
    top as top,
)
from llamaindex_rag_eval.formulas.means import (
    f_beta as f_beta,
    f_measure as f_measure,
    harmonic_mean as harmonic_mean,
    precision as precision,
    recall as recall,
    weighted_mean as weighted_mean,
)
from llamaindex_rag_eval.formulas.ranking import (
    average_precision_at_k as average_precision_at_k,
    average_precision_of_verdicts as average_precision_of_verdicts,
    hit_rate_at_k as hit_rate_at_k,
    precision_at_k as precision_at_k,
    recall_at_k as recall_at_k,
    reciprocal_rank_at_k as reciprocal_rank_at_k,
)
from llamaindex_rag_eval.formulas.spans import (
    Span as Span,
    SpanHits as SpanHits,
    covered_share as covered_share,
    covers as covers,
    hits_by_rank as hits_by_rank,
    overlap as overlap,
)
from llamaindex_rag_eval.formulas.texts import (
    RougeMeasure as RougeMeasure,
    RougeType as RougeType,
    StringMeasure as StringMeasure,
    bleu as bleu,
    chrf as chrf,
    rouge as rouge,
    string_similarity as string_similarity,
)
from llamaindex_rag_eval.formulas.vectors import (
    Distance as Distance,
    Vector as Vector,
    cosine_similarity as cosine_similarity,
    embedding_distance as embedding_distance,
)
