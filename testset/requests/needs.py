"""Needs: what must one know to understand a question?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Needs", "NeedsOf"]


class Needs(Reply):
    """What a question points at without naming it; nothing if it stands alone."""

    missing: tuple[str, ...] = ()


class NeedsInput(Wire):
    """The question alone."""

    question: str


class NeedsOutput(Wire):
    """What is missing; empty if the question stands alone."""

    missing: tuple[str, ...]
    stands_alone: bool


NEEDS = Prompt[NeedsInput, NeedsOutput](
    name="needs",
    instruction="""\
Someone who knows the field but sees no document reads `question`. Do they know what is asked about?
- `missing` lists, in its own words, each thing that the question points at without naming it: "it", "the table", "the author", "the second step", "the company" where no company is named.
- A name that one does not know is not missing: it can be looked up. Nor is the answer. What a general question leaves open on purpose is not missing.
- stands_alone is true exactly if nothing is missing.""",
    input=NeedsInput,
    output=NeedsOutput,
    examples=(
        Example(
            input=NeedsInput(
                question="In which year did the yard that built the Orla ferry close?"
            ),
            output=NeedsOutput(missing=(), stands_alone=True),
        ),
        Example(
            input=NeedsInput(
                question="How many passengers does the ferry carry according to the plan?"
            ),
            output=NeedsOutput(missing=("the ferry", "the plan"), stands_alone=False),
        ),
    ),
)


class NeedsOf(Request[Needs]):
    """What does this question leave unnamed?"""

    reply: ClassVar[type[Reply]] = Needs
    prompt: ClassVar[Prompt[Any, Any] | None] = NEEDS

    question: str

    def stand_in(self) -> Needs:
        """Find nothing missing."""
        return Needs()

    def to_prompt(self) -> NeedsInput:
        """Return the question."""
        return NeedsInput(question=self.question)

    def from_prompt(self, output: NeedsOutput) -> Needs:
        """Return what is missing; the verdict counts, and the list explains it."""
        if output.stands_alone:
            return Needs()
        return Needs(missing=output.missing or ("something",))
