"""How a model is asked to write a follow-up."""

from testset.prompts.parts import FactWire, TurnWire, WriteInput, WriteOutput, writing

__all__ = ["CONVERSATIONAL"]

CONVERSATIONAL = writing(
    "conversational",
    """\
Write a follow-up in a conversation. `history` holds one earlier exchange: a question about one fact, and its real answer. `question` then follows up on another fact; it leans on the history, as by a pronoun, so that it is understood only together with it. `used` lists the facts of the follow-up alone.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Orla ferry was built at the Brevik yard."),
                FactWire(id=2, fact="The Orla ferry carries 120 passengers."),
            ),
            language="en",
        ),
        WriteOutput(
            used=(2,),
            history=(
                TurnWire(question="Where was the Orla ferry built?", answer="At the Brevik yard."),
            ),
            question="And how many passengers does it carry?",
            answer="120 passengers.",
            answer_facts=("The Orla ferry carries 120 passengers.",),
        ),
    ),
)
