"""How a model is asked to write an inference over facts."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["REASONING"]

REASONING = writing(
    "reasoning",
    """\
The answer is not said anywhere; it follows from the facts in one or two sure steps: a calculation, a cause, an order in time, what a rule means for a case. The answer gives the result and, in a clause, why.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="Each Solo rack holds 24 trays."),
                FactWire(id=2, fact="A tray of the Solo rack holds 50 seedlings."),
            ),
            language="en",
        ),
        WriteOutput(
            used=(
                1,
                2,
            ),
            history=(),
            question="How many seedlings fit into one Solo rack?",
            answer="1,200 seedlings: 24 trays of 50 each.",
            answer_facts=(
                "A Solo rack holds 24 trays.",
                "A tray holds 50 seedlings.",
                "A Solo rack holds 1,200 seedlings.",
            ),
        ),
    ),
)
