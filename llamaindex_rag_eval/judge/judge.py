"""The judge: one method a judgement, over whichever oracle answers; and who judges by default.

Each method asks one request, checks the reply against it, and returns what metrics compute with.
A question whose answer is known is not asked: over no claims there are no verdicts.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from llama_index.core import Settings
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import LLM, MockLLM

from llamaindex_rag_eval.data.sample import Context, text_of
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.answerers import count_judgement
from llamaindex_rag_eval.judge.claims import ClaimsOf, Granularity
from llamaindex_rag_eval.judge.critique import Critique, CritiqueOf
from llamaindex_rag_eval.judge.entities import EntitiesOf, Entity
from llamaindex_rag_eval.judge.grade import Grade, GradeOf
from llamaindex_rag_eval.judge.preference import Preference, PreferenceOf
from llamaindex_rag_eval.judge.questions import Questions, QuestionsOf
from llamaindex_rag_eval.judge.relevance import Relevance, RelevanceOf
from llamaindex_rag_eval.judge.relevant_sentences import RelevantSentencesOf
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.judge.similarity import SimilaritiesOf
from llamaindex_rag_eval.judge.standalone import StandaloneOf
from llamaindex_rag_eval.judge.support import Support
from llamaindex_rag_eval.judge.support_of import SupportOf
from llamaindex_rag_eval.models import (
    CachedOracle,
    EmbeddedOracle,
    LLMOracle,
    Oracle,
    Store,
    VotingOracle,
)
from llamaindex_rag_eval.models.instrument import span
from llamaindex_rag_eval.models.request import ReplyT, Request, check_reply

if TYPE_CHECKING:
    from llamaindex_rag_eval.judge.alignment import Alignment

logger = logging.getLogger(__name__)


class Judge:
    """Ask an oracle for the judgements that metrics need, each once. Safe to share.

    Args:
        oracle: Who answers. Without a cache of its own it gets one in memory: metrics that share
            a judge, in an evaluation, in a `BatchEvalRunner` or alone, share its replies.
        alignment: What fits it to people's labels; `load` reads it, and asks accordingly.

    Attributes:
        oracle: A cache, with who answers inside.
        alignment: As given.
    """

    def __init__(self, oracle: Oracle, *, alignment: "Alignment | None" = None) -> None:
        self.oracle = oracle if isinstance(oracle, CachedOracle) else CachedOracle(oracle)
        self.alignment = alignment

    @classmethod
    def load(cls, path: str | Path, judge: "JudgeLike | None" = None) -> "Judge":
        """Return a judge that is asked as a file says which `rag-eval align` wrote.

        Args:
            path: The file, as `judge.toml`.
            judge: The judge that was aligned, by the same model and prompt; by default the one
                that metrics share.

        Raises:
            DatasetError: The file holds no alignment.
            InputError: It is for another model, or the prompt has changed since.
        """
        from llamaindex_rag_eval.judge.alignment import Alignment

        return Alignment.read(path).of(judge_of(judge), str(path))

    def over(self, oracle: Oracle) -> "Judge":
        """Return this judge with another oracle that is asked in the same way."""
        return Judge(oracle, alignment=self.alignment)

    def __repr__(self) -> str:
        plain = self.oracle if self.oracle.store is not None else self.oracle.inner
        return f"Judge({plain!r})"

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Return the oracle's reply, checked against the request."""
        kind = type(request)
        with span("judgement", request=kind.__name__):
            reply = await self.oracle.ask(request)
        checked = check_reply(request, reply)
        count_judgement(kind.__name__, self.oracle.fingerprint(kind))
        return checked

    async def standalone(self, question: str, *, history: str) -> str:
        """Return a question as it is understood without the conversation before it."""
        return (await self.ask(StandaloneOf(history=history, question=question))).question

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
        self,
        claims: Sequence[str],
        *,
        sources: Sequence[Context],
        question: str = "",
        answers: bool = False,
    ) -> tuple[Support, ...]:
        """Return for each claim which sources support it.

        `answers` says that the sources are a response or a reference, and no documents. A short
        claim or source ("Saint Peter") is read as what it states in answer to `question`.
        Over no sources every claim is "not mentioned". A quote that is not in a
        source word for word is dropped, and `quote_found` is false.
        """
        if not claims:
            return ()
        if all(isinstance(source, str) and not source.strip() for source in sources):
            return tuple(
                Support(claim=claim, verdict="not_mentioned", reason="There is no source.")
                for claim in claims
            )
        request = SupportOf(
            claims=tuple(claims),
            sources=tuple(sources),
            question=question,
            answers=answers,
        )
        reply = await self.ask(request)
        texts = [text_of(source) for source in sources]
        return tuple(_with_checked_quote(entry, texts) for entry in reply.verdicts)

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

    async def entities(self, reference: str, *, contexts: Sequence[str]) -> tuple[Entity, ...]:
        """Return the entities of a reference, each with the contexts that name it."""
        if not reference.strip():
            return ()
        return (await self.ask(EntitiesOf(reference=reference, contexts=tuple(contexts)))).entities

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


def _with_checked_quote(entry: Support, texts: Sequence[str]) -> Support:
    """Return a verdict without its quote if no source has it; white space may differ."""
    quote = " ".join(entry.quote.split())
    if not quote or any(quote in text or quote in " ".join(text.split()) for text in texts):
        return entry
    return entry.model_copy(update={"quote": "", "quote_found": False})


JudgeLike = Judge | Oracle | LLM
"""What metrics take for a judge: a judge, an oracle, or an LLM."""

_shared: dict[tuple[int, int], tuple[Judge, LLM | None, BaseEmbedding | None]] = {}
"""The default judge, under the ids of its LLM and embedding model (kept alive here, so that no
other object can get their ids). At most one entry."""


def judge_of(given: JudgeLike | None, *, store: Store | None = None, votes: int = 1) -> Judge:
    """Return a judge for what a user gave.

    Args:
        given: A judge is returned as it is; `None` stands for `default_judge()`.
        store: Where the replies of an oracle or an LLM outlive the process.
        votes: How many independent replies of an oracle or an LLM are asked for; the majority
            counts.

    Raises:
        InputError: It is none of the things that can judge, or cannot vote.
    """
    if given is None:
        return default_judge()
    if isinstance(given, Judge):
        return given
    oracle = LLMOracle(given) if isinstance(given, LLM) else given
    if not isinstance(oracle, Oracle):
        raise InputError(f"{given!r} cannot judge; expected a Judge, an Oracle or an LLM")
    cached = oracle if isinstance(oracle, CachedOracle) else CachedOracle(oracle, store)
    return Judge(cached if votes == 1 else VotingOracle(cached, votes))


def default_judge() -> Judge:
    """Return the judge that metrics share when none is given.

    That is the LLM which the user set as `Settings.llm`, with `Settings.embed_model` for
    similarities; if none was set, the embedded rules. An LLM is never assumed because a key is in
    the environment: it would cost money that nobody agreed to.
    """
    llm, embed_model = _models_in_settings()
    key = (id(llm), id(embed_model))
    if key not in _shared:
        oracle = EmbeddedOracle() if llm is None else LLMOracle(llm, embed_model)
        if llm is not None:
            logger.warning("Settings.llm judges (%r), as no judge was given", oracle)
        _shared.clear()
        _shared[key] = (Judge(oracle), llm, embed_model)
    return _shared[key][0]


def _models_in_settings() -> tuple[LLM | None, BaseEmbedding | None]:
    """Return the models that the user set; reading the public attributes would create defaults.

    A mock and the model that answers with sentences of the contexts cannot judge.
    """
    llm, embed_model = Settings._llm, Settings._embed_model
    if llm is None or isinstance(llm, MockLLM | ExtractiveLLM):
        return None, None
    return llm, embed_model
