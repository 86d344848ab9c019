"""Which claims do the sources support? Most metrics are computed from this judgement."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import ClassVar

from llamaindex_rag_eval.data.sample import Context, text_of
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.rules.support import support_of
from llamaindex_rag_eval.judge.support import (
    Support,
    SupportReply,
    Verdict,
    joined_support,
    majority_support,
)
from llamaindex_rag_eval.judge.support_prompt import (
    SupportInput,
    SupportOutput,
    SupportVerdict,
)
from llamaindex_rag_eval.judge.wire import (
    Divisible,
    check_count,
    check_range,
    from_zero,
    in_order,
    numbered_sentences,
)
from llamaindex_rag_eval.models.logprobs import chances_of
from llamaindex_rag_eval.models.request import Embed, Request, written
from llamaindex_rag_eval.models.response import Completion

VERDICT_TOKENS = 80
"""Tokens of one verdict at most, with a reason in any language; some 24 are usual."""

WEIGHTS = {"supported": 1.0, "together": 1.0, "partly": 0.5, "contradicted": 0, "not_mentioned": 0}
"""The word of a verdict -> how far it says that the claim is supported."""

UNSEEN = 0.5
"""How far that is said by words whose probabilities are not known."""


class SupportOf(Divisible[SupportReply]):
    """Which of these claims do these sources support?

    Attributes:
        claims: What is to be supported.
        sources: By what.
        question: What claims or sources answer: a short one is read as what it states in answer.
        answers: Whether the sources answer the question, as a response or a reference does, and
            are no documents; rules with an embedding model then weigh meaning, too.
    """

    prompt = written("support", SupportInput, SupportOutput)
    splits_over = "sources"
    weighs: ClassVar[bool] = True

    claims: tuple[str, ...]
    sources: tuple[Context, ...]
    question: str = ""
    answers: bool = False

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
        verdicts = support_of(
            self.claims, texts, question=self.question, answers=self.answers, embed=embed
        )
        return SupportReply(verdicts=verdicts)

    def to_prompt(self) -> SupportInput:
        """Return the sources with numbered sentences, their question, and the claims by number."""
        claims = {str(number): claim for number, claim in enumerate(self.claims, start=1)}
        given = {"contexts": self.sources, "question": self.question, "claims": claims}
        return SupportInput.model_validate(given)

    def from_prompt(self, output: SupportOutput) -> SupportReply:
        """Return the verdicts in the order of the claims, each with the words of its evidence."""
        zero = not any(entry.sentences for entry in output.verdicts)
        entries = in_order(output.verdicts, "claim", len(self.claims), "verdicts", zero=zero)
        pairs = zip(self.claims, entries, strict=True)
        sentences = self._sentences
        return SupportReply(verdicts=tuple(_verdict(c, entry, sentences) for c, entry in pairs))

    def weighed(self, output: SupportOutput, completion: Completion) -> SupportOutput:
        """Return the verdicts, each with the probability that its claim is supported."""
        written = [entry.verdict for entry in output.verdicts]
        chances = chances_of(completion, "verdict", tuple(WEIGHTS), written)
        for entry, chance in zip(output.verdicts, chances, strict=True):
            entry._probability = None if chance is None else chance.expected(WEIGHTS, unseen=UNSEEN)
        return output

    @property
    def _sentences(self) -> tuple[tuple[int, str], ...]:
        return numbered_sentences(self.sources)

    @property
    def contexts_first(self) -> bool:
        """Not where a response or a reference takes their place: no other judgement shows it."""
        return not self.answers

    @property
    def reply_tokens(self) -> int:
        """So many for each verdict, and for what is around them."""
        return VERDICT_TOKENS * (1 + len(self.claims))

    def groups(self, most: int) -> tuple[Request[SupportReply], ...]:
        """Divide the claims into groups of about one size; each keeps all sources, before them."""
        count = len(self.claims)
        if count <= most:
            return ()
        number = -(-count // most)
        cuts = [count * group // number for group in range(number + 1)]
        return tuple(self._of(self.claims[a:b]) for a, b in pairwise(cuts))

    def shorter(self) -> tuple[Request[SupportReply], ...]:
        """Divide the claims; not the sources: what several support together would be lost."""
        return self.groups(-(-len(self.claims) // 2))

    def _of(self, claims: Sequence[str]) -> "SupportOf":
        return self.model_copy(update={"claims": tuple(claims)})

    def join(
        self, parts: Sequence[Request[SupportReply]], replies: Sequence[SupportReply]
    ) -> SupportReply:
        """Return for each claim the verdicts of all parts together."""
        if any(isinstance(part, SupportOf) and part.claims != self.claims for part in parts):
            by_claim = {entry.claim: entry for reply in replies for entry in reply.verdicts}
            return SupportReply(verdicts=tuple(by_claim[claim] for claim in self.claims))
        starts = self.starts_of(parts)
        columns = zip(*(reply.verdicts for reply in replies), strict=True)
        return SupportReply(verdicts=tuple(joined_support(column, starts) for column in columns))

    def majority(self, replies: Sequence[SupportReply]) -> SupportReply:
        """Return for each claim the verdict of most replies, with the share that agrees."""
        columns = zip(*(reply.verdicts for reply in replies), strict=True)
        return SupportReply(verdicts=tuple(majority_support(column) for column in columns))


def _verdict(claim: str, entry: SupportVerdict, sentences: Sequence[tuple[int, str]]) -> Support:
    """Return a verdict with the sources that its sentences are from, and the first one's words.

    Sentences for a claim count as its sources only if it is supported. If it is contradicted and
    no number is negative, all of them are against it.
    """
    verdict: Verdict = "supported" if entry.verdict == "together" else entry.verdict
    supported = verdict == "supported"
    numbers = [abs(number) for number in entry.sentences]
    chosen = [sentences[position] for position in from_zero(numbers, len(sentences), "sentence")]
    by_number = dict(zip(dict.fromkeys(numbers), chosen, strict=True))
    against = {-number for number in entry.sentences if number < 0}
    if against and entry.verdict == "not_mentioned":
        raise ReplyError(f"claim {entry.claim} is not_mentioned, but its evidence contradicts it")
    if entry.verdict == "contradicted" and not against:
        against = set(numbers)
    behind = [number for number in by_number if number not in against]
    if supported and not behind:
        raise ReplyError(
            f"claim {entry.claim} is called {entry.verdict}, but its evidence names no sentence "
            "that supports it"
        )
    first = by_number.get((behind or [0])[0]) or next(iter(chosen), None)
    sources = _each_once(by_number[number][0] for number in behind) if supported else ()
    return Support(
        claim=claim,
        verdict=verdict,
        sources=sources,
        contradicted_by=_each_once(
            by_number[number][0] for number in by_number if number in against
        ),
        jointly=entry.verdict == "together" and len(sources) > 1,
        quote=first[1] if first else "",
        probability=entry._probability,
        reason=entry.reason,
    )


def _each_once(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))
