"""Reading: what a model says of passages, each under its title and headings, few at a time."""

from collections.abc import Sequence

from llamaindex_rag_eval.models.ask_ahead import AskAhead
from testset.checks.draft import Draft
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import Passage
from testset.requests.alternatives import Alternative
from testset.requests.writer import Writer

__all__ = ["AT_ONCE", "read_passages"]

AT_ONCE = 8
"""Passages in one call of a model; among more of them it overlooks some."""


async def read_passages(
    draft: Draft,
    numbers: Sequence[int],
    index: CorpusIndex,
    writer: Writer,
    *,
    until: frozenset[str],
) -> list[tuple[Passage, Alternative]]:
    """Return passages, each with whether it answers the question of a draft.

    Nothing is read after the call that brings one of the verdicts of `until`.
    """
    ahead = AskAhead()
    read: list[tuple[Passage, Alternative]] = []
    for start in range(0, len(numbers), AT_ONCE):
        passages = [index.passages[number] for number in numbers[start : start + AT_ONCE]]
        with ahead:
            verdicts = await writer.alternatives(
                draft.question,
                passages=[passage.shown for passage in passages],
                reference=draft.reference,
                history=draft.turns,
            )
            read += zip(passages, verdicts, strict=True)
            if not until.isdisjoint(entry.verdict for entry in verdicts):
                break
    ahead.settle()
    return read
