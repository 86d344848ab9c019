"""Grade: which level of a described scale fits a text?

The relevance of a context is a grade with a scale of its own, which rules can give.
"""

from pydantic import AliasChoices, Field

from llamaindex_rag_eval.data.sample import Context, text_of
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.rules.questions import relevance_grade, response_grade
from llamaindex_rag_eval.judge.wire import Contexts, Question, Wire
from llamaindex_rag_eval.models.request import Embed, Reply, Request, written


class Level(Reply):
    """One level of an ordinal scale: its value and what an answer of this level is like."""

    value: int
    description: str


class Grade(Reply):
    """A level on a described scale, with the reason before it."""

    reason: str = ""
    level: int


class GradeLevel(Wire):
    """One level of the scale."""

    level: int = Field(validation_alias=AliasChoices("level", "value"))
    means: str = Field(validation_alias=AliasChoices("means", "description"))


class GradeInput(Wire):
    """What is graded, then the criterion and its scale."""

    contexts: Contexts = Field(default_factory=dict)
    question: Question = ""
    reference: str = ""
    response: str = ""
    criterion: str
    definition: str
    steps: tuple[str, ...] = ()
    scale: tuple[GradeLevel, ...] = Field(validation_alias=AliasChoices("scale", "levels"))


class GradeOutput(Wire):
    """The reason, then the level."""

    reason: str
    level: int


class GradeOf(Request[Grade]):
    """Which level of this scale describes the text?

    Attributes:
        criterion: The name of what is graded.
        definition: What is to be judged.
        levels: The scale, each level described.
        steps: How to go about it, one step an entry.
    """

    prompt = written("grade", GradeInput, GradeOutput)

    criterion: str
    definition: str
    levels: tuple[Level, ...]
    response: str = ""
    query: str = ""
    contexts: tuple[Context, ...] = ()
    reference: str = ""
    steps: tuple[str, ...] = ()

    def check(self, reply: Grade) -> None:
        """Check that the level is on the scale."""
        known = [level.value for level in self.levels]
        if reply.level not in known:
            raise ReplyError(f"level {reply.level} is not on the scale {known}")

    def stand_in(self) -> Grade:
        """Return a reply of the right form, for a dry run without a model."""
        return Grade(level=self.levels[-1].value)


class ContextRelevanceOf(GradeOf):
    """How relevant is this context (one, in `contexts`) to the question?"""

    criterion: str = "context relevance"
    definition: str = "How much the context helps to answer the question."
    levels: tuple[Level, ...] = (
        Level(value=0, description="It holds nothing that helps to answer the question."),
        Level(value=1, description="It is on the subject, or answers a part of the question."),
        Level(value=2, description="It holds the whole answer to the question."),
    )

    @property
    def contexts_first(self) -> bool:
        """No other judgement shows one context alone."""
        return False

    def by_rule(self, embed: Embed | None = None) -> Grade:
        """Compare the words of the context with those of the question."""
        del embed
        text = "\n".join(text_of(context) for context in self.contexts)
        share = relevance_grade(self.query, text)
        levels = sorted(level.value for level in self.levels)
        return Grade(
            level=levels[round(share * (len(levels) - 1))],
            reason=f"It has {share:.0%} of the question's words, by weight.",
        )


class ResponseRelevanceOf(GradeOf):
    """How far does this response answer the question that was asked, be it true or not?"""

    criterion: str = "response_relevance"
    definition: str = "How far the response answers the question that was asked, be it true or not."
    levels: tuple[Level, ...] = (
        Level(value=0, description="It has nothing to do with the question, or gives no answer."),
        Level(value=1, description="It is on the subject and does not answer."),
        Level(value=2, description="It answers in part."),
        Level(value=3, description="It answers the question."),
    )

    def by_rule(self, embed: Embed | None = None) -> Grade:
        """Compare the words of the response with those of the question; short answers have none."""
        del embed
        share, reason = response_grade(self.query, self.response)
        levels = sorted(level.value for level in self.levels)
        return Grade(level=levels[round(share * (len(levels) - 1))], reason=reason)
