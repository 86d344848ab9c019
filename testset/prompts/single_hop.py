"""How a model is asked to write a single fact asked for directly."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["SINGLE_HOP"]

SINGLE_HOP = writing(
    "single_hop",
    """\
Use one fact. `kind` says what is asked for: factoid, list (name all members), numeric, temporal, definition, or procedure (the steps in order). Take the fact that best fits the kind.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Lume lamp runs for nine hours on one charge."),
                FactWire(id=2, fact="The Lume lamp weighs 310 grams."),
            ),
            language="en",
            kind="numeric",
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="How long does the Lume lamp run on one charge?",
            answer="Nine hours.",
            answer_facts=("The Lume lamp runs for nine hours on one charge.",),
        ),
    ),
)
