"""How a model is asked to write documents that disagree."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["CONFLICT"]

CONFLICT = writing(
    "conflict",
    """\
The facts of different documents disagree on one point. Ask about that point as someone who does not know of the disagreement. The answer gives what each document says, and that they disagree. Use two facts.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Brevik yard closed in 2004.", document="yards.md"),
                FactWire(
                    id=2, fact="The Brevik yard was closed down in 2006.", document="history.md"
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
            question="In which year did the Brevik yard close?",
            answer="The documents disagree: one says 2004, the other 2006.",
            answer_facts=(
                "One document says that the Brevik yard closed in 2004.",
                "One document says that the Brevik yard closed in 2006.",
            ),
        ),
    ),
)
