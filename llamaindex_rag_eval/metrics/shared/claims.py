"""The claim matrix: which claims which sources support, judged once and read by many metrics.

Four parts, after the four label matrices of Ru et al. (2024), "RAGChecker",
https://arxiv.org/abs/2408.08067: the claims of the response and of the reference, each judged by
the contexts and by the other text.

A claim counts by the probability that it is supported, or with `graded=False` by its verdict
(Platt 1999, "Probabilistic Outputs for Support Vector Machines and Comparisons to Regularized
Likelihood Methods"). A verdict does not say how sure the judge was; where its probabilities are
good, their mean tells responses apart better than the share of supported claims. The embedded rules
give a probability with every verdict, an LLM that votes the mean of its votes. One verdict of an
LLM has a probability where its API gives log-probabilities: P(supported) + P(partly) / 2 at the
token that begins the verdict, divided by the sum over all verdicts; else it counts 1, 0.5
("partly") or 0. So do replies kept from before they were asked for. Without `graded`, "partly" is
not supported.

A reference that is only a short answer ("Saint Peter") answers its question and says nothing of
anything else. Of the response, only the claims that bear on the question are held against it: those
that it supports, in part too, or contradicts. The others are beside the question: they count in no
precision and are not called wrong, and the evidence names them. If it speaks of none of the claims,
all are held against it, and none is right. Against a reference that is a statement all always are.

There is no `graded` where a yes or no is needed: in metrics that ask which source supports a claim
(noise, citations, contexts by claims), and in `answer_correctness`, which agreed less with people
when graded.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

from llamaindex_rag_eval.judge import ClaimsOf, Judge, Support, SupportOf
from llamaindex_rag_eval.judge.claims import Granularity
from llamaindex_rag_eval.judge.rules.claims import is_fragment
from llamaindex_rag_eval.judge.rules.phrases import without_frame
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample

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
        short_reference: Whether the reference is only a short answer to its question.
    """

    response_in_contexts: tuple[Support, ...] = ()
    response_in_reference: tuple[Support, ...] = ()
    reference_in_contexts: tuple[Support, ...] = ()
    reference_in_response: tuple[Support, ...] = ()
    contexts: int = 0
    short_reference: bool = False

    @property
    def beside_question(self) -> frozenset[int]:
        """The numbers of the response's claims of which a short reference says nothing."""
        return beside_question(self.response_in_reference) if self.short_reference else frozenset()

    @property
    def held_against_reference(self) -> tuple[Support, ...]:
        """The claims of the response that are not beside the question, judged by the reference."""
        return self._of_response(beside=False)

    @property
    def relevant_contexts(self) -> frozenset[int]:
        """The numbers of the contexts that support a claim of the reference."""
        return frozenset(
            number
            for entry in self.reference_in_contexts
            if entry.supported
            for number in entry.sources
        )

    def _of_response(self, *, beside: bool) -> tuple[Support, ...]:
        entries = enumerate(self.response_in_reference)
        return tuple(each for number, each in entries if (number in self.beside_question) == beside)

    def evidence(self) -> dict[str, object]:
        """Return the parts that were judged, by name."""
        parts = {
            "response_in_contexts": self.response_in_contexts,
            "response_in_reference": self.held_against_reference,
            "beside_the_question": self._of_response(beside=True),
            "reference_in_contexts": self.reference_in_contexts,
            "reference_in_response": self.reference_in_response,
        }
        return {name: entries for name, entries in parts.items() if entries}


def share(flags: Iterable[float]) -> float | None:
    """Return the share that is true, or the mean of degrees, in [0, 1]; `None` without entries.

    Example:
        >>> share([True, False]), share([])
        (0.5, None)
    """
    listed = list(flags)
    return sum(listed) / len(listed) if listed else None


def beside_question(judged: Sequence[Support]) -> frozenset[int]:
    """Return the numbers of the claims of a response of which a short reference says nothing.

    Args:
        judged: The claims of the response, judged by the reference.

    Returns:
        Those that are not mentioned; none if all are, as the response then says nothing to
        the question that the reference could bear out.

    Example:
        >>> beside_question(supports_of("1", "0", "0")), beside_question(supports_of("0", "0"))
        (frozenset({1, 2}), frozenset())
    """
    beside = [number for number, each in enumerate(judged) if each.verdict == "not_mentioned"]
    return frozenset(beside if len(beside) < len(judged) else ())


def is_short_reference(sample: SingleTurnSample) -> bool:
    """Return whether a reference is only a short answer to its question, by the rules' reading."""
    return _is_short(sample.reference, sample.query)


@lru_cache(maxsize=1024)
def _is_short(reference: str, question: str) -> bool:
    """Several metrics ask it of each sample."""
    return is_fragment(without_frame(reference), question)


def supports_of(*rows: str) -> tuple[Support, ...]:
    """Return supports from rows of 0 and 1, one row a claim and one digit a source: for examples.

    Example:
        >>> [entry.sources for entry in supports_of("101", "000")]
        [(0, 2), ()]
    """
    sources = [tuple(number for number, digit in enumerate(row) if digit == "1") for row in rows]
    return tuple(
        Support(
            claim=f"claim {number}",
            verdict="supported" if sources_of_claim else "not_mentioned",
            sources=sources_of_claim,
        )
        for number, sources_of_claim in enumerate(sources)
    )


async def claim_matrix(
    judge: Judge,
    sample: SingleTurnSample,
    parts: Sequence[Part],
    *,
    atomicity: Granularity = "high",
    coverage: Granularity = "high",
) -> ClaimMatrix:
    """Ask the judge for some parts: once for the claims of each text, once for each part."""

    async def claims_of(text: str) -> tuple[str, ...]:
        if not any(part.startswith(text) for part in parts):
            return ()
        return await judge.claims(
            getattr(sample, text),
            question=sample.query,
            atomicity=atomicity,
            coverage=coverage,
        )

    response, reference = await asyncio.gather(claims_of("response"), claims_of("reference"))
    claims_and_sources = {
        "response_in_contexts": (response, sample.contexts),
        "response_in_reference": (response, (sample.reference,)),
        "reference_in_contexts": (reference, sample.contexts),
        "reference_in_response": (reference, (sample.response,)),
    }
    supports = await asyncio.gather(
        *(
            judge.support(
                claims,
                sources=sources,
                question=sample.query,
                answers=not part.endswith("contexts"),
            )
            for part, (claims, sources) in ((part, claims_and_sources[part]) for part in parts)
        )
    )
    return ClaimMatrix(
        contexts=len(sample.contexts),
        short_reference=is_short_reference(sample),
        **dict(zip(parts, supports, strict=True)),
    )


async def support_by_contexts(
    judge: Judge, sample: SingleTurnSample, text: str
) -> tuple[Support, ...]:
    """Ask for the claims of a text of the sample, and what the contexts say of each."""
    claims = await judge.claims(text, question=sample.query)
    return await judge.support(claims, sources=sample.contexts, question=sample.query)


class ClaimMetric(Metric):
    """A metric computed from some parts of the claim matrix.

    What it needs and asks follows from the parts; its settings are arguments of the formula.

    Attributes:
        matrix_parts: The parts of the matrix that it reads.
        formula: Of the matrix.
    """

    matrix_parts: ClassVar[tuple[Part, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if parts := vars(cls).get("matrix_parts"):
            texts = {text for part in parts for text in part.split("_in_")}
            claims = {part.split("_in_")[0] for part in parts}
            cls.needs = frozenset({"query", *texts})
            cls.requests = (*[ClaimsOf] * len(claims), *[SupportOf] * len(parts))

    async def measure(self, sample: SingleTurnSample) -> Score:
        matrix = await claim_matrix(self.judge, sample, self.matrix_parts)
        return Score(self.compute(matrix), evidence=matrix.evidence())


def degree(entry: Support, *, graded: bool) -> float:
    """Return how far a claim is supported: its probability if `graded`, else 0 or 1.

    Without a probability, "partly" is 0.5 if `graded`.

    Example:
        >>> likely = Support(claim="a", verdict="supported", sources=(0,), probability=0.75)
        >>> degree(likely, graded=True), degree(likely, graded=False)
        (0.75, 1.0)
    """
    return entry.degree if graded else float(entry.supported)


class ProbabilisticMetric(Metric):
    """A metric over claims that can count each by its probability.

    Args:
        judge: Who judges.
        graded: Count each claim by the probability that it is supported, where the judge gives
            one, and "partly" as 0.5; if false 0 or 1, as its verdict says.
        threshold: From which value on (for `lower`: up to which) a result passes.

    Raises:
        InputError: `graded` is neither true nor false.
    """

    graded: bool = True
