"""How a model is asked to write a near miss."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["UNANSWERABLE"]

UNANSWERABLE = writing(
    "unanswerable",
    """\
Ask for something that the facts, and what likely stands around them, do not tell: a near miss. Same subject, same kind of detail, but another property, date, place or member. It must sound as if the documents could answer it. `answer` is empty, `answer_facts` too; `used` lists the facts that it comes near.""",
    (
        WriteInput(facts=(FactWire(id=1, fact="The Lume lamp weighs 310 grams."),), language="en"),
        WriteOutput(
            used=(1,),
            history=(),
            question="Who designed the Lume lamp?",
            answer="",
            answer_facts=(),
        ),
    ),
)
