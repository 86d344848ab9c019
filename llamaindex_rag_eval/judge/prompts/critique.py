"""How a model is asked whether an answer has an aspect."""

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["CRITIQUE", "CritiqueInput", "CritiqueOutput"]


class CritiqueInput(Wire):
    """What is judged, then the aspect it is judged for."""

    contexts: tuple[Numbered, ...] = ()
    question: str = ""
    reference: str = ""
    response: str
    aspect: str
    definition: str


class CritiqueOutput(Wire):
    """The reason, then the verdict."""

    reason: str
    verdict: bool


CRITIQUE = Prompt[CritiqueInput, CritiqueOutput](
    name="critique",
    instruction="""\
Does `response` have the aspect called `aspect`? Only `definition` says what the aspect is.
- verdict is true if the definition holds for the response, false if it does not; whether that is good or bad is not asked.
- `question`, `contexts` and `reference` are given where they help to judge the response.
- `reason` first, in one sentence that names what in the response decides.""",
    input=CritiqueInput,
    output=CritiqueOutput,
    examples=(
        Example(
            input=CritiqueInput(
                question="When does the pool open?",
                response="At seven. By the way, our café sells wonderful cakes, do come!",
                aspect="conciseness",
                definition="Does the response say what was asked, and nothing beside it?",
            ),
            output=CritiqueOutput(
                reason="The remark on the café was not asked for.", verdict=False
            ),
        ),
    ),
)
