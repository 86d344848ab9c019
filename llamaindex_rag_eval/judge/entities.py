"""Entities: the names, dates, numbers and terms of a reference, and which contexts name them."""

from collections.abc import Iterable, Sequence

from llamaindex_rag_eval.judge.rules.entities import entities_of, normal_entity
from llamaindex_rag_eval.judge.wire import (
    Contexts,
    Divisible,
    Wire,
    check_range,
    check_stands,
    from_zero,
)
from llamaindex_rag_eval.models.request import Embed, Reply, Request, written


class Entity(Reply):
    """One entity of the reference.

    Attributes:
        name: As the reference writes it.
        contexts: The numbers, from 0, of the contexts that name it.
    """

    name: str
    contexts: tuple[int, ...] = ()


class Entities(Reply):
    """The entities of the reference; none if it names none."""

    entities: tuple[Entity, ...]


class EntitiesInput(Wire):
    """Contexts, then the reference."""

    contexts: Contexts
    reference: str


class NamedEntity(Wire):
    """One entity of the reference and the ids of the contexts that name it."""

    entity: str
    named_in: tuple[int, ...]


class EntitiesOutput(Wire):
    """The entities of the reference."""

    entities: tuple[NamedEntity, ...]


class EntitiesOf(Divisible[Entities]):
    """Which entities (names, places, dates, numbers, terms) of the reference do contexts name?"""

    prompt = written("entities", EntitiesInput, EntitiesOutput)
    splits_over = "contexts"

    reference: str
    contexts: tuple[str, ...]

    def check(self, reply: Entities) -> None:
        """Check that the contexts exist."""
        for entity in reply.entities:
            check_range(entity.contexts, len(self.contexts), "context")

    def by_rule(self, embed: Embed | None = None) -> Entities:
        """Take capitalised names, numbers with units, dates, and terms, and compare them."""
        del embed
        named = [{normal_entity(name) for name in entities_of(text)} for text in self.contexts]
        return Entities(
            entities=tuple(
                Entity(
                    name=name,
                    contexts=tuple(
                        n for n, names in enumerate(named) if normal_entity(name) in names
                    ),
                )
                for name in entities_of(self.reference)
            )
        )

    def from_prompt(self, output: EntitiesOutput) -> Entities:
        """Return the entities, each once.

        Raises:
            ReplyError: The reference does not name one, or a context does not exist.
        """
        for entry in output.entities:
            check_stands("entity", entry.entity, [self.reference])
        count = len(self.contexts)
        return _joined(
            Entity(name=entry.entity.strip(), contexts=from_zero(entry.named_in, count, "context"))
            for entry in output.entities
        )

    def join(self, parts: Sequence[Request[Entities]], replies: Sequence[Entities]) -> Entities:
        """Return the entities of all parts, each once, with the contexts of all parts."""
        return _joined(
            Entity(name=entity.name, contexts=tuple(start + number for number in entity.contexts))
            for start, reply in zip(self.starts_of(parts), replies, strict=True)
            for entity in reply.entities
        )


def _joined(entities: Iterable[Entity]) -> Entities:
    """Return entities, those of the same name as one, without blank names."""
    by_name: dict[str, Entity] = {}
    for entity in entities:
        if key := normal_entity(entity.name):
            known = by_name.setdefault(key, entity)
            contexts = tuple(sorted({*known.contexts, *entity.contexts}))
            by_name[key] = Entity(name=known.name, contexts=contexts)
    return Entities(entities=tuple(by_name.values()))
