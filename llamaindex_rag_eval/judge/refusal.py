"""Refusal: does a response decline to answer? A critique that rules can answer."""

from typing import ClassVar

from llamaindex_rag_eval.judge.critique import Critique, CritiqueOf
from llamaindex_rag_eval.judge.rules.refusals import is_refusal
from llamaindex_rag_eval.models.request import Embed

__all__ = ["RefusalOf"]


class RefusalOf(CritiqueOf):
    """Does this response decline to answer the question?"""

    ruled: ClassVar[bool] = True

    aspect: str = "refusal"
    definition: str = (
        "The response declines to answer the question, or says that it cannot answer it or that "
        "the information is missing, and gives no answer. A response that names a gap and still "
        "answers is no refusal."
    )

    def by_rule(self, embed: Embed | None = None) -> Critique:
        """Look for phrases of refusal, and for statements beside them."""
        del embed
        refused = is_refusal(self.response)
        reason = "It says that it cannot answer." if refused else "It gives an answer."
        return Critique(verdict=refused, reason=reason)
