"""Diagnosis: what went wrong with this answer, if anything?

    diagnosis = 1 if nothing did, else 0; which error it was stands in the evidence

The first of these that holds: `refusal`, `retrieval_miss`, `retrieval_noise`, `contradiction`,
`hallucination`, `generation_miss`, and else `correct`. What comes first in the pipeline is named
first, as what comes later may follow from it.

Source: ours, from the claim matrices of Ru et al. (2024), "RAGChecker",
https://arxiv.org/abs/2408.08067.
"""

import asyncio
from typing import Literal, get_args

from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.judge.critique import RefusalOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, Part, claim_matrix

Finding = Literal[
    "refusal",
    "retrieval_miss",
    "retrieval_noise",
    "contradiction",
    "hallucination",
    "generation_miss",
    "correct",
]


def finding_of(matrix: ClaimMatrix, *, refused: bool = False) -> Finding:
    """Return the first error of an answer to a question that has one.

    Args:
        matrix: All parts.
        refused: Whether the response refuses to answer.

    Returns:
        `refusal`: it refuses; `retrieval_miss`: a claim of the reference is neither in the
        contexts nor in the response; `retrieval_noise`: a claim of the response is wrong and
        from an irrelevant context; `contradiction`: a context contradicts the response;
        `hallucination`: a claim of the response stands nowhere; `generation_miss`: a claim of
        the reference is in the contexts and not in the response; else `correct`.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> finding_of(
        ...     ClaimMatrix(
        ...         reference_in_contexts=supports_of("10"),
        ...         reference_in_response=supports_of("0"),
        ...     )
        ... )
        'generation_miss'
    """
    if refused:
        return "refusal"
    reference = list(zip(matrix.reference_in_contexts, matrix.reference_in_response, strict=True))
    if any(not retrieved.supported and not stated.supported for retrieved, stated in reference):
        return "retrieval_miss"
    return _generation_error(matrix) or (
        "generation_miss" if any(not stated.supported for _, stated in reference) else "correct"
    )


def _generation_error(matrix: ClaimMatrix) -> Finding | None:
    """Return the first error in the claims of the response, if there is one."""
    response = zip(matrix.response_in_contexts, matrix.response_in_reference, strict=True)
    wrong = [
        by_contexts
        for number, (by_contexts, right) in enumerate(response)
        if not right.supported and not (by_contexts.supported and number in matrix.beside_question)
    ]
    relevant = matrix.relevant_contexts
    if any(entry.supported and not relevant.intersection(entry.sources) for entry in wrong):
        return "retrieval_noise"
    if any(entry.verdict == "contradicted" for entry in wrong):
        return "contradiction"
    if any(not entry.supported for entry in wrong):
        return "hallucination"
    return None


class Diagnosis(Metric):
    """1 if nothing went wrong, else 0; the evidence and the feedback name the error.

    Asks the judge for what the claim metrics ask, and whether the response refuses. A question
    that ought to be refused is answered right by refusing, and else by a hallucination.

    Limitations: One claim at fault of ten is enough, and only the first error is named. It follows
    the verdicts on claims: a claim that the judge misread becomes an error of the pipeline.
    """

    name = "diagnosis"
    needs = frozenset({"query", "response", "contexts", "reference"})
    requests = (ClaimsOf, ClaimsOf, SupportOf, SupportOf, SupportOf, SupportOf, RefusalOf)
    undefined = "The reference makes no claim."

    async def measure(self, sample: SingleTurnSample) -> Score:
        refused, matrix = await asyncio.gather(
            self._refused(sample), claim_matrix(self.judge, sample, get_args(Part))
        )
        if sample.expected_behaviour == "refuse":
            finding: Finding = "correct" if refused else "hallucination"
        elif not matrix.reference_in_response:
            return Score(None)
        else:
            finding = finding_of(matrix, refused=refused)
        evidence = {"diagnosis": finding, **matrix.evidence()}
        return Score(float(finding == "correct"), evidence, f"Diagnosis: {finding}.")

    async def _refused(self, sample: SingleTurnSample) -> bool:
        if not sample.response.strip():
            return True
        request = RefusalOf(query=sample.asked, response=sample.response)
        return (await self.judge.ask(request)).verdict
