"""How a model is asked to put a question in other words."""

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["PARAPHRASES", "ParaphrasesInput", "ParaphrasesOutput"]


class ParaphrasesInput(Wire):
    """The question, and how many paraphrases are wanted."""

    question: str
    n: int


class ParaphrasesOutput(Wire):
    """The paraphrases."""

    paraphrases: tuple[str, ...]


PARAPHRASES = Prompt[ParaphrasesInput, ParaphrasesOutput](
    name="paraphrases",
    instruction="""\
Put `question` in other words, `n` times, in its language, so that a search by words finds other documents: synonyms, another order, another part of speech. Names, numbers and what is asked stay the same.""",
    input=ParaphrasesInput,
    output=ParaphrasesOutput,
    examples=(
        Example(
            input=ParaphrasesInput(question="Who designed the Lume lamp?", n=2),
            output=ParaphrasesOutput(
                paraphrases=(
                    "Which designer created the Lume lamp?",
                    "By whom was the Lume lamp drawn up?",
                )
            ),
        ),
    ),
)
