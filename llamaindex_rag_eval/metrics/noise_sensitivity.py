"""Noise sensitivity: how much of the response is wrong and comes from what was retrieved?

    noise_sensitivity(mode=relevant) = claims of the response that the reference does not support
        and a relevant context does / claims of the response
    noise_sensitivity(mode=irrelevant) = the same, supported by irrelevant contexts only

A context is relevant if it supports a claim of the reference. Of a reference without claims nobody
knows which contexts are irrelevant: `mode=irrelevant` is undefined then. Claims of which a
reference says nothing because it is only a short answer are not called wrong.

Source: Ru et al. (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067.
"""

from typing import Literal

from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, ClaimMetric, share

Noise = Literal["relevant", "irrelevant"]


def noise_sensitivity_score(matrix: ClaimMatrix, *, mode: Noise = "relevant") -> float | None:
    """Return the share of the response's claims that are wrong and follow a context.

    Args:
        matrix: All parts but `reference_in_response`.
        mode: Which contexts are followed.

    Returns:
        A share in [0, 1], lower is better; None if the response makes no claim, or the reference
        makes none and irrelevant contexts are asked for.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> matrix = ClaimMatrix(
        ...     response_in_contexts=supports_of("10", "01"),
        ...     response_in_reference=supports_of("0", "0"),
        ...     reference_in_contexts=supports_of("10"),
        ... )
        >>> noise_sensitivity_score(matrix), noise_sensitivity_score(matrix, mode="irrelevant")
        (0.5, 0.5)
    """
    if mode == "irrelevant" and not matrix.reference_in_contexts:
        return None
    relevant = matrix.relevant_contexts
    return share(
        by_contexts.supported
        and not by_reference.supported
        and number not in matrix.beside_question
        and bool(relevant.intersection(by_contexts.sources)) == (mode == "relevant")
        for number, (by_contexts, by_reference) in enumerate(
            zip(matrix.response_in_contexts, matrix.response_in_reference, strict=True)
        )
    )


class NoiseSensitivity(ClaimMetric):
    """Share of the response's claims that are wrong and follow a context; lower is better.

    Asks the judge five times, for what other claim metrics ask as well.

    Limitations: A true claim from a context is scored as wrong if the reference does not state it:
    an incomplete reference looks like noise. Errors that come from no context are not counted;
    `hallucination` counts them.

    Args:
        judge: Who judges.
        mode: Whether the claims follow a relevant context, or irrelevant ones only.
        threshold: Up to which value a result passes.

    Raises:
        InputError: No such mode.
    """

    name = "noise_sensitivity"
    direction = "lower"
    undefined = "The response makes no claim, or the reference none."
    formula = noise_sensitivity_score
    matrix_parts = ("response_in_contexts", "response_in_reference", "reference_in_contexts")

    mode: Noise = "relevant"
