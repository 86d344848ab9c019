"""Answers: what is the answer, from these passages alone? May be none."""

from typing import Any, ClassVar

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
    """The passages; then the conversation and the question."""

    passages: tuple[Numbered, ...]
    history: tuple[TurnWire, ...] = ()
    question: str


class AnswerOutput(Wire):
    """The passages that tell, whether that settles the question, then the answer; or nothing."""

    used: tuple[int, ...]
    reason: str
    answerable: bool
    answer: str


ANSWER = Prompt[AnswerInput, AnswerOutput](
    name="answer",
    instruction="""\
Answer `question` from `passages` alone, not from what you know, in the language of the question and as briefly as is complete: all steps, duties or members that are asked for.
- A passage may begin with its title and headings, in brackets: they say what it is about. `history`, if given, says what the question refers to.
- `used` first: the ids of the passages that tell the answer. Then `reason`, in English and at most 15 words.
- If the passages do not settle the question, or settle only a part of it, `used` and `answer` are empty and `answerable` is false. Do not guess, and do not answer another question than the one asked.
- If they show that the question assumes something wrong, say so in the answer; if they disagree, say what each says.""",
    input=AnswerInput,
    output=AnswerOutput,
    examples=(
        Example(
            input=AnswerInput(
                passages=numbered_texts(
                    ["[Lume lamp / Battery]\nIt runs for nine hours on one charge."]
                ),
                question="How long does the Lume lamp run on one charge?",
            ),
            output=AnswerOutput(
                used=(1,),
                reason="Passage 1 says nine hours.",
                answerable=True,
                answer="Nine hours.",
            ),
        ),
        Example(
            input=AnswerInput(
                passages=numbered_texts(["[Lume lamp]\nIt weighs 310 grams."]),
                question="Who designed the Lume lamp?",
            ),
            output=AnswerOutput(
                used=(), reason="Only the weight is told.", answerable=False, answer=""
            ),
        ),
    ),
)


class AnswerOf(Request[Answered]):
    """What do these passages answer?"""

    reply: ClassVar[type[Reply]] = Answered
    prompt: ClassVar[Prompt[Any, Any] | None] = ANSWER

    question: str
    passages: tuple[str, ...]
    history: tuple[Turn, ...] = ()

    def stand_in(self) -> Answered:
        """Answer with the text of the passages."""
        return Answered(answer="\n".join(self.passages))

    def to_prompt(self) -> AnswerInput:
        """Return passages, numbered from 1, history and question."""
        return AnswerInput(
            passages=numbered_texts(self.passages),
            history=turn_wires(self.history),
            question=self.question,
        )

    def from_prompt(self, output: AnswerOutput) -> Answered:
        """Return the answer; empty if no passage tells it, whatever the words of the answer are."""
        told = output.answerable and output.used
        return Answered(answer=output.answer.strip() if told else "", reason=output.reason)
