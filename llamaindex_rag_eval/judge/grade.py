"""Grade: which level of a described scale fits a text?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.data.sample import Context, Image
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.prompts.grade import GRADE, GradeInput, GradeLevel, GradeOutput
from llamaindex_rag_eval.judge.prompts.parts import numbered_contexts, pictures
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Grade", "GradeOf", "Level"]


class Level(Reply):
    """One level of an ordinal scale: its value and what an answer of this level is like."""

    value: int
    description: str


class Grade(Reply):
    """A level on a described scale, with the reason before it."""

    reason: str = ""
    level: int


class GradeOf(Request[Grade]):
    """Which level of this scale describes the text?

    Attributes:
        criterion: The name of what is graded.
        definition: What is to be judged.
        levels: The scale, each level described.
        steps: How to go about it, one step an entry.
    """

    reply: ClassVar[type[Reply]] = Grade
    prompt: ClassVar[Prompt[Any, Any] | None] = GRADE

    criterion: str
    definition: str
    levels: tuple[Level, ...]
    response: str = ""
    query: str = ""
    contexts: tuple[Context, ...] = ()
    reference: str = ""
    steps: tuple[str, ...] = ()

    def check(self, reply: Grade) -> None:
        """Hold the reply to a level of the scale."""
        known = [level.value for level in self.levels]
        if reply.level not in known:
            raise ReplyError(f"level {reply.level} is not on the scale {known}")

    def stand_in(self) -> Grade:
        """Return some reply of the right form."""
        return Grade(level=self.levels[-1].value)

    def to_prompt(self) -> GradeInput:
        """Return what is graded, the criterion and its scale."""
        return GradeInput(
            contexts=numbered_contexts(self.contexts),
            question=self.query,
            reference=self.reference,
            response=self.response,
            criterion=self.criterion,
            definition=self.definition,
            steps=self.steps,
            scale=tuple(GradeLevel(level=x.value, means=x.description) for x in self.levels),
        )

    def from_prompt(self, output: GradeOutput) -> Grade:
        """Return the level."""
        return Grade(reason=output.reason, level=output.level)

    @property
    def images(self) -> tuple[Image, ...]:
        """The images among the contexts."""
        return pictures(self.contexts)
