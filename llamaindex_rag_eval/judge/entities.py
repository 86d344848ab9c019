"""Entities: the names, places, dates, numbers and terms of a text."""

from collections.abc import Sequence
from typing import Any, ClassVar

from llamaindex_rag_eval.judge.contract import same_count
from llamaindex_rag_eval.judge.division import halves_of
from llamaindex_rag_eval.judge.prompts.entities import ENTITIES, EntitiesInput, EntitiesOutput
from llamaindex_rag_eval.judge.prompts.parts import in_order, numbered
from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["Entities", "EntitiesOf"]


class Entities(Reply):
    """The entities of each text, in the order of the texts."""

    entities: tuple[tuple[str, ...], ...]


class EntitiesOf(Request[Entities]):
    """Which entities (names, places, dates, numbers, terms) does each of these texts name?"""

    reply: ClassVar[type[Reply]] = Entities
    prompt: ClassVar[Prompt[Any, Any] | None] = ENTITIES
    ruled: ClassVar[bool] = True

    texts: tuple[str, ...]

    def check(self, reply: Entities) -> None:
        """Hold the reply to one list per text."""
        same_count("lists of entities", len(reply.entities), "texts", len(self.texts))

    def by_rule(self, embed: Embed | None = None) -> Entities:
        """Take capitalised names, numbers with units, dates, and terms."""
        del embed
        return Entities(entities=tuple(entities_of(text) for text in self.texts))

    def to_prompt(self) -> EntitiesInput:
        """Return the texts numbered from 1."""
        return EntitiesInput(texts=numbered(self.texts))

    def from_prompt(self, output: EntitiesOutput) -> Entities:
        """Return the lists in the order of the texts."""
        places = in_order([entry.text for entry in output.texts], len(self.texts), "lists")
        return Entities(entities=tuple(output.texts[place].entities for place in places))

    def halves(self) -> tuple[Request[Entities], ...]:
        """Divide the texts; a single one that is too long, at a sentence near its middle."""
        half = len(self.texts) // 2
        groups: tuple[tuple[str, ...], ...] = (self.texts[:half], self.texts[half:])
        if len(self.texts) == 1:
            groups = tuple((part,) for part in halves_of(self.texts[0]))
        return tuple(self.model_copy(update={"texts": group}) for group in groups)

    def joined(self, parts: Sequence[Request[Entities]], replies: Sequence[Entities]) -> Entities:
        """Return the lists of all parts, in order; parts of one text make one list."""
        del parts
        lists = tuple(found for reply in replies for found in reply.entities)
        if len(self.texts) == 1:
            lists = (tuple(dict.fromkeys(name for found in lists for name in found)),)
        return Entities(entities=lists)
