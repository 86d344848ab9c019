"""How a model is asked to write what takes several facts."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["MULTI_HOP"]

MULTI_HOP = writing(
    "multi_hop",
    """\
Use two facts or more, such that none of them alone answers. `kind` says how they are joined: bridge (one fact leads to the thing that the other tells about; do not name that thing), comparison (the same property of two things), or across (parts from different documents make up the answer).""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1, fact="The Orla ferry was built at the Brevik yard.", document="ferries.md"
                ),
                FactWire(id=2, fact="The Brevik yard closed in 2004.", document="yards.md"),
            ),
            language="en",
            kind="bridge",
        ),
        WriteOutput(
            used=(
                1,
                2,
            ),
            history=(),
            question="In which year did the yard that built the Orla ferry close?",
            answer="In 2004.",
            answer_facts=(
                "The Orla ferry was built at the Brevik yard.",
                "The Brevik yard closed in 2004.",
            ),
        ),
    ),
)
