"""How a model is asked to answer a question, from passages alone or from what it knows."""

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire, numbered
from llamaindex_rag_eval.models.prompt import Example, Prompt
from testset.prompts.parts import TurnWire

__all__ = ["ANSWER", "AnswerInput", "AnswerOutput"]


class AnswerInput(Wire):
    """The passages, if there are any; then the conversation and the question."""

    passages: tuple[Numbered, ...] = ()
    history: tuple[TurnWire, ...] = ()
    question: str


class AnswerOutput(Wire):
    """Whether the question can be answered, then the answer; empty if it cannot."""

    reason: str
    answerable: bool
    answer: str


ANSWER = Prompt[AnswerInput, AnswerOutput](
    name="answer",
    instruction="""\
Answer `question`, in its language and as briefly as is complete.
- If `passages` are given, use them alone, not what you know. If none are given, answer from what you know.
- If that does not settle the question, answerable is false and `answer` is empty. Do not guess, and do not answer another question than the one asked.
- If the passages show that the question assumes something wrong, say so in the answer; if they disagree, say what each says.
- `reason` first, in at most 15 words.""",
    input=AnswerInput,
    output=AnswerOutput,
    examples=(
        Example(
            input=AnswerInput(
                passages=numbered(["The Lume lamp runs for nine hours on one charge."]),
                question="How long does the Lume lamp run on one charge?",
            ),
            output=AnswerOutput(
                reason="Passage 1 says nine hours.", answerable=True, answer="Nine hours."
            ),
        ),
        Example(
            input=AnswerInput(question="Who designed the Lume lamp?"),
            output=AnswerOutput(reason="I do not know this lamp.", answerable=False, answer=""),
        ),
    ),
)
