"""How a model is asked to write two questions in one."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["DOUBLE"]

DOUBLE = writing(
    "double",
    """\
Ask two things in one message, as people do; each is answered by a fact of its own. The answer answers both. Use two facts.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Lume lamp weighs 310 grams."),
                FactWire(id=2, fact="The Lume lamp comes in green and grey."),
            ),
            language="en",
        ),
        WriteOutput(
            used=(
                1,
                2,
            ),
            history=(),
            question="What does the Lume lamp weigh, and in which colours does it come?",
            answer="It weighs 310 grams and comes in green and grey.",
            answer_facts=(
                "The Lume lamp weighs 310 grams.",
                "The Lume lamp comes in green and grey.",
            ),
        ),
    ),
)
