"""How a model is asked who would ask about these documents."""

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["PERSONAS", "PersonasInput", "PersonasOutput"]


class PersonasInput(Wire):
    """What the documents are about, and how many personas are wanted."""

    topics: tuple[str, ...]
    n: int


class PersonasOutput(Wire):
    """The personas, one sentence each."""

    personas: tuple[str, ...]


PERSONAS = Prompt[PersonasInput, PersonasOutput](
    name="personas",
    instruction="""\
Name `n` different people who would put questions to a collection of documents on `topics`. One sentence each, in English: who they are, what they want to get done, how much they know already. Cover beginners and experts; give no personal names.""",
    input=PersonasInput,
    output=PersonasOutput,
    examples=(
        Example(
            input=PersonasInput(topics=("Orla ferry timetable", "Ferry maintenance"), n=2),
            output=PersonasOutput(
                personas=(
                    "A visitor who plans a day trip and has never taken the ferry.",
                    "A ship's mechanic who prepares the yearly overhaul.",
                )
            ),
        ),
    ),
)
