"""Relevant sentences: the part of the contexts that is needed to answer."""

from collections import Counter
from collections.abc import Sequence

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.rules.questions import relevant_sentences
from llamaindex_rag_eval.judge.wire import (
    Divisible,
    NumberedTexts,
    Wire,
    check_range,
    from_zero,
)
from llamaindex_rag_eval.models.request import Embed, Reply, Request, written


class RelevantSentences(Reply):
    """The numbers, from 0, of the sentences needed to answer; none if they do not suffice."""

    sentences: tuple[int, ...]


class SentencesInput(Wire):
    """The sentences of the contexts, then the question."""

    sentences: NumberedTexts
    question: str


class SentencesOutput(Wire):
    """The ids of the sentences needed, after the reason."""

    reason: str
    needed: tuple[int, ...]


class RelevantSentencesOf(Divisible[RelevantSentences]):
    """Which of these sentences are needed to answer the question?"""

    prompt = written("relevant_sentences", SentencesInput, SentencesOutput)
    splits_over = "sentences"

    question: str
    sentences: tuple[str, ...]

    def check(self, reply: RelevantSentences) -> None:
        """Check that the sentences exist, each named once."""
        check_range(reply.sentences, len(self.sentences), "sentence")
        twice = [number for number, count in Counter(reply.sentences).items() if count > 1]
        if twice:
            raise ReplyError(f"sentence {twice[0]} is named more than once")

    def by_rule(self, embed: Embed | None = None) -> RelevantSentences:
        """Take the sentences that share the question's words."""
        del embed
        return RelevantSentences(sentences=relevant_sentences(self.question, self.sentences))

    def from_prompt(self, output: SentencesOutput) -> RelevantSentences:
        """Return the sentences numbered from 0, in order."""
        needed = from_zero(output.needed, len(self.sentences), "sentence")
        return RelevantSentences(sentences=tuple(sorted(needed)))

    def join(
        self,
        parts: Sequence[Request[RelevantSentences]],
        replies: Sequence[RelevantSentences],
    ) -> RelevantSentences:
        """Return the numbers of all parts, counted through."""
        pairs = zip(self.starts_of(parts), replies, strict=True)
        numbers = (start + number for start, reply in pairs for number in reply.sentences)
        return RelevantSentences(sentences=tuple(dict.fromkeys(numbers)))
