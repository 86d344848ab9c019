"""Question types over two linked passages: for each the prompt and the request."""

from typing import Any, ClassVar

from llamaindex_rag_eval.models.prompt import Prompt
from testset.requests.question import (
    FactWire,
    QuestionOf,
    Settings,
    WriteInput,
    WriteOutput,
    answer_facts,
    question_prompt,
)

MULTI_HOP = question_prompt(
    "multi_hop",
    """\
The facts stand in two places, and whoever reads one place alone can neither read nor guess the answer. Use a fact of each. settings.kind says how they are joined:
- bridge: one fact leads to the thing that the other tells about. Describe that thing by the first fact; leave out its name, also where `asks` gives it.
- comparison: ask how two things differ in one property, as somebody does who has to choose or mixes them up; the answer tells of both.
- sequence: one fact tells what comes first or is required, the other what follows.
- combination: one case falls under both facts, and the answer takes both.
The question does not tell what one fact says, and asks one thing: no "and" between two questions.""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1, fact="The Orla ferry was built at the Brevik yard.", document="ferries.md"
                ),
                FactWire(id=2, fact="The Brevik yard closed in 2004.", document="yards.md"),
            ),
            settings=Settings(language="en", kind="bridge"),
            persona="A historian of northern shipyards.",
            asks="when the yard that built the Orla ferry closed",
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="In which year did the yard that built the Orla ferry close?",
            answer="In 2004.",
            answer_facts=answer_facts(
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
            answer_facts=answer_facts(
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
