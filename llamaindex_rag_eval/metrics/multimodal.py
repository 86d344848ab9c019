"""Multi-modal metrics: does the response rest on the texts and images that were retrieved?

Claims are judged over all sources at once, whichever are images; an LLM sees the images
themselves, the embedded rules see their captions. The evidence names each source by its node's
id.

Source: the metrics of the same names of
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/, which say yes or no to a whole
response; ours go by claims.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.data.sample import Image
from llamaindex_rag_eval.judge import ClaimsOf, Support, SupportOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample
from llamaindex_rag_eval.metrics.faithfulness import faithfulness_score
from llamaindex_rag_eval.metrics.shared.claims import (
    ProbabilisticMetric,
    share,
    support_by_contexts,
)


def multimodal_relevance_score(support: Sequence[Support], sources: int) -> float | None:
    """Return the share of sources that support a claim.

    Args:
        support: One entry per claim of the response.
        sources: How many sources there are.

    Returns:
        A share in [0, 1], higher is better; None if there is no claim or no source.

    Example:
        >>> from llamaindex_rag_eval.metrics.shared.claims import supports_of
        >>> multimodal_relevance_score(supports_of("10", "00"), 2)
        0.5
    """
    if not support:
        return None
    return share(any(e.supported_by(source) for e in support) for source in range(sources))


class _Multimodal(Metric):
    """A metric over the claims of the response, judged by all sources, texts and images."""

    needs = frozenset({"query", "response", "contexts"})
    requests = (ClaimsOf, SupportOf)

    async def measure(self, sample: SingleTurnSample) -> Score:
        support = await support_by_contexts(self.judge, sample, sample.response)
        sources = [_source(sample, number) for number in range(len(sample.contexts))]
        verdicts = [
            {"verdict": entry, "source_ids": [sources[number]["id"] for number in entry.sources]}
            for entry in support
        ]
        evidence = {"claims": verdicts, "sources": sources}
        return Score(self.compute(support, len(sample.contexts)), evidence)


class MultimodalFaithfulness(ProbabilisticMetric, _Multimodal):
    """Multi-modal faithfulness: how much of the response do retrieved texts and images support?

        multimodal_faithfulness = claims of the response that a text or an image supports
                                  / claims of the response

    In [0, 1], higher is better; 0 if claims stand over no contexts. Asks the judge twice.
    Each claim counts by its probability of support, where the judge gives one; `graded=False`
    counts verdicts.

    Limitations: Whether texts and images are true is not asked. By rules only captions are read, so
    that what only an image shows is unsupported.
    """

    name = "multimodal_faithfulness"
    undefined = "The response makes no claim."

    @staticmethod
    def formula(support: Sequence[Support], _: int, *, graded: bool) -> float | None:
        """Return the share of the claims that are supported, whatever the number of sources."""
        return faithfulness_score(support, graded=graded)


class MultimodalRelevance(_Multimodal):
    """Multi-modal relevance: how much of the retrieved texts and images does the response use?

        multimodal_relevance = texts and images that support a claim of the response
                               / texts and images retrieved

    In [0, 1], higher is better. Asks the judge twice, for what `multimodal_faithfulness` asks as
    well.

    Limitations: It falls when more is retrieved: one source that suffices of five is 0.2. A source
    that led to a wrong answer is used, too.
    """

    name = "multimodal_relevance"
    undefined = "The response makes no claim, or nothing was retrieved."
    formula = multimodal_relevance_score


def _source(sample: SingleTurnSample, number: int) -> dict[str, str]:
    """Return the id of a source's node and its kind; for an image, also its caption."""
    context = sample.contexts[number]
    known = sample.context_ids[number] if number < len(sample.context_ids) else ""
    if isinstance(context, Image):
        return {"id": context.id or known, "kind": "image", "caption": context.caption}
    return {"id": known, "kind": "text"}
