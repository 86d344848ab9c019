"""Questions: what would one have to ask to be given this text?"""

from pydantic import Field

from llamaindex_rag_eval.judge.rules.questions import questions_of
from llamaindex_rag_eval.judge.wire import Wire, check_count
from llamaindex_rag_eval.models.request import Embed, Reply, Request, written


class Questions(Reply):
    """Questions that a text answers.

    Attributes:
        questions: As many as were asked for.
        noncommittal: Whether the text evades, as in "I do not know".
    """

    questions: tuple[str, ...]
    noncommittal: bool = False


class QuestionsOutput(Wire):
    """The questions, after whether the text evades."""

    noncommittal: bool
    questions: tuple[str, ...]


class QuestionsOf(Request[Questions]):
    """Which `n` questions does this text answer?"""

    prompt = written("questions", output_model=QuestionsOutput)

    text: str
    n: int = Field(default=3, ge=1)

    def check(self, reply: Questions) -> None:
        """Check that there are `n` questions; an evasive text may have none."""
        if not (reply.noncommittal and not reply.questions):
            check_count("questions", len(reply.questions), "asked for", self.n)

    def by_rule(self, embed: Embed | None = None) -> Questions:
        """Turn statements into questions."""
        del embed
        questions, noncommittal = questions_of(self.text, self.n)
        return Questions(questions=questions, noncommittal=noncommittal)
