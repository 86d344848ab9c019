"""Giskard RAGET: a `QATestset` as JSON Lines, as its `load` reads it.

Types of questions that RAGET does not know keep their own name. Source: "RAGET Testset Generation",
https://docs-oss.giskard.ai/en/stable/open_source/testset_generation/testset_generation/.
"""

from collections.abc import Mapping

from testset.formats.records import Field, Records
from testset.golden.item import QuestionType

TYPES: Mapping[str, QuestionType] = {
    "simple": "single_hop",
    "complex": "reasoning",
    "distracting element": "distracting",
    "situational": "situational",
    "double": "double",
    "conversational": "conversational",
}
"""RAGET's name of a question type -> ours."""
NAMES = {ours: theirs for theirs, ours in TYPES.items()}
SEPARATOR = "\n\n"
"""Put between several contexts, for which RAGET has one text."""

QUESTIONS = Records(
    "raget",
    (
        Field("id", "id"),
        Field("question", "question"),
        Field("reference_answer", "reference"),
        Field(
            "reference_context",
            "contexts",
            lambda item: SEPARATOR.join(group[0].quote for group in item.gold),
        ),
        Field("conversation_history", "turns"),
        Field("metadata", "metadata"),
        Field(
            "metadata.question_type",
            "type",
            lambda item: NAMES.get(item.type, item.type),
            lambda name: TYPES.get(str(name), "single_hop"),
        ),
        Field("metadata.seed_document_id", "document"),
    ),
)

FORMATS = (QUESTIONS.format,)
