"""Evidence: what a right answer needs of the documents, and which nodes hold it."""

from collections.abc import Sequence
from dataclasses import dataclass

from llama_index.core.schema import NodeWithScore

from llamaindex_rag_eval.data.llamaindex import context_fields
from llamaindex_rag_eval.data.sample import SingleTurnSample, Span, text_of
from llamaindex_rag_eval.metrics.shared.gold_hits import gold_hits

WHOLE = 0.9
"""Share of the characters of a gold span that hold it: the last full stop may be cut off."""
PART = 0.1
"""Share of them that may give an answer away."""
WORDS = 0.5
"""Share of the words of a quote that a node has, if the quote is to be looked for in it."""


@dataclass(frozen=True)
class Evidence:
    """Groups of gold spans that are all needed, of each any one; or the ids of all nodes needed.

    Attributes:
        groups: The spans; without places in documents where only their texts are known.
        ids: The ids, where there are no spans.
    """

    groups: tuple[tuple[Span, ...], ...] = ()
    ids: tuple[str, ...] = ()

    @classmethod
    def of(cls, sample: SingleTurnSample) -> "Evidence":
        """Return the evidence of a sample: its gold spans, else its gold contexts, else its ids."""
        if sample.gold:
            return cls(sample.gold)
        texts = [text for text in sample.reference_contexts if text.strip()]
        spans = [Span(doc_id="", start=0, end=len(text), quote=text) for text in texts]
        return cls(tuple((span,) for span in spans), () if texts else sample.reference_context_ids)

    def __bool__(self) -> bool:
        """Return whether any is known."""
        return bool(self.groups or self.ids)

    @property
    def quotes(self) -> tuple[tuple[str, str], ...]:
        """The document and the text of the first span of each group."""
        return tuple((group[0].doc_id, group[0].quote) for group in self.groups)

    @property
    def texts(self) -> tuple[str, ...]:
        """Each span of it as a reader sees it: below its setting."""
        spans = (span for group in self.groups for span in group)
        return tuple("\n".join((*span.setting, span.quote)) for span in spans)

    def held_by(self, sample: SingleTurnSample) -> bool:
        """Return whether the contexts of an answer hold all of it, together."""
        if self.ids:
            return set(self.ids) <= set(sample.context_ids)
        if not sample.contexts:
            return False
        held = gold_hits(sample.model_copy(update={"gold": self.groups}), share=WHOLE)
        return sum(held.relevance) >= len(self.groups)

    def held_in(self, nodes: Sequence[NodeWithScore]) -> bool:
        """Return whether nodes hold all of it, together."""
        return self.held_by(_sample_of([node for node in nodes if self._may_hold(node)]))

    def touched_by(self, entry: NodeWithScore) -> bool:
        """Return whether a node holds a part of it."""
        if self.ids:
            return entry.node.node_id in self.ids
        sample = _sample_of([entry]).model_copy(update={"gold": self.groups})
        return any(gold_hits(sample, share=PART).useful)

    def ranks(self, nodes: Sequence[NodeWithScore]) -> tuple[int | None, ...]:
        """Return the place of the first node that holds each part whole, from 0; `None` if none."""
        if self.ids:
            ranks = {entry.node.node_id: rank for rank, entry in enumerate(nodes)}
            return tuple(ranks.get(node_id) for node_id in self.ids)
        first: dict[int, int] = {}
        for rank, entry in enumerate(nodes):
            if len(first) < len(self.groups) and self._may_hold(entry):
                sample = _sample_of([entry]).model_copy(update={"gold": self.groups})
                spans = gold_hits(sample, share=WHOLE).spans
                for group in spans.by_rank[0] if spans is not None and spans.by_rank else ():
                    first.setdefault(group, rank)
        return tuple(first.get(group) for group in range(len(self.groups)))

    def _may_hold(self, entry: NodeWithScore) -> bool:
        """Return whether a node has words of a quote; comparing texts takes long."""
        if self.ids:
            return True
        words = set(text_of(entry.node.get_content()).casefold().split())
        for span in (span for group in self.groups for span in group):
            wanted = set(span.quote.casefold().split())
            if not wanted or len(wanted & words) >= WORDS * len(wanted) or len(wanted) < 3:
                return True
        return False


def _sample_of(nodes: Sequence[NodeWithScore]) -> SingleTurnSample:
    fields = context_fields(nodes)
    fields.pop("context_metadata", None)
    return SingleTurnSample.model_validate(fields)
