"""How a model is asked to write what holds under a condition."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["CONDITIONAL"]

CONDITIONAL = writing(
    "conditional",
    """\
Ask what holds under a condition, an exception or a case that the facts state. The question names the condition; without it the answer would be another one or none.""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1,
                    fact="Returns are free within 30 days; after that the buyer of the Lume lamp pays the postage.",
                ),
            ),
            language="en",
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="Who pays the postage if a Lume lamp is returned after 40 days?",
            answer="The buyer.",
            answer_facts=("The buyer pays the postage of a Lume lamp returned after 30 days.",),
        ),
    ),
)
