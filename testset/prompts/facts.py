"""How a model is asked which facts a passage states."""

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["FACTS", "FactsInput", "FactsOutput", "QuotedFact"]


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
