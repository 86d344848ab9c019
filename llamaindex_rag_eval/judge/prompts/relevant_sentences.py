"""How a model is asked which sentences are needed to answer a question."""

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["RELEVANT_SENTENCES", "SentencesInput", "SentencesOutput"]


class SentencesInput(Wire):
    """The sentences of the contexts, then the question."""

    sentences: tuple[Numbered, ...]
    question: str


class SentencesOutput(Wire):
    """The ids of the sentences needed, after the reason."""

    reason: str
    needed: tuple[int, ...]


RELEVANT_SENTENCES = Prompt[SentencesInput, SentencesOutput](
    name="relevant_sentences",
    instruction="""\
Which of `sentences` are needed to answer `question`?
- `needed` lists the ids of the sentences that hold the answer or a part of it. A sentence that is only about the subject is not needed.
- If the sentences together do not hold enough to answer, `needed` is empty.
- `reason` first, in at most 15 words.""",
    input=SentencesInput,
    output=SentencesOutput,
    examples=(
        Example(
            input=SentencesInput(
                sentences=(
                    Numbered(id=1, text="The Tarn museum lies by the lake."),
                    Numbered(id=2, text="Entry to the Tarn museum is 9 euros."),
                    Numbered(id=3, text="Children under six pay nothing."),
                ),
                question="What does a family with a four-year-old pay at the Tarn museum?",
            ),
            output=SentencesOutput(
                reason="The price for adults and the rule for children.", needed=(2, 3)
            ),
        ),
    ),
)
