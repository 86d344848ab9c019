"""Answers: what is the answer, from these passages alone or from memory? May be none."""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.rules.refusals import is_refusal
from llamaindex_rag_eval.judge.wire import Numbered, Wire, numbered_texts
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.requests.question import Turn, TurnWire, turn_wires

__all__ = ["AnswerOf", "Answered"]


class Answered(Reply):
    """An answer, or that there is none.

    Attributes:
        answer: Empty if the question could not be answered.
        reason: Why, in words.
    """

    answer: str
    reason: str = ""

    @property
    def abstains(self) -> bool:
        """Whether the question could not be answered."""
        return not self.answer


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
                passages=numbered_texts(["The Lume lamp runs for nine hours on one charge."]),
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


class AnswerOf(Request[Answered]):
    """What is the answer to this question?

    Attributes:
        vote: Which of several independent answers this is; 0 for the first.
    """

    reply: ClassVar[type[Reply]] = Answered
    prompt: ClassVar[Prompt[Any, Any] | None] = ANSWER

    question: str
    passages: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()
    vote: int = 0

    def stand_in(self) -> Answered:
        """Answer with the text of the passages; without passages, abstain."""
        return Answered(answer="\n".join(self.passages))

    def to_prompt(self) -> AnswerInput:
        """Return passages, numbered from 1, history and question."""
        return AnswerInput(
            passages=numbered_texts(self.passages),
            history=turn_wires(self.history),
            question=self.question,
        )

    def from_prompt(self, output: AnswerOutput) -> Answered:
        """Return the answer; empty if the model says that it cannot answer, here or in the answer."""
        refused = not output.answerable or is_refusal(output.answer)
        return Answered(answer="" if refused else output.answer.strip(), reason=output.reason)
