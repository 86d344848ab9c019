"""The suite: claims, their support, useful contexts and the verdict on an answer, in one request.

A capable model reads question, contexts, reference and response once and says what the metrics over
claims, `context_precision` and `answer_verdict` ask. `ClaimsOf`, `SupportOf`, `RelevanceOf` and
`AnswerVerdictOf` are answered from that reply, each held to its own contract. What is invalid in it
is asked by itself, as is all about a sample that lacks one of the texts. No log-probabilities are
read: verdicts have no probability.
"""

from contextlib import suppress
from typing import Any, Literal

from llamaindex_rag_eval.data.sample import Context, Sample, SingleTurnSample
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdictOf, AnswerVerdictOutput
from llamaindex_rag_eval.judge.answerers import judged_sample
from llamaindex_rag_eval.judge.claims import Claims, ClaimsOf
from llamaindex_rag_eval.judge.relevance import Relevance, RelevanceOf, RelevanceReply
from llamaindex_rag_eval.judge.support_of import SupportOf
from llamaindex_rag_eval.judge.support_prompt import SupportOutput
from llamaindex_rag_eval.judge.wire import Contexts, Wire, from_zero
from llamaindex_rag_eval.models import CachedOracle, Oracle
from llamaindex_rag_eval.models.request import (
    REPLY_TOKENS,
    OracleOver,
    Reply,
    ReplyT,
    Request,
    check_reply,
    written,
)

REPLY_SHARE = 4
"""Tokens of the reply for each byte of response and reference: claims, and two verdicts on each."""


class SuiteInput(Wire):
    """The contexts, the question and both texts, each with numbered sentences of its own."""

    contexts: Contexts
    question: str
    reference: Contexts
    response: Contexts


class SuiteVerdict(Wire):
    """What a text says of a claim, as `SupportVerdict` has it."""

    evidence: tuple[int | str, ...]
    verdict: Literal["supported", "together", "partly", "contradicted", "not_mentioned"]


class SuiteClaim(Wire):
    """A claim of one text, judged by the contexts and by the other text."""

    claim: str
    by_contexts: SuiteVerdict
    by_other: SuiteVerdict


class Suite(Reply):
    """The claims with their verdicts, the numbers of useful contexts, the verdict on the answer."""

    reference_claims: tuple[SuiteClaim, ...]
    response_claims: tuple[SuiteClaim, ...]
    useful_contexts: tuple[int, ...]
    answer: AnswerVerdictOutput


class SuiteOf(Request[Suite]):
    """What do claims, contexts and answer of this sample come to?"""

    prompt = written("suite", SuiteInput)

    question: str
    contexts: tuple[Context, ...]
    reference: str
    response: str

    @classmethod
    def of(cls, sample: Sample | None) -> "SuiteOf | None":
        """Return the request about a sample; `None` if a text is missing."""
        if not isinstance(sample, SingleTurnSample) or not sample.contexts:
            return None
        texts = sample.response, sample.reference
        if not all(text.strip() for text in texts):
            return None
        contexts, (response, reference) = sample.contexts, texts
        return cls(question=sample.query, contexts=contexts, reference=reference, response=response)

    def covers(self, request: Request[Any]) -> bool:
        """Return whether the suite answers a judgement."""
        question, both = self.question, (self.response, self.reference)
        if isinstance(request, SupportOf):
            known = [(text,) for text in both] if request.answers else [self.contexts]
            return request.question == question and request.sources in known
        return request in (
            *(ClaimsOf(text=text, question=question) for text in both),
            RelevanceOf(question=question, contexts=self.contexts, answer=self.reference),
            AnswerVerdictOf(query=question, response=self.response, references=both[1:]),
        )

    def answer(self, request: Any, suite: Suite) -> Any:
        """Return what the reply says of a judgement that it covers.

        Raises:
            ReplyError: It says nothing of these claims, or nothing valid.
        """
        if isinstance(request, RelevanceOf):
            useful = from_zero(suite.useful_contexts, len(self.contexts), "context")
            verdicts = (Relevance(useful=number in useful) for number in range(len(self.contexts)))
            return RelevanceReply(verdicts=tuple(verdicts))
        if isinstance(request, AnswerVerdictOf):
            return request.from_prompt(suite.answer)
        for text, other, entries in (
            (self.response, self.reference, suite.response_claims),
            (self.reference, self.response, suite.reference_claims),
        ):
            claims = tuple(entry.claim for entry in entries)
            if isinstance(request, ClaimsOf):
                if request.text == text:
                    return request.from_prompt(Claims.model_validate({"claims": claims}))
            elif request.claims == claims and request.sources in (self.contexts, (other,)):
                rows = [
                    entry.by_other if request.answers else entry.by_contexts for entry in entries
                ]
                numbered = [{"claim": number, **dict(row)} for number, row in enumerate(rows, 1)]
                return request.from_prompt(SupportOutput.model_validate({"verdicts": numbered}))
        raise ReplyError("the suite does not judge these claims")

    def to_prompt(self) -> SuiteInput:
        """Return the texts with numbered sentences."""
        texts = {"reference": (self.reference,), "response": (self.response,)}
        given = {"contexts": self.contexts, "question": self.question, **texts}
        return SuiteInput.model_validate(given)

    @property
    def contexts_first(self) -> bool:
        """Not: hardly another judgement shows them, and the long instruction is always the same."""
        return False

    @property
    def reply_tokens(self) -> int:
        """So many for each byte of the texts that are taken apart."""
        return REPLY_TOKENS + REPLY_SHARE * len(f"{self.response}{self.reference}".encode())


class SuiteOracle(OracleOver):
    """Answer the judgements of a sample from one reply of a model; others are asked as they are.

    Args:
        inner: The oracle over a capable model.
    """

    def __init__(self, inner: Oracle) -> None:
        self.inner = inner
        self._suites = CachedOracle(inner)
        self._failed: set[SuiteOf] = set()

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return that of `inner`, with the prompt of the suite where it may answer."""
        own = self.inner.fingerprint(request)
        if request not in (ClaimsOf, SupportOf, RelevanceOf, AnswerVerdictOf):
            return own
        return f"{own}.{self.inner.fingerprint(SuiteOf).rpartition(':')[2]}"

    def over(self, inner: Oracle) -> "SuiteOracle":
        """Return the same over another oracle."""
        return SuiteOracle(inner)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Answer a judgement on the sample at hand from its suite, or ask for it alone.

        Raises:
            OracleError: The model could not be asked, or breaks the contract.
        """
        suite = SuiteOf.of(judged_sample.get())
        if suite is not None and suite not in self._failed and suite.covers(request):
            try:
                reply = await self._suites.ask(suite)
            except ReplyError:
                self._failed.add(suite)
            else:
                with suppress(ReplyError):
                    return check_reply(request, suite.answer(request, reply))
        return await self.inner.ask(request)
