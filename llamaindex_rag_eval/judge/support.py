"""Support: the verdict on one claim over sources, and one verdict out of several."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from llamaindex_rag_eval.judge.wire import majority_of
from llamaindex_rag_eval.models.request import Reply

Verdict = Literal["supported", "partly", "contradicted", "not_mentioned"]


class Support(Reply):
    """Whether the sources support one claim.

    Attributes:
        claim: The claim.
        verdict: Over all sources together; "partly" if they support a part of the claim and say
            nothing of the rest. If one source supports it and another contradicts it, it is
            supported.
        sources: The numbers, from 0, of the sources that support all of it.
        contradicted_by: The numbers, from 0, of the sources that contradict it.
        jointly: Whether it takes several of `sources` together.
        quote: The decisive sentence, word for word.
        quote_found: Whether the quote is in a source; a quote that is not is dropped.
        probability: That the claim is supported, in [0, 1]; "partly" counts half. From the rules;
            from the log-probabilities that a model's API gives of the five words of the verdict,
            or, where it gives that of the written word alone, with one half for what this leaves;
            the mean over several votes. `None` from a single vote without log-probabilities.
        agreement: The share of votes for this verdict; `None` unless several were asked for.
        reason: Why, in a sentence; a model gives none for "supported".
    """

    claim: str
    verdict: Verdict
    sources: tuple[int, ...] = ()
    contradicted_by: tuple[int, ...] = ()
    jointly: bool = False
    quote: str = ""
    quote_found: bool = True
    probability: float | None = Field(default=None, ge=0, le=1)
    agreement: float | None = Field(default=None, ge=0, le=1)
    reason: str = ""

    @property
    def supported(self) -> bool:
        """Whether some source supports the claim, or several do together."""
        return self.verdict == "supported"

    @property
    def degree(self) -> float:
        """How far the claim is supported, in [0, 1].

        The probability, if there is one; else by the verdict: supported 1, partly 0.5, other 0.
        """
        if self.probability is not None:
            return self.probability
        return {"supported": 1.0, "partly": 0.5}.get(self.verdict, 0.0)

    def supported_by(self, source: int) -> bool:
        """Return whether this source supports the claim, alone or with others."""
        return self.supported and source in self.sources


class SupportReply(Reply):
    """One verdict per claim, in the order of the claims."""

    verdicts: tuple[Support, ...]


def joined_support(column: Sequence[Support], starts: Sequence[int]) -> Support:
    """Return one verdict on a claim from those over groups of sources that begin at `starts`."""
    order = ("supported", "contradicted", "partly", "not_mentioned")
    best = min(column, key=lambda entry: order.index(entry.verdict))
    groups = list(zip(column, starts, strict=True))
    sources = {start + number for entry, start in groups for number in entry.sources}
    against = {start + number for entry, start in groups for number in entry.contradicted_by}
    known = [entry.probability for entry in column if entry.probability is not None]
    update = {
        "probability": max(known) if len(known) == len(column) else None,
        "sources": tuple(sorted(sources)),
        "contradicted_by": tuple(sorted(against)),
        "jointly": best.supported and all(entry.jointly for entry in column if entry.supported),
    }
    return best.model_copy(update=update)


def majority_support(column: Sequence[Support]) -> Support:
    """Return the verdict of most votes on a claim, the first of equals, with their agreement."""
    degrees = [entry.degree for entry in column]
    mean = sum(degrees) / len(degrees)
    return majority_of(column, "verdict").model_copy(update={"probability": mean})
