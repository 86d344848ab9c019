"""Answer correctness: does the response say what the reference says, in claims and in meaning?

    answer_correctness = (w1 · F_beta + w2 · similarity) / (w1 + w2)
    F_1 = TP / (TP + (FP + FN) / 2)

TP and FP are the claims of the response that the reference supports and does not support, FN
the claims of the reference that the response does not support.

A reference that is only a short answer says no more than its claim: claims of the response beside
the question do not count (`shared/claims.py`), and neither does the similarity, as the cosine of a
name and a sentence that gives it depends on the length of the sentence alone.

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/answer_correctness/, for
references that are statements.
"""

import asyncio
from collections.abc import Sequence

from llamaindex_rag_eval.formulas.means import f_beta, weighted_mean
from llamaindex_rag_eval.judge import ClaimsOf, SimilaritiesOf, Support, SupportOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.claims import Part, claim_matrix, is_short_reference

PARTS: tuple[Part, ...] = ("response_in_reference", "reference_in_response")


def factual_f_score(
    response: Sequence[Support], reference: Sequence[Support], *, beta: float = 1.0
) -> float | None:
    """Return the F measure of the claims.

    Args:
        response: The claims of the response, judged by the reference.
        reference: The claims of the reference, judged by the response.
        beta: How many times as much missing claims weigh as wrong ones.

    Returns:
        A number in [0, 1], higher is better; None if neither makes a claim.

    Example:
        >>> right = Support(claim="a", verdict="supported", sources=(0,))
        >>> wrong = Support(claim="b", verdict="not_mentioned")
        >>> factual_f_score([right, wrong], [right, wrong])  # TP 1, FP 1, FN 1
        0.5
    """
    return f_beta(
        true_positives=sum(entry.supported for entry in response),
        false_positives=sum(not entry.supported for entry in response),
        false_negatives=sum(not entry.supported for entry in reference),
        beta=beta,
    )


def answer_correctness_score(
    factual: float | None, similarity: float | None, *, weights: tuple[float, float] = (0.75, 0.25)
) -> float | None:
    """Return the weighted mean of the two parts.

    Args:
        factual: F of the claims, in [0, 1].
        similarity: Cosine similarity; below 0 it counts as 0.
        weights: Of the two, 0 or more; a part of weight 0 may be None.

    Returns:
        A number in [0, 1], higher is better; None if a part that counts is None.

    Example:
        >>> answer_correctness_score(0.5, 1.0)  # 3/4 · 1/2 + 1/4 · 1
        0.625
    """
    parts = (factual, None if similarity is None else max(0.0, similarity))
    counting = [(part, weight) for part, weight in zip(parts, weights, strict=True) if weight]
    return weighted_mean([part for part, _ in counting], weights=[weight for _, weight in counting])


class AnswerCorrectness(Metric):
    """F of the claims and similarity of the texts, weighted, in [0, 1]; higher is better.

    Asks the judge for the claims of both texts, for their support in each other, and for one
    similarity; a part of weight 0 is not asked for. Against a reference that is only a short answer
    it is F alone, over the claims that bear on the question.

    Limitations: A right claim that the reference lacks is scored as wrong, unless the reference is
    only a short answer. The similarity sees no negation: the opposite of a one-sentence reference
    still gets 0.25.

    Args:
        judge: Who judges.
        weights: Of the claims and of the similarity.
        beta: How many times as much missing claims weigh as wrong ones.
        threshold: If given, the value is rounded: 1 from the threshold on, else 0.

    Raises:
        InputError: The weights or `beta` are negative, or both weights are 0.
    """

    name = "answer_correctness"
    needs = frozenset({"query", "response", "reference"})
    requests = (ClaimsOf, ClaimsOf, SupportOf, SupportOf, SimilaritiesOf)
    undefined = "Neither the response nor the reference makes a claim."
    rounds = True

    weights: tuple[float, float] = setting(
        default=(0.75, 0.25),
        valid=lambda weights: len(weights) == 2 and min(weights) >= 0 and sum(weights) > 0,
        expected="two numbers of 0 or more, not both 0",
        convert=tuple,
    )
    beta: float = setting(default=1.0, valid=lambda beta: beta >= 0, expected="0 or more")

    async def measure(self, sample: SingleTurnSample) -> Score:
        short = is_short_reference(sample) and self.weights[0] > 0
        weights = (1.0, 0.0) if short else self.weights
        matrix, similarity = await asyncio.gather(
            claim_matrix(self.judge, sample, PARTS if self.weights[0] else ()),
            self._similarity(sample, weights[1]),
        )
        response, reference = matrix.held_against_reference, matrix.reference_in_response
        factual = factual_f_score(response, reference, beta=self.beta)
        value = answer_correctness_score(factual, similarity, weights=weights)
        if value is not None and self.threshold is not None:
            value = float(value >= self.threshold)
        evidence = {"response": response, "reference": reference, "similarity": similarity}
        beside = {k: v for k, v in matrix.evidence().items() if k == "beside_the_question"}
        return Score(value, evidence | beside)

    async def _similarity(self, sample: SingleTurnSample, weight: float) -> float | None:
        if not weight:
            return None
        if not sample.response.strip() or not sample.reference.strip():
            return 0.0
        return (await self.judge.similarity(sample.reference, [sample.response]))[0]
