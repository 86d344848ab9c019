"""Context relevance: how relevant is a context to a question? A grade that rules can give."""

from typing import ClassVar

from llamaindex_rag_eval.data.sample import text_of
from llamaindex_rag_eval.judge.grade import Grade, GradeOf, Level
from llamaindex_rag_eval.judge.rules.relevance import relevance_grade
from llamaindex_rag_eval.models.request import Embed

__all__ = ["ContextRelevanceOf"]


class ContextRelevanceOf(GradeOf):
    """How relevant is this context (one, in `contexts`) to the question?"""

    ruled: ClassVar[bool] = True

    criterion: str = "context relevance"
    definition: str = "How much the context helps to answer the question."
    levels: tuple[Level, ...] = (
        Level(value=0, description="It holds nothing that helps to answer the question."),
        Level(value=1, description="It is on the subject, or answers a part of the question."),
        Level(value=2, description="It holds the whole answer to the question."),
    )

    def by_rule(self, embed: Embed | None = None) -> Grade:
        """Compare the words of the context with those of the question."""
        del embed
        text = "\n".join(text_of(context) for context in self.contexts)
        share = relevance_grade(self.query, text)
        levels = sorted(level.value for level in self.levels)
        return Grade(
            level=levels[round(share * (len(levels) - 1))],
            reason=f"It has {share:.0%} of the question's words, by weight.",
        )
