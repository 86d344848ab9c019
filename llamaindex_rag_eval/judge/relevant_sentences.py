"""Relevant sentences: the part of the contexts that is needed to answer."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.contract import in_range
from llamaindex_rag_eval.judge.prompts.parts import from_zero, numbered
from llamaindex_rag_eval.judge.prompts.relevant_sentences import (
    RELEVANT_SENTENCES,
    SentencesInput,
    SentencesOutput,
)
from llamaindex_rag_eval.judge.rules.relevant_sentences import relevant_sentences
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["RelevantSentences", "RelevantSentencesOf"]


class RelevantSentences(Reply):
    """The numbers, from 0, of the sentences needed to answer; none if they do not suffice."""

    sentences: tuple[int, ...]


class RelevantSentencesOf(Request[RelevantSentences]):
    """Which of these sentences are needed to answer the question?"""

    reply: ClassVar[type[Reply]] = RelevantSentences
    prompt: ClassVar[Prompt[Any, Any] | None] = RELEVANT_SENTENCES
    ruled: ClassVar[bool] = True

    question: str
    sentences: tuple[str, ...]

    def check(self, reply: RelevantSentences) -> None:
        """Hold the reply to sentences that exist, each named once."""
        in_range(reply.sentences, len(self.sentences), "sentence")
        twice = [number for number, count in Counter(reply.sentences).items() if count > 1]
        if twice:
            raise ReplyError(f"sentence {twice[0]} is named more than once")

    def by_rule(self, embed: Embed | None = None) -> RelevantSentences:
        """Take the sentences that share the question's words."""
        del embed
        return RelevantSentences(sentences=relevant_sentences(self.question, self.sentences))

    def to_prompt(self) -> SentencesInput:
        """Return the sentences numbered from 1, and the question."""
        return SentencesInput(sentences=numbered(self.sentences), question=self.question)

    def from_prompt(self, output: SentencesOutput) -> RelevantSentences:
        """Return the sentences numbered from 0, in order."""
        needed = from_zero(output.needed, len(self.sentences), "sentence")
        return RelevantSentences(sentences=tuple(sorted(needed)))

    def halves(self) -> tuple[Request[RelevantSentences], ...]:
        """Divide the sentences."""
        half = len(self.sentences) // 2
        if not half:
            return ()
        groups = (self.sentences[:half], self.sentences[half:])
        return tuple(self.model_copy(update={"sentences": group}) for group in groups)

    def joined(
        self,
        parts: Sequence[Request[RelevantSentences]],
        replies: Sequence[RelevantSentences],
    ) -> RelevantSentences:
        """Return the numbers of all parts, counted through."""
        found: list[int] = []
        start = 0
        for part, reply in zip(parts, replies, strict=True):
            found += [start + number for number in reply.sentences]
            start += len(part.sentences) if isinstance(part, RelevantSentencesOf) else 0
        return RelevantSentences(sentences=tuple(found))
