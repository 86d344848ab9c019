"""Support: which claims do the sources support? Most metrics are computed from this judgement."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from llamaindex_rag_eval.data.sample import Context, Image, text_of
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.rules.support import support_of
from llamaindex_rag_eval.judge.wire import (
    Numbered,
    Wire,
    check_count,
    check_range,
    context_halves,
    from_zero,
    images_among,
    numbered_contexts,
    numbered_texts,
    places_in_order,
)
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["Support", "SupportOf", "SupportReply", "Verdict"]

Verdict = Literal["supported", "contradicted", "not_mentioned"]


class Support(Reply):
    """Whether the sources support one claim.

    Attributes:
        claim: The claim.
        verdict: Over all sources together.
        sources: The numbers, from 0, of the sources that support it.
        contradicted_by: The numbers, from 0, of the sources that contradict it.
        jointly: Whether it takes several of `sources` together.
        quote: The decisive passage, word for word.
        quote_found: Whether the quote is in a source; a quote that is not is dropped.
        probability: That the claim is supported, in [0, 1]: from the rules, or the mean over
            several votes; `None` from a single vote of a model.
        agreement: The share of votes for this verdict; `None` unless several were asked for.
        reason: Why, in a sentence.
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
        """How far the claim is supported, in [0, 1]: the probability, else 1 or 0 by the verdict."""
        return float(self.supported) if self.probability is None else self.probability

    def supported_by(self, source: int) -> bool:
        """Return whether this source supports the claim, alone or with others."""
        return self.supported and source in self.sources


class SupportReply(Reply):
    """One verdict per claim, in the order of the claims."""

    verdicts: tuple[Support, ...]


class SupportInput(Wire):
    """Sources, then claims: a provider's cache keeps the beginning that calls have in common."""

    history: str = ""
    question: str = ""
    sources: tuple[Numbered, ...]
    claims: tuple[Numbered, ...]


class SupportVerdict(Wire):
    """The verdict on one claim."""

    claim: int
    reason: str
    verdict: Literal["supported", "contradicted", "not_mentioned"]
    supported_by: tuple[int, ...]
    together: bool
    contradicted_by: tuple[int, ...]
    quote: str


class SupportOutput(Wire):
    """One verdict for each claim."""

    verdicts: tuple[SupportVerdict, ...]


SUPPORT = Prompt[SupportInput, SupportOutput](
    name="support",
    instruction="""\
For each of `claims`, decide whether `sources` support it. Use the sources alone, not what you know.
- supported: everything in the claim follows from the sources, numbers, names and conditions included. `supported_by` lists the ids of all sources that support it; `together` is true if it takes several of them at once.
- contradicted: a source says otherwise. `contradicted_by` lists those sources, also where another source supports the claim.
- not_mentioned: neither; also where only part of the claim is borne out.
- `reason` first, in at most 15 words. `quote` is the shortest decisive passage, copied word for word from one source; empty if there is none.
- Give exactly one verdict for each claim, in order of their ids.""",
    input=SupportInput,
    output=SupportOutput,
    examples=(
        Example(
            input=SupportInput(
                sources=(
                    Numbered(id=1, text="The Orla ferry carries 120 passengers and 14 cars."),
                    Numbered(id=2, text="Since 2019 the Orla ferry runs on batteries."),
                ),
                claims=(
                    Numbered(id=1, text="The Orla ferry can take 120 passengers."),
                    Numbered(id=2, text="The Orla ferry has room for 40 cars."),
                    Numbered(id=3, text="The battery-driven Orla ferry carries 14 cars."),
                    Numbered(id=4, text="The Orla ferry was built in Norway."),
                ),
            ),
            output=SupportOutput(
                verdicts=(
                    SupportVerdict(
                        claim=1,
                        reason="Source 1 gives 120 passengers.",
                        verdict="supported",
                        supported_by=(1,),
                        together=False,
                        contradicted_by=(),
                        quote="carries 120 passengers",
                    ),
                    SupportVerdict(
                        claim=2,
                        reason="Source 1 says 14 cars, not 40.",
                        verdict="contradicted",
                        supported_by=(),
                        together=False,
                        contradicted_by=(1,),
                        quote="14 cars",
                    ),
                    SupportVerdict(
                        claim=3,
                        reason="Batteries from source 2, 14 cars from source 1.",
                        verdict="supported",
                        supported_by=(1, 2),
                        together=True,
                        contradicted_by=(),
                        quote="runs on batteries",
                    ),
                    SupportVerdict(
                        claim=4,
                        reason="No source says where it was built.",
                        verdict="not_mentioned",
                        supported_by=(),
                        together=False,
                        contradicted_by=(),
                        quote="",
                    ),
                )
            ),
        ),
    ),
)


class SupportOf(Request[SupportReply]):
    """Which of these claims do these sources support?

    Attributes:
        claims: What is to be supported.
        sources: By what.
        question: What claims or sources answer: a short one is read as what it states in answer.
        history: The conversation before the question.
    """

    reply: ClassVar[type[Reply]] = SupportReply
    prompt: ClassVar[Prompt[Any, Any] | None] = SUPPORT
    ruled: ClassVar[bool] = True

    claims: tuple[str, ...]
    sources: tuple[Context, ...]
    question: str = ""
    history: str = ""

    def check(self, reply: SupportReply) -> None:
        """Check that there is one verdict per claim, and that its sources exist."""
        check_count("verdicts", len(reply.verdicts), "claims", len(self.claims))
        for entry, claim in zip(reply.verdicts, self.claims, strict=True):
            if entry.claim != claim:
                raise ReplyError(f"a verdict is on {entry.claim!r}; expected {claim!r}")
            check_range((*entry.sources, *entry.contradicted_by), len(self.sources), "source")
            if entry.supported and not entry.sources:
                raise ReplyError(f"{claim!r} is called supported, but no source is named")

    def by_rule(self, embed: Embed | None = None) -> SupportReply:
        """Compare the words of each claim with those of the sources; an image is its caption."""
        texts = [text_of(source) for source in self.sources]
        found = support_of(self.claims, texts, question=self.question, embed=embed)
        pairs = zip(self.claims, found, strict=True)
        return SupportReply(
            verdicts=tuple(Support(claim=claim, **entry._asdict()) for claim, entry in pairs)
        )

    def to_prompt(self) -> SupportInput:
        """Return sources and claims, numbered from 1, and what they answer."""
        return SupportInput(
            history=self.history,
            question=self.question,
            sources=numbered_contexts(self.sources),
            claims=numbered_texts(self.claims),
        )

    def from_prompt(self, output: SupportOutput) -> SupportReply:
        """Return the verdicts in the order of the claims."""
        given = output.verdicts
        places = places_in_order([entry.claim for entry in given], len(self.claims), "verdicts")
        pairs = zip(self.claims, (given[place] for place in places), strict=True)
        count = len(self.sources)
        return SupportReply(verdicts=tuple(_verdict(c, entry, count) for c, entry in pairs))

    @property
    def images(self) -> tuple[Image, ...]:
        """The images among the sources."""
        return images_among(self.sources)

    def halves(self) -> tuple[Request[SupportReply], ...]:
        """Divide the sources; a single one that is too long, at a sentence near its middle."""
        groups = context_halves(self.sources)
        return tuple(self.model_copy(update={"sources": group}) for group in groups)

    def one_by_one(self) -> tuple[Request[SupportReply], ...]:
        """Return a request for each source."""
        if len(self.sources) < 2:
            return ()
        return tuple(self.model_copy(update={"sources": (source,)}) for source in self.sources)

    def join(
        self, parts: Sequence[Request[SupportReply]], replies: Sequence[SupportReply]
    ) -> SupportReply:
        """Return for each claim the verdicts of all parts together."""
        sizes = [len(part.sources) for part in parts if isinstance(part, SupportOf)]
        if len(self.sources) == 1:  # parts of one source are that source
            starts = [0] * len(sizes)
        else:
            starts = [sum(sizes[:number]) for number in range(len(sizes))]
        columns = zip(*(reply.verdicts for reply in replies), strict=True)
        return SupportReply(verdicts=tuple(_joined_verdict(column, starts) for column in columns))

    def majority(self, replies: Sequence[SupportReply]) -> SupportReply:
        """Return for each claim the verdict of most replies, with the share that agrees."""
        columns = zip(*(reply.verdicts for reply in replies), strict=True)
        return SupportReply(verdicts=tuple(_majority(column) for column in columns))


def _verdict(claim: str, entry: SupportVerdict, count: int) -> Support:
    """Return a verdict with sources from 0; `supported_by` counts only if it is "supported"."""
    supported = entry.verdict == "supported"
    sources = from_zero(entry.supported_by, count, "source")
    if supported and not sources:
        raise ReplyError(f"claim {entry.claim} is called supported, but supported_by is empty")
    return Support(
        claim=claim,
        verdict=entry.verdict,
        sources=sources if supported else (),
        contradicted_by=from_zero(entry.contradicted_by, count, "source"),
        jointly=supported and entry.together,
        quote=entry.quote,
        reason=entry.reason,
    )


def _joined_verdict(column: Sequence[Support], starts: Sequence[int]) -> Support:
    """Return one verdict on a claim from those over groups of sources that begin at `starts`."""
    order = ("supported", "contradicted", "not_mentioned")
    best = min(column, key=lambda entry: order.index(entry.verdict))
    groups = list(zip(column, starts, strict=True))
    sources = {start + number for entry, start in groups for number in entry.sources}
    against = {start + number for entry, start in groups for number in entry.contradicted_by}
    update = {
        "sources": tuple(sorted(sources)),
        "contradicted_by": tuple(sorted(against)),
        "jointly": best.supported and all(entry.jointly for entry in column if entry.supported),
    }
    return best.model_copy(update=update)


def _majority(column: Sequence[Support]) -> Support:
    """Return the verdict of most votes on a claim, the first of equals, with their agreement."""
    counted = Counter(entry.verdict for entry in column)
    winner = max(counted, key=lambda verdict: counted[verdict])
    first = next(entry for entry in column if entry.verdict == winner)
    update = {
        "agreement": counted[winner] / len(column),
        "probability": sum(entry.degree for entry in column) / len(column),
    }
    return first.model_copy(update=update)
