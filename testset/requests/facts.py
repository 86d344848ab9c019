"""Facts: what does a passage state, and in which words?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.prompts.facts import FACTS, FactsInput, FactsOutput

__all__ = ["Fact", "Facts", "FactsOf"]

USUAL = 5
"""Facts that a model finds in a passage, about."""
SHORTEST = 12
"""Characters; what is shorter is a heading or a mark."""


class Fact(Reply):
    """One statement and the words of the passage that make it."""

    statement: str
    quote: str


class Facts(Reply):
    """The facts of a passage, in its order; none if it states none."""

    facts: tuple[Fact, ...]


class FactsOf(Request[Facts]):
    """Which facts does this passage state?"""

    reply: ClassVar[type[Reply]] = Facts
    prompt: ClassVar[Prompt[Any, Any] | None] = FACTS

    passage: str
    headings: tuple[str, ...] = ()

    def stand_in(self) -> Facts:
        """Take each sentence for a fact."""
        lines = [line for line in sentences(self.passage) if len(line) >= SHORTEST]
        lines = lines or [self.passage.strip()]
        return Facts(facts=tuple(Fact(statement=line, quote=line) for line in lines[:USUAL]))

    def to_prompt(self) -> FactsInput:
        """Return the passage under its headings."""
        return FactsInput(headings=self.headings, passage=self.passage)

    def from_prompt(self, output: FactsOutput) -> Facts:
        """Return the facts that say something."""
        found = (Fact(statement=e.fact.strip(), quote=e.quote) for e in output.facts)
        return Facts(facts=tuple(fact for fact in found if fact.statement and fact.quote.strip()))
