"""Facts: what does a passage state, and in which words?"""

from typing import Any, ClassVar

from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request

__all__ = ["Fact", "Facts", "FactsOf"]

STAND_IN_FACTS = 5
"""Facts of a stand-in reply at most; a model finds about as many in a passage."""
STAND_IN_CHARACTERS = 12
"""Characters of a stand-in fact at least; what is shorter is a heading or a mark."""


class Fact(Reply):
    """One statement and the words of the passage that make it."""

    statement: str
    quote: str


class Facts(Reply):
    """The facts of a passage, in its order; none if it states none."""

    facts: tuple[Fact, ...]


class FactsInput(Wire):
    """The passage, and the headings it stands under."""

    headings: tuple[str, ...] = ()
    passage: str


class QuotedFact(Wire):
    """A fact, after the words that state it."""

    quote: str
    fact: str


class FactsOutput(Wire):
    """The facts, in the order of the passage."""

    facts: tuple[QuotedFact, ...]


FACTS = Prompt[FactsInput, FactsOutput](
    name="facts",
    instruction="""\
List the facts that `passage` states and that someone may want to know: up to 8, in the order in which they stand.
- `quote` is the shortest whole stretch of the passage that states the fact, usually a sentence, copied character by character: no dots, no repair of spelling. For a row of a table, the row.
- `fact` is one statement in the language of the passage, understood without it: names in place of pronouns, dates and units kept, conditions kept.
- Leave out navigation, legal notices, examples of notation, and what only points to other places. A passage without facts has none.""",
    input=FactsInput,
    output=FactsOutput,
    examples=(
        Example(
            input=FactsInput(
                headings=("Orla ferry",),
                passage="It was built at the Brevik yard in 1998. Since 2019 it runs on batteries, except in storms. See also: timetable.",
            ),
            output=FactsOutput(
                facts=(
                    QuotedFact(
                        quote="It was built at the Brevik yard in 1998.",
                        fact="The Orla ferry was built at the Brevik yard in 1998.",
                    ),
                    QuotedFact(
                        quote="Since 2019 it runs on batteries, except in storms.",
                        fact="Since 2019 the Orla ferry runs on batteries, except in storms.",
                    ),
                )
            ),
        ),
    ),
)


class FactsOf(Request[Facts]):
    """Which facts does this passage state?"""

    reply: ClassVar[type[Reply]] = Facts
    prompt: ClassVar[Prompt[Any, Any] | None] = FACTS

    passage: str
    headings: tuple[str, ...] = ()

    def stand_in(self) -> Facts:
        """Take each sentence for a fact."""
        lines = [line for line in sentences(self.passage) if len(line) >= STAND_IN_CHARACTERS]
        lines = lines or [self.passage.strip()]
        return Facts(
            facts=tuple(Fact(statement=line, quote=line) for line in lines[:STAND_IN_FACTS])
        )

    def to_prompt(self) -> FactsInput:
        """Return the passage under its headings."""
        return FactsInput(headings=self.headings, passage=self.passage)

    def from_prompt(self, output: FactsOutput) -> Facts:
        """Return the facts that say something."""
        found = (Fact(statement=e.fact.strip(), quote=e.quote) for e in output.facts)
        return Facts(facts=tuple(fact for fact in found if fact.statement and fact.quote.strip()))
