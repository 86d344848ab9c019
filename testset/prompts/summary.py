"""How a model is asked to write an overview of several facts."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["SUMMARY"]

SUMMARY = writing(
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
            language="en",
        ),
        WriteOutput(
            used=(
                1,
                2,
            ),
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
