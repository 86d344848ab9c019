"""How a model is asked to write a person's situation."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["SITUATIONAL"]

SITUATIONAL = writing(
    "situational",
    """\
Begin with the situation of the person who asks, in one short sentence with only what matters, then ask what to do or what holds for them. The facts settle it.""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1,
                    fact="Seed potatoes must not be planted before the soil has reached 8 degrees.",
                ),
            ),
            language="en",
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="My soil is at 6 degrees and the seed potatoes have come: may I plant them now?",
            answer="Not yet: the soil must first reach 8 degrees.",
            answer_facts=(
                "Seed potatoes must not be planted before the soil has reached 8 degrees.",
            ),
        ),
    ),
)
