"""How a model is asked to write a wrong assumption."""

from testset.prompts.parts import FactWire, WriteInput, WriteOutput, writing

__all__ = ["FALSE_PREMISE"]

FALSE_PREMISE = writing(
    "false_premise",
    """\
The question takes for granted something that a fact contradicts: another number, date, name or order. It asks on from there as if it were true. The answer corrects the assumption, from the fact.""",
    (
        WriteInput(
            facts=(FactWire(id=1, fact="The Orla ferry has run on batteries since 2019."),),
            language="en",
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="Why was the Orla ferry switched to batteries only in 2022?",
            answer="It was not in 2022: the Orla ferry has run on batteries since 2019.",
            answer_facts=("The Orla ferry has run on batteries since 2019.",),
        ),
    ),
)
