"""The question types: for each the request that asks a model to write one."""

from collections.abc import Mapping

from testset.golden.item import QuestionType
from testset.requests.question import QuestionOf, question_prompt


class ConditionalOf(QuestionOf):
    """A question about what holds under a condition."""

    prompt = question_prompt("conditional")


class ConflictOf(QuestionOf):
    """A question on which documents disagree."""

    prompt = question_prompt("conflict")
    least = 2


class ConversationalOf(QuestionOf):
    """A follow-up in a conversation."""

    prompt = question_prompt("conversational")
    converses = True
    least_okay = 1


class DistractingOf(QuestionOf):
    """A question with a remark that does not bear on it."""

    prompt = question_prompt("distracting")


class DoubleOf(QuestionOf):
    """Two questions in one."""

    prompt = question_prompt("double")
    least = 2


class FalsePremiseOf(QuestionOf):
    """A question that assumes something wrong."""

    prompt = question_prompt("false_premise")


class MultiHopOf(QuestionOf):
    """A question that takes several facts."""

    prompt = question_prompt("multi_hop")
    least = 2


class ReasoningOf(QuestionOf):
    """A question whose answer follows from facts."""

    prompt = question_prompt("reasoning")


class SingleHopOf(QuestionOf):
    """A question that one fact answers."""

    prompt = question_prompt("single_hop")


class SituationalOf(QuestionOf):
    """A question from a person's situation."""

    prompt = question_prompt("situational")


class SummaryOf(QuestionOf):
    """A question for an overview."""

    prompt = question_prompt("summary")
    least = 2


class TableOf(QuestionOf):
    """A question about the cells of a table."""

    prompt = question_prompt("table")


class UnanswerableOf(QuestionOf):
    """A question that the documents come near, and do not answer."""

    prompt = question_prompt("unanswerable")
    answered = False


class UnderspecifiedOf(QuestionOf):
    """A question that must be asked back."""

    prompt = question_prompt("underspecified")
    least = 2


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
