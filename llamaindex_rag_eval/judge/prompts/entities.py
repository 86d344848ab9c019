"""How a model is asked for the entities of texts."""

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["ENTITIES", "EntitiesInput", "EntitiesOfText", "EntitiesOutput"]


class EntitiesInput(Wire):
    """The texts."""

    texts: tuple[Numbered, ...]


class EntitiesOfText(Wire):
    """The entities of one text."""

    text: int
    entities: tuple[str, ...]


class EntitiesOutput(Wire):
    """One list for each text."""

    texts: tuple[EntitiesOfText, ...]


ENTITIES = Prompt[EntitiesInput, EntitiesOutput](
    name="entities",
    instruction="""\
List the entities that each of `texts` names: people, organisations, places, products, works, events, dates, numbers with their units, and technical terms.
- Write an entity as the text writes it, once; where texts name the same thing in different ways, use the fullest name in all of them.
- No common nouns, no adjectives, no sentences.
- Give exactly one list for each text, in order of their ids; it may be empty.""",
    input=EntitiesInput,
    output=EntitiesOutput,
    examples=(
        Example(
            input=EntitiesInput(
                texts=(
                    Numbered(id=1, text="In 1931 Lise Aho opened the Nordlys observatory."),
                    Numbered(id=2, text="It rained, and Aho's telescope stayed shut for 3 weeks."),
                )
            ),
            output=EntitiesOutput(
                texts=(
                    EntitiesOfText(text=1, entities=("1931", "Lise Aho", "Nordlys observatory")),
                    EntitiesOfText(text=2, entities=("Lise Aho", "3 weeks")),
                )
            ),
        ),
    ),
)
