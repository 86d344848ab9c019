"""The question types, and for each the request that asks a model to write one."""

from collections.abc import Mapping

from testset.golden.item import QuestionType
from testset.requests.one_passage import (
    ConditionalOf,
    ConversationalOf,
    DistractingOf,
    DoubleOf,
    ReasoningOf,
    SingleHopOf,
    SituationalOf,
    TableOf,
)
from testset.requests.question import QuestionOf
from testset.requests.several_passages import MultiHopOf, SummaryOf
from testset.requests.traps import ConflictOf, FalsePremiseOf, UnanswerableOf, UnderspecifiedOf

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
