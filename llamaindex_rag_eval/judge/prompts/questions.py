"""How a model is asked which questions a text answers."""

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["QUESTIONS", "QuestionsInput", "QuestionsOutput"]


class QuestionsInput(Wire):
    """The text, and how many questions are wanted."""

    text: str
    n: int


class QuestionsOutput(Wire):
    """The questions, after whether the text evades."""

    noncommittal: bool
    questions: tuple[str, ...]


QUESTIONS = Prompt[QuestionsInput, QuestionsOutput](
    name="questions",
    instruction="""\
Write exactly `n` questions to which `text` would be a complete and direct answer, in the language of the text.
- Ask for what the text says as a whole, each time in other words; do not ask for side remarks.
- noncommittal is true if the text evades: it says that it does not know, cannot tell, or that the documents do not say. Write `n` questions all the same.""",
    input=QuestionsInput,
    output=QuestionsOutput,
    examples=(
        Example(
            input=QuestionsInput(text="The Lume lamp runs for nine hours on one charge.", n=2),
            output=QuestionsOutput(
                noncommittal=False,
                questions=(
                    "How long does the Lume lamp run on one charge?",
                    "What is the battery life of the Lume lamp?",
                ),
            ),
        ),
        Example(
            input=QuestionsInput(text="I am not sure, the text does not mention it.", n=1),
            output=QuestionsOutput(noncommittal=True, questions=("Does the text mention it?",)),
        ),
    ),
)
