"""Question types over passages of several documents: for each the prompt and the request."""

from typing import Any, ClassVar

from llamaindex_rag_eval.models.prompt import Prompt
from testset.requests.question import (
    FactWire,
    QuestionOf,
    Settings,
    WriteInput,
    WriteOutput,
    question_prompt,
)

__all__ = ["MultiHopOf", "SummaryOf"]

MULTI_HOP = question_prompt(
    "multi_hop",
    """\
Use two facts or more, such that none of them alone answers. `kind` says how they are joined: bridge (one fact leads to the thing that the other tells about; do not name that thing), comparison (the same property of two things), or across (parts from different documents make up the answer).""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1, fact="The Orla ferry was built at the Brevik yard.", document="ferries.md"
                ),
                FactWire(id=2, fact="The Brevik yard closed in 2004.", document="yards.md"),
            ),
            settings=Settings(language="en", kind="bridge"),
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="In which year did the yard that built the Orla ferry close?",
            answer="In 2004.",
            answer_facts=(
                "The Orla ferry was built at the Brevik yard.",
                "The Brevik yard closed in 2004.",
            ),
        ),
    ),
)


class MultiHopOf(QuestionOf):
    """A question that takes several facts."""

    prompt: ClassVar[Prompt[Any, Any] | None] = MULTI_HOP
    least: ClassVar[int] = 2


SUMMARY = question_prompt(
    "summary",
    """\
Ask for an overview, a development or the main points of a subject on which several facts, best of different documents, say something. Use two facts or more. The answer is two to four sentences.""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1, fact="The Orla ferry has run on batteries since 2019.", document="a.md"
                ),
                FactWire(
                    id=2,
                    fact="The harbour of Orla has charged ferries from solar roofs since 2021.",
                    document="b.md",
                ),
            ),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="How has ferry traffic at Orla been moved to clean energy?",
            answer="The Orla ferry has run on batteries since 2019. Since 2021 the harbour has charged ferries from solar roofs.",
            answer_facts=(
                "The Orla ferry has run on batteries since 2019.",
                "The harbour of Orla has charged ferries from solar roofs since 2021.",
            ),
        ),
    ),
)


class SummaryOf(QuestionOf):
    """A question for an overview."""

    prompt: ClassVar[Prompt[Any, Any] | None] = SUMMARY
    least: ClassVar[int] = 2
