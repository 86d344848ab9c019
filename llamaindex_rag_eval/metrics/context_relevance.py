"""Context relevance and relevancy: how much do the retrieved contexts have to do with the question?

Context relevance grades each context as a whole. Context relevancy counts the sentences that are
needed to answer; contexts that do not suffice to answer score 0.
"""

import asyncio
from collections.abc import Collection

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import RelevantSentencesOf
from llamaindex_rag_eval.judge.grade import ContextRelevanceOf
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample
from llamaindex_rag_eval.metrics.shared.criteria import level_share


class ContextRelevance(Metric):
    """Context relevance: how relevant is what was retrieved to the question?

        context_relevance = mean over the contexts of level / 2, levels 0, 1 and 2

    Mean grade of the contexts, in [0, 1]; higher is better.

    Asks the judge once a context, so that no context is graded by its neighbours.

    Limitations: A context on the topic is relevant, whether or not it answers the question or is
    true. As a mean it usually falls when more contexts are retrieved.

    Source: the RAG triad of TruLens,
    https://www.trulens.org/getting_started/core_concepts/rag_triad/; NVIDIA's scale of three
    levels, https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/nvidia_metrics/.
    """

    name = "context_relevance"
    needs = frozenset({"query", "contexts"})
    requests = (ContextRelevanceOf,)
    undefined = "Nothing was retrieved."

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.contexts:
            return Score(None)
        requests = [ContextRelevanceOf(query=sample.query, contexts=(c,)) for c in sample.contexts]
        grades = await asyncio.gather(*(self.judge.grade(request) for request in requests))
        shares = [level_share(grade.level, requests[0].levels) for grade in grades]
        return Score(sum(shares) / len(shares), evidence=tuple(grades))


def context_relevancy_score(needed: Collection[int], total: int) -> float | None:
    """Return the share of the sentences that are needed.

    Args:
        needed: The numbers of the sentences needed; none if the sentences do not suffice.
        total: How many sentences there are, 0 or more.

    Returns:
        A share in [0, 1], higher is better; None without sentences.

    Raises:
        InputError: More sentences are needed than there are.

    Example:
        >>> context_relevancy_score([0, 3], 4), context_relevancy_score([], 4)
        (0.5, 0.0)
    """
    if len(needed) > total:
        raise InputError(f"{len(needed)} sentences cannot be needed out of {total}")
    return len(needed) / total if total else None


class ContextRelevancy(Metric):
    """Context relevancy: how much of what was retrieved is needed to answer?

        context_relevancy = sentences needed to answer the question / sentences of all contexts

    Share of the contexts' sentences that are needed to answer, in [0, 1]; higher is better.

    Asks the judge once, about all sentences together. Undefined if the contexts hold no
    sentence.

    Limitations: It depends on the size of the chunks: one needed sentence in a good passage of five
    is 0.2. Compare it only between retrievers over the same chunks; `context_precision` does not
    depend on them.

    Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
    section 3, https://arxiv.org/abs/2309.15217.
    """

    name = "context_relevancy"
    needs = frozenset({"query", "contexts"})
    requests = (RelevantSentencesOf,)
    undefined = "The contexts hold no sentence."

    async def measure(self, sample: SingleTurnSample) -> Score:
        all_sentences = [sentence for text in sample.texts for sentence in sentences(text)]
        needed = await self.judge.relevant_sentences(sample.query, sentences=all_sentences)
        note = "" if needed or not all_sentences else "The contexts do not suffice to answer."
        stated = tuple(all_sentences[number] for number in needed)
        evidence = {"needed": stated, "sentences": len(all_sentences)}
        return Score(context_relevancy_score(needed, len(all_sentences)), evidence, note)
