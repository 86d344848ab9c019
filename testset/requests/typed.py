"""Question types: for each the request that asks a model to write one."""

from collections.abc import Mapping
from typing import Any, ClassVar

from llamaindex_rag_eval.models.prompt import Prompt
from testset.golden.item import QuestionType
from testset.prompts.conditional import CONDITIONAL
from testset.prompts.conflict import CONFLICT
from testset.prompts.conversational import CONVERSATIONAL
from testset.prompts.distracting import DISTRACTING
from testset.prompts.double import DOUBLE
from testset.prompts.false_premise import FALSE_PREMISE
from testset.prompts.multi_hop import MULTI_HOP
from testset.prompts.reasoning import REASONING
from testset.prompts.single_hop import SINGLE_HOP
from testset.prompts.situational import SITUATIONAL
from testset.prompts.summary import SUMMARY
from testset.prompts.table import TABLE
from testset.prompts.unanswerable import UNANSWERABLE
from testset.prompts.underspecified import UNDERSPECIFIED
from testset.requests.question import QuestionOf

__all__ = ["WRITING"]


class ConditionalOf(QuestionOf):
    """A question about what holds under a condition."""

    prompt: ClassVar[Prompt[Any, Any] | None] = CONDITIONAL


class ConflictOf(QuestionOf):
    """A question on which documents disagree."""

    prompt: ClassVar[Prompt[Any, Any] | None] = CONFLICT
    least: ClassVar[int] = 2


class ConversationalOf(QuestionOf):
    """A follow-up in a conversation."""

    prompt: ClassVar[Prompt[Any, Any] | None] = CONVERSATIONAL
    converses: ClassVar[bool] = True


class DistractingOf(QuestionOf):
    """A question with an aside that leads astray."""

    prompt: ClassVar[Prompt[Any, Any] | None] = DISTRACTING


class DoubleOf(QuestionOf):
    """Two questions in one."""

    prompt: ClassVar[Prompt[Any, Any] | None] = DOUBLE
    least: ClassVar[int] = 2


class FalsePremiseOf(QuestionOf):
    """A question that assumes something wrong."""

    prompt: ClassVar[Prompt[Any, Any] | None] = FALSE_PREMISE


class MultiHopOf(QuestionOf):
    """A question that takes several facts."""

    prompt: ClassVar[Prompt[Any, Any] | None] = MULTI_HOP
    least: ClassVar[int] = 2


class ReasoningOf(QuestionOf):
    """A question whose answer follows from facts."""

    prompt: ClassVar[Prompt[Any, Any] | None] = REASONING


class SingleHopOf(QuestionOf):
    """A question that one fact answers."""

    prompt: ClassVar[Prompt[Any, Any] | None] = SINGLE_HOP


class SituationalOf(QuestionOf):
    """A question from a person's situation."""

    prompt: ClassVar[Prompt[Any, Any] | None] = SITUATIONAL


class SummaryOf(QuestionOf):
    """A question for an overview."""

    prompt: ClassVar[Prompt[Any, Any] | None] = SUMMARY
    least: ClassVar[int] = 2


class TableOf(QuestionOf):
    """A question about the cells of a table."""

    prompt: ClassVar[Prompt[Any, Any] | None] = TABLE


class UnanswerableOf(QuestionOf):
    """A question that the documents come near, and do not answer."""

    prompt: ClassVar[Prompt[Any, Any] | None] = UNANSWERABLE
    answered: ClassVar[bool] = False


class UnderspecifiedOf(QuestionOf):
    """A question that must be asked back."""

    prompt: ClassVar[Prompt[Any, Any] | None] = UNDERSPECIFIED
    least: ClassVar[int] = 2


WRITING: Mapping[QuestionType, type[QuestionOf]] = {
    "conditional": ConditionalOf,
    "conflict": ConflictOf,
    "conversational": ConversationalOf,
    "distracting": DistractingOf,
    "double": DoubleOf,
    "false_premise": FalsePremiseOf,
    "multi_hop": MultiHopOf,
    "reasoning": ReasoningOf,
    "single_hop": SingleHopOf,
    "situational": SituationalOf,
    "summary": SummaryOf,
    "table": TableOf,
    "unanswerable": UnanswerableOf,
    "underspecified": UnderspecifiedOf,
}
"""Question type -> the request that writes it."""
