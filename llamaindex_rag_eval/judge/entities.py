"""Entities: the names, places, dates, numbers and terms of a text."""

from collections.abc import Sequence
from typing import Any, ClassVar

from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.wire import (
    Numbered,
    Wire,
    check_count,
    context_halves,
    numbered_texts,
    places_in_order,
)
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["Entities", "EntitiesOf"]


class Entities(Reply):
    """The entities of each text, in the order of the texts."""

    entities: tuple[tuple[str, ...], ...]


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


class EntitiesOf(Request[Entities]):
    """Which entities (names, places, dates, numbers, terms) does each of these texts name?"""

    reply: ClassVar[type[Reply]] = Entities
    prompt: ClassVar[Prompt[Any, Any] | None] = ENTITIES
    ruled: ClassVar[bool] = True

    texts: tuple[str, ...]

    def check(self, reply: Entities) -> None:
        """Check that there is one list per text."""
        check_count("lists of entities", len(reply.entities), "texts", len(self.texts))

    def by_rule(self, embed: Embed | None = None) -> Entities:
        """Take capitalised names, numbers with units, dates, and terms."""
        del embed
        return Entities(entities=tuple(entities_of(text) for text in self.texts))

    def to_prompt(self) -> EntitiesInput:
        """Return the texts numbered from 1."""
        return EntitiesInput(texts=numbered_texts(self.texts))

    def from_prompt(self, output: EntitiesOutput) -> Entities:
        """Return the lists in the order of the texts."""
        places = places_in_order([entry.text for entry in output.texts], len(self.texts), "lists")
        return Entities(entities=tuple(output.texts[place].entities for place in places))

    def halves(self) -> tuple[Request[Entities], ...]:
        """Divide the texts; a single one that is too long, at a sentence near its middle."""
        groups = context_halves(self.texts)
        return tuple(self.model_copy(update={"texts": group}) for group in groups)

    def join(self, parts: Sequence[Request[Entities]], replies: Sequence[Entities]) -> Entities:
        """Return the lists of all parts, in order; parts of one text make one list."""
        del parts
        lists = tuple(found for reply in replies for found in reply.entities)
        if len(self.texts) == 1:
            lists = (tuple(dict.fromkeys(name for found in lists for name in found)),)
        return Entities(entities=lists)
