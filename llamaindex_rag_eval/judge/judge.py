"""The judge: the verbs that metrics speak, over whichever oracle answers.

Each verb asks one request, holds the reply to its contract, and returns what metrics compute
with. Nothing is asked that needs no asking: no claims, no verdicts.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from llamaindex_rag_eval.data.sample import Context, text_of
from llamaindex_rag_eval.judge.claims import ClaimsOf, Granularity
from llamaindex_rag_eval.judge.critique import Critique, CritiqueOf
from llamaindex_rag_eval.judge.entities import EntitiesOf
from llamaindex_rag_eval.judge.grade import Grade, GradeOf
from llamaindex_rag_eval.judge.preference import Preference, PreferenceOf
from llamaindex_rag_eval.judge.questions import Questions, QuestionsOf
from llamaindex_rag_eval.judge.relevance import Relevance, RelevanceOf
from llamaindex_rag_eval.judge.relevant_sentences import RelevantSentencesOf
from llamaindex_rag_eval.judge.similarity import SimilaritiesOf
from llamaindex_rag_eval.judge.support import Support, SupportOf
from llamaindex_rag_eval.models.instrument import span
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request, checked

if TYPE_CHECKING:
    from llamaindex_rag_eval.data.sample import Image

__all__ = ["Judge"]


class Judge:
    """Speak the verbs of evaluation over an oracle. Holds no state; safe to share.

    Args:
        oracle: Who answers.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle

    def __repr__(self) -> str:
        return f"Judge({self.oracle!r})"

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Ask the oracle and hold its reply to the request's contract."""
        with span("judgement", request=type(request).__name__):
            reply = await self.oracle.ask(request)
        return checked(request, reply)

    async def claims(
        self,
        text: str,
        *,
        question: str = "",
        atomicity: Granularity = "high",
        coverage: Granularity = "high",
    ) -> tuple[str, ...]:
        """Return the claims that a text makes; none for an empty text."""
        if not text.strip():
            return ()
        request = ClaimsOf(text=text, question=question, atomicity=atomicity, coverage=coverage)
        return (await self.ask(request)).claims

    async def support(
        self, claims: Sequence[str], *, sources: Sequence[Context]
    ) -> tuple[Support, ...]:
        """Return for each claim which sources support it.

        Over no sources every claim is "not mentioned". A quote that does not stand word for
        word in a source is dropped and marked.
        """
        if not claims:
            return ()
        if not any(_something(source) for source in sources):
            return tuple(
                Support(claim=claim, verdict="not_mentioned", reason="There is no source.")
                for claim in claims
            )
        reply = await self.ask(SupportOf(claims=tuple(claims), sources=tuple(sources)))
        texts = [" ".join(text_of(source).split()) for source in sources]
        return tuple(_with_true_quote(entry, texts) for entry in reply.verdicts)

    async def relevance(
        self, question: str, *, contexts: Sequence[Context], answer: str
    ) -> tuple[Relevance, ...]:
        """Return for each context whether it was useful to arrive at the answer."""
        if not contexts:
            return ()
        request = RelevanceOf(question=question, contexts=tuple(contexts), answer=answer)
        return (await self.ask(request)).verdicts

    async def questions(self, text: str, *, n: int = 3) -> Questions:
        """Return `n` questions that a text answers, and whether it evades."""
        return await self.ask(QuestionsOf(text=text, n=n))

    async def entities(self, texts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return the entities of each text."""
        if not texts:
            return ()
        return (await self.ask(EntitiesOf(texts=tuple(texts)))).entities

    async def relevant_sentences(
        self, question: str, *, sentences: Sequence[str]
    ) -> tuple[int, ...]:
        """Return the numbers of the sentences needed to answer; none if they do not suffice."""
        if not sentences:
            return ()
        request = RelevantSentencesOf(question=question, sentences=tuple(sentences))
        return (await self.ask(request)).sentences

    async def critique(self, request: CritiqueOf) -> Critique:
        """Return whether an answer has an aspect."""
        return await self.ask(request)

    async def grade(self, request: GradeOf) -> Grade:
        """Return the level of a described scale."""
        return await self.ask(request)

    async def preference(self, request: PreferenceOf) -> Preference:
        """Return which of two answers is better."""
        return await self.ask(request)

    async def similarity(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        """Return the cosine similarity of each of `others` to `text`, in [-1, 1]."""
        if not others:
            return ()
        return (await self.ask(SimilaritiesOf(text=text, others=tuple(others)))).values


def _something(source: "str | Image") -> bool:
    return bool(source.strip()) if isinstance(source, str) else True


def _with_true_quote(entry: Support, texts: Sequence[str]) -> Support:
    """Drop a quote that stands in no source; white space may differ."""
    quote = " ".join(entry.quote.split())
    if not quote or any(quote in text for text in texts):
        return entry
    return entry.model_copy(update={"quote": "", "quote_found": False})
