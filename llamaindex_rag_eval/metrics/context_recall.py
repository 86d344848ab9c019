"""Context recall: how much of the reference do the retrieved contexts hold?

Counted in claims, or in named entities. RAGChecker calls the recall of claims claim recall;
reported claim by claim, as the evidence here does, Bedrock calls it context coverage. Entities are
sets: which of the reference's are in the contexts is for the judge to say, and "Paris" and "paris"
are one, after Unicode NFKC and case folding, without articles.
"""

import re
from collections.abc import Iterable, Sequence

from llamaindex_rag_eval.formulas.answers import fold_case
from llamaindex_rag_eval.judge import ClaimsOf, EntitiesOf, Support, SupportOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample
from llamaindex_rag_eval.metrics.shared.claims import (
    ProbabilisticMetric,
    degree,
    share,
    support_by_contexts,
)


def context_recall_score(support: Sequence[Support], *, graded: bool = False) -> float | None:
    """Return the share of the reference's claims that the contexts support.

    Args:
        support: One entry per claim of the reference, in any order.
        graded: Count each by its probability instead of its verdict.

    Returns:
        A share in [0, 1], higher is better; None if there is no claim to look for.

    Example:
        >>> seine = Support(claim="Paris is on the Seine.", verdict="supported", sources=(0,))
        >>> louvre = Support(claim="The Louvre is there.", verdict="not_mentioned")
        >>> context_recall_score([seine, louvre])
        0.5
    """
    return share(degree(entry, graded=graded) for entry in support)


class ContextRecall(ProbabilisticMetric):
    """Context recall: how much of the reference do the retrieved contexts support?

        context_recall = claims of the reference that the contexts support / claims of the reference

    Share of the reference's claims that the contexts support, in [0, 1]; higher is better.

    Asks the judge twice: for the claims of the reference, and for their support. 0 if nothing
    was retrieved; undefined if the reference makes no claim. It is the mean of the
    claims' probabilities of support, where the judge gives them; `graded=False` counts verdicts.

    Limitations: It is only as complete as the reference: where that leaves out what an answer
    needs, 1 does not mean that enough was retrieved. Useless contexts cost nothing, so retrieving
    more never looks worse.

    Source: Es et al. (2023), "RAGAS: Automated Evaluation of Retrieval Augmented Generation",
    https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_recall/; Ru et al.
    (2024), "RAGChecker", section 3.3, https://arxiv.org/abs/2408.08067.
    """

    name = "context_recall"
    needs = frozenset({"query", "contexts", "reference"})
    requests = (ClaimsOf, SupportOf)
    undefined = "The reference makes no claim."

    async def measure(self, sample: SingleTurnSample) -> Score:
        support = await support_by_contexts(self.judge, sample, sample.reference)
        return Score(context_recall_score(support, graded=self.graded), evidence=support)


_ARTICLE = re.compile(
    r"^(?:the|an?|der|die|das|den|dem|des|eine?[nmrs]?|l[ae]|les|une?|el|los|las|il)\s+"
)
"""Articles of the languages most documents are written in; English, German and Romance."""


def context_entity_recall_score(contexts: Iterable[str], reference: Iterable[str]) -> float | None:
    """Return the share of the reference's entities that the contexts name.

    Args:
        contexts: The entities of all contexts together.
        reference: The entities of the reference.

    Returns:
        A share in [0, 1], higher is better; None if the reference names no entity.

    Example:
        >>> context_entity_recall_score(["paris", "Rome"], ["Paris", "the Seine"])
        0.5
    """
    wanted = {name for entity in reference if (name := _plain(entity))}
    named = {_plain(entity) for entity in contexts}
    return len(wanted & named) / len(wanted) if wanted else None


def _plain(entity: str) -> str:
    return _ARTICLE.sub("", " ".join(fold_case(entity).split()))


class ContextEntityRecall(Metric):
    """Context entity recall: how many of the reference's entities do the contexts name?

        context_entity_recall = |entities of the contexts ∩ entities of the reference|
                                / |entities of the reference|

    Share of the reference's entities that the contexts name, in [0, 1]; higher is better.

    Asks the judge once, for the reference's entities and the contexts that name each. 0 if nothing
    was retrieved.

    Limitations: Names are counted, not what is said of them: "never went to Warsaw" names Warsaw.
    By rules another form of a name, as NYC for New York, is another entity.

    Source:
    https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_entities_recall/.
    """

    name = "context_entity_recall"
    needs = frozenset({"contexts", "reference"})
    requests = (EntitiesOf,)
    undefined = "The reference names no entity."

    async def measure(self, sample: SingleTurnSample) -> Score:
        entities = await self.judge.entities(sample.reference, contexts=sample.texts)
        wanted = [entity.name for entity in entities]
        named = [entity.name for entity in entities if entity.contexts]
        return Score(context_entity_recall_score(named, wanted), evidence=entities)
