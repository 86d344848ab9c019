"""How a model is asked to write a question with an aside."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["DISTRACTING"]

DISTRACTING = writing(
    "distracting",
    """\
Use one fact. Work in `aside`, a true statement on something else, as a remark that does not bear on the answer but could lead a search astray. The question still stands alone and has one answer, which the aside does not change.""",
    (
        WriteInput(
            facts=(FactWire(id=1, fact="The Lume lamp weighs 310 grams."),),
            language="en",
            aside="The Nord lantern hangs in many huts.",
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="Our hut has a Nord lantern like many others, but what does the Lume lamp weigh?",
            answer="310 grams.",
            answer_facts=("The Lume lamp weighs 310 grams.",),
        ),
    ),
)
