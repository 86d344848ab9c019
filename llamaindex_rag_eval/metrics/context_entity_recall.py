"""Context entity recall: how many of the reference's entities do the contexts name?

    context_entity_recall = |entities of the contexts ∩ entities of the reference|
                            / |entities of the reference|

Entities are sets, compared after Unicode NFKC and case folding, without articles: "Paris" and
"paris" are one.

Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/context_entities_recall/.
"""

import re
from collections.abc import Iterable

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.formulas import folded
from llamaindex_rag_eval.judge import EntitiesOf
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.score import Score

__all__ = ["ContextEntityRecall", "context_entity_recall_score"]

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
    found = {_plain(entity) for entity in contexts}
    return len(wanted & found) / len(wanted) if wanted else None


def _plain(entity: str) -> str:
    return _ARTICLE.sub("", " ".join(folded(entity).split()))


class ContextEntityRecall(Metric):
    """Share of the reference's entities that the contexts name, in [0, 1]; higher is better.

    Asks the judge once, about all texts together. 0 if nothing was retrieved.
    """

    name = "context_entity_recall"
    needs = frozenset({"contexts", "reference"})
    requests = (EntitiesOf,)
    undefined = "The reference names no entity."
    aliases = ("context_entities_recall",)
    kin = {"ragas": "ContextEntityRecall"}

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        if not sample.reference.strip():
            return Score(None)
        wanted, *found = await self.judge.entities([sample.reference, *sample.texts])
        named = tuple(dict.fromkeys(entity for entities in found for entity in entities))
        value = context_entity_recall_score(named, wanted)
        return Score(value, {"reference": wanted, "contexts": named})
