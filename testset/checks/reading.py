"""Reading: what a model says of passages, each under its title and headings, few at a time.

Checks that ask about the same question share what was read: no passage is sent twice.
"""

from collections.abc import Container, Sequence

from llamaindex_rag_eval.errors import PendingError
from llamaindex_rag_eval.models.ask_ahead import AskAhead
from testset.checks.draft import Draft
from testset.checks.excerpts import LENGTH, excerpt
from testset.corpus.index import CorpusIndex
from testset.requests.alternatives import Alternative
from testset.requests.question import Turn
from testset.requests.writer import Writer

AT_ONCE = 8
"""Passages in one call of a model; among more of them it overlooks some."""

_QuestionKey = tuple[str, str, tuple[Turn, ...]]
"""A question, its answer and its conversation: what a verdict on a passage depends on."""


class PassageReader:
    """Asks a model whether passages answer the question of a draft, each passage once.

    Args:
        index: The documents.
        writer: Who reads.
    """

    def __init__(self, index: CorpusIndex, writer: Writer) -> None:
        self._index, self._writer = index, writer
        self._known: dict[tuple[_QuestionKey, int], Alternative | PendingError] = {}

    async def read(
        self, draft: Draft, numbers: Sequence[int], *, own: Container[int] = ()
    ) -> dict[int, Alternative]:
        """Return of each passage, by its number, whether it answers the question of a draft.

        A passage is shown as what of it may bear on the question and its answer.

        Args:
            draft: The question.
            numbers: The passages.
            own: Those that hold evidence, of which twice as much is shown.

        Raises:
            PendingError: A reply is not in a batch file yet; all was asked.
        """
        subject = draft.question, draft.reference, draft.turns
        new = [n for n in dict.fromkeys(numbers) if (subject, n) not in self._known]
        for start in range(0, len(new), AT_ONCE):
            await self._ask(draft, new[start : start + AT_ONCE], own)
        ahead = AskAhead()
        read: dict[int, Alternative] = {}
        for number in numbers:
            with ahead:
                verdict = self._known[subject, number]
                if isinstance(verdict, PendingError):
                    raise verdict
                read[number] = verdict
        ahead.settle()
        return read

    async def _ask(self, draft: Draft, numbers: Sequence[int], own: Container[int]) -> None:
        about = " ".join(filter(None, (draft.full_question, draft.asks, draft.reference)))
        shown = [
            excerpt(self._index.passages[n], about, self._index, length=LENGTH * (1 + (n in own)))
            for n in numbers
        ]
        try:
            verdicts: Sequence[Alternative | PendingError] = await self._writer.alternatives(
                draft.question, passages=shown, reference=draft.reference, history=draft.turns
            )
        except PendingError as error:
            verdicts = [error] * len(numbers)
        subject = draft.question, draft.reference, draft.turns
        for number, verdict in zip(numbers, verdicts, strict=True):
            self._known[subject, number] = verdict
