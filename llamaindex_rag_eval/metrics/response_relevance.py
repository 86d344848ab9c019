"""Response relevance: does the response answer the question?

    response_relevance = level / 3, levels 0 to 3

Source: "answer relevance" of the RAG triad of TruLens,
https://www.trulens.org/getting_started/core_concepts/rag_triad/; the words of the levels are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of

__all__ = ["ResponseRelevance"]


class ResponseRelevance(ScaleMetric):
    """Grade of how far the response answers the question, in [0, 1]; higher is better."""

    name = "response_relevance"
    needs = frozenset({"query", "response"})
    aliases = ("answer_relevance",)
    kin = {"TruLens": "relevance", "LlamaIndex": "RelevancyEvaluator"}
    definition = "How far the response answers the question that was asked, be it true or not."
    levels = levels_of(
        "It has nothing to do with the question.",
        "It is on the subject and does not answer.",
        "It answers in part.",
        "It answers the question.",
    )
