"""How a model is asked to write a question that must be asked back."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["UNDERSPECIFIED"]

UNDERSPECIFIED = writing(
    "underspecified",
    """\
Leave out what is needed to choose between two facts: the question fits both, and each would give another answer. The answer says what must be known first, and what the candidates are. Use two facts.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Lume lamp runs for nine hours."),
                FactWire(id=2, fact="The Nord lantern runs for 20 hours."),
            ),
            language="en",
        ),
        WriteOutput(
            used=(
                1,
                2,
            ),
            history=(),
            question="How long does the lamp run?",
            answer="That depends on which lamp is meant: the Lume lamp or the Nord lantern.",
            answer_facts=(
                "The Lume lamp runs for nine hours.",
                "The Nord lantern runs for 20 hours.",
            ),
        ),
    ),
)
