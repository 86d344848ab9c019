"""The claim matrix: which claims which sources support, judged once and read by many metrics.

Four parts, after the four label matrices of Ru et al. (2024), "RAGChecker",
https://arxiv.org/abs/2408.08067: the claims of the response and of the reference, each judged by
the contexts and by the other text.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Judge, Support

__all__ = ["ClaimMatrix", "Part", "claim_matrix", "share", "supports_of"]

Part = Literal[
    "response_in_contexts",
    "response_in_reference",
    "reference_in_contexts",
    "reference_in_response",
]


@dataclass(frozen=True, slots=True)
class ClaimMatrix:
    """One entry per claim in each part that was judged; parts over the same claims line up.

    Attributes:
        response_in_contexts: The claims of the response, judged by the contexts.
        response_in_reference: The same claims, judged by the reference.
        reference_in_contexts: The claims of the reference, judged by the contexts.
        reference_in_response: The same claims, judged by the response.
        contexts: How many contexts there are.
    """

    response_in_contexts: tuple[Support, ...] = ()
    response_in_reference: tuple[Support, ...] = ()
    reference_in_contexts: tuple[Support, ...] = ()
    reference_in_response: tuple[Support, ...] = ()
    contexts: int = 0

    @property
    def relevant_contexts(self) -> frozenset[int]:
        """The numbers of the contexts that support a claim of the reference."""
        return frozenset(
            number
            for entry in self.reference_in_contexts
            if entry.supported
            for number in entry.sources
        )

    def evidence(self) -> dict[str, object]:
        """Return the parts that were judged, by name."""
        parts = {
            "response_in_contexts": self.response_in_contexts,
            "response_in_reference": self.response_in_reference,
            "reference_in_contexts": self.reference_in_contexts,
            "reference_in_response": self.reference_in_response,
        }
        return {name: entries for name, entries in parts.items() if entries}


def share(flags: Iterable[float]) -> float | None:
    """Return the share that is true, in [0, 1], or the mean of degrees; `None` for nothing.

    Example:
        >>> share([True, False]), share([])
        (0.5, None)
    """
    listed = list(flags)
    return sum(listed) / len(listed) if listed else None


def supports_of(*rows: str) -> tuple[Support, ...]:
    """Return judgements from rows of 0 and 1: one row a claim, one digit a source.

    Example:
        >>> [entry.sources for entry in supports_of("101", "000")]
        [(0, 2), ()]
    """
    sources = [tuple(number for number, digit in enumerate(row) if digit == "1") for row in rows]
    return tuple(
        Support(
            claim=f"claim {number}",
            verdict="supported" if found else "not_mentioned",
            sources=found,
        )
        for number, found in enumerate(sources)
    )


async def claim_matrix(
    judge: Judge, sample: SingleTurnSample, parts: Sequence[Part]
) -> ClaimMatrix:
    """Ask the judge for some parts: once for the claims of each text, once for each part."""
    made, wanted = await asyncio.gather(
        _claims(judge, sample, sample.response, any(part.startswith("resp") for part in parts)),
        _claims(judge, sample, sample.reference, any(part.startswith("ref") for part in parts)),
    )
    asked = {
        "response_in_contexts": (made, sample.contexts),
        "response_in_reference": (made, (sample.reference,)),
        "reference_in_contexts": (wanted, sample.contexts),
        "reference_in_response": (wanted, (sample.response,)),
    }
    found = await asyncio.gather(
        *(judge.support(asked[part][0], sources=asked[part][1]) for part in parts)
    )
    return ClaimMatrix(contexts=len(sample.contexts), **dict(zip(parts, found, strict=True)))


async def _claims(
    judge: Judge, sample: SingleTurnSample, text: str, needed: bool
) -> tuple[str, ...]:
    return await judge.claims(text, question=sample.query) if needed else ()
