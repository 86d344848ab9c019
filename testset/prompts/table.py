"""How a model is asked to write a cell of a table."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["TABLE"]

TABLE = writing(
    "table",
    """\
The facts come from the rows of a table. Ask for a cell, for the row with the most or the least, or for the difference of two cells. Name row and column in words that a person uses; do not say that there is a table.""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1, fact="In the list of lamps, the Lume lamp has a range of 12 metres."
                ),
                FactWire(
                    id=2, fact="In the list of lamps, the Nord lantern has a range of 30 metres."
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
            question="How much farther does the Nord lantern shine than the Lume lamp?",
            answer="18 metres: 30 against 12.",
            answer_facts=(
                "The Nord lantern has a range of 30 metres.",
                "The Lume lamp has a range of 12 metres.",
            ),
        ),
    ),
)
