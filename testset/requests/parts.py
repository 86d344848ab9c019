"""What several requests of a generator share: conversations, answers, proven facts."""

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import AliasChoices, ConfigDict, Field

from llamaindex_rag_eval.judge.wire import Wire, from_zero
from llamaindex_rag_eval.models.request import Reply


class WithSettings:
    """A request some fields of which are shown together: what is asked for, not what to read."""

    @property
    def settings(self) -> Self:
        """Fields of this request."""
        return self


class Stripped(Wire):
    """What a model replies, without blanks around its texts."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True)


class Turn(Reply):
    """One earlier exchange of a conversation."""

    question: str
    answer: str


Answer = Annotated[str, Field(validation_alias=AliasChoices("answer", "reference"))]
"""The answer, which requests call `reference`."""


class ProvenFact(Stripped, Reply):
    """A statement of an answer, and the words that prove it, in the passage of this number.

    Numbers are from 0, and from 1 where a model writes them.
    """

    fact: str
    passage: int
    quote: str


def facts_from_zero(facts: Sequence[ProvenFact], count: int) -> tuple[ProvenFact, ...]:
    """Return facts with the numbers of their passages from 0.

    Raises:
        ReplyError: A passage does not exist.
    """
    from_zero([row.passage for row in facts], count, "passage")
    return tuple(row.model_copy(update={"passage": row.passage - 1}) for row in facts)
