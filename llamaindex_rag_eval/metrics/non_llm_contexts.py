"""Contexts compared as strings: did the retriever find the reference contexts, and first?

A retrieved and a reference context are the same if their string similarity reaches a cutoff. No
judge is asked.

Source:
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_precision/ and
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_recall/, "non LLM based".
"""

from collections.abc import Sequence

from llamaindex_rag_eval.formulas.ranking import average_precision_of_verdicts
from llamaindex_rag_eval.formulas.texts import DISTANCES, StringMeasure, string_similarity
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.claims import share


def best_similarities(
    texts: Sequence[str], others: Sequence[str], *, measure: StringMeasure = "levenshtein"
) -> tuple[float, ...]:
    """Return for each text its greatest similarity to one of the others, in [0, 1].

    Example:
        >>> best_similarities(["Seine", "Po"], ["Seine", "Rhine"])
        (1.0, 0.0)
    """
    return tuple(
        max((string_similarity(text, other, measure=measure) for other in others), default=0.0)
        for text in texts
    )


class _ComparedContexts(Metric):
    """A metric that compares contexts as strings, with an algorithm and a cutoff.

    Limitations: Characters are compared, not meaning, and lengths count: a chunk twice as long as
    the reference context that it holds is near the cutoff, and a paraphrase is below it. Use it
    where both were cut alike; `recall` goes by place.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        algorithm: Which string similarity.
        cutoff: From which similarity on two contexts are the same, in [0, 1].
        threshold: From which value on a result passes.

    Raises:
        InputError: The cutoff is out of range, there is no such algorithm, or rapidfuzz is not
            installed.
    """

    needs = frozenset({"contexts", "reference_contexts"})
    library = DISTANCES

    algorithm: StringMeasure = "levenshtein"
    cutoff: float = setting(
        default=0.5, valid=lambda cutoff: 0 <= cutoff <= 1, expected="in [0, 1]"
    )


class NonLlmContextPrecision(_ComparedContexts):
    """String context precision: are the contexts like reference contexts ranked first?

        non_llm_context_precision = sum over ranks j of (precision@j · v_j) / sum of v_j
        v_j = 1 if context j is similar to a reference context, else 0

    In [0, 1], higher is better; 0 if contexts came and none was similar.
    """

    name = "non_llm_context_precision"
    undefined = "Nothing was retrieved, or there are no reference contexts."

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.reference_contexts:
            return Score(None)
        best = best_similarities(sample.texts, sample.reference_contexts, measure=self.algorithm)
        value = average_precision_of_verdicts([x >= self.cutoff for x in best])
        return Score(value, {"similarities": best})


class NonLlmContextRecall(_ComparedContexts):
    """String context recall: how many of the reference contexts were retrieved?

        non_llm_context_recall = reference contexts similar to a context / reference contexts

    In [0, 1], higher is better; 0 if nothing was retrieved.
    """

    name = "non_llm_context_recall"
    undefined = "There are no reference contexts."

    async def measure(self, sample: SingleTurnSample) -> Score:
        best = best_similarities(sample.reference_contexts, sample.texts, measure=self.algorithm)
        return Score(share(x >= self.cutoff for x in best), {"similarities": best})
