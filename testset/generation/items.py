"""Finishing: from checked drafts to golden items, with difficulty, split and origin."""

from collections.abc import Mapping, Sequence

from llamaindex_rag_eval.data.sample import Message
from llamaindex_rag_eval.models.request import Oracle, Request
from testset.checks import Draft
from testset.corpus.index import CorpusIndex
from testset.generation.model_writer import Attempt
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Axes, Created, GoldenItem, item_id
from testset.golden.splits import with_splits
from testset.requests.answer import AnswerOf
from testset.requests.facts import FactsOf
from testset.requests.question_types import WRITING
from testset.version import VERSION

__all__ = ["finished", "item_of"]


def item_of(
    attempt: Attempt, index: CorpusIndex, *, writer: Oracle, verifier: Oracle, seed: int
) -> GoldenItem:
    """Return the golden item of an attempt that passed; its split is settled with the whole set."""
    draft, slot = attempt.draft, attempt.slot
    assert draft is not None  # noqa: S101 - an attempt that passed has a draft
    own = tuple((group[0].doc_id, group[0].quote) for group in draft.gold)
    return GoldenItem(
        id=item_id(draft.question, draft.reference, draft.type, own),
        question=draft.question,
        reference=draft.reference,
        reference_facts=draft.facts,
        type=draft.type,  # type: ignore[arg-type]  # a slot's type is a question type
        kind=draft.kind,
        axes=Axes(
            persona=slot.persona, style=slot.style, length=slot.length, language=draft.language
        ),
        gold=draft.gold,
        expected_behaviour=draft.behaviour,
        turns=_messages(draft),
        checks=attempt.checks,
        difficulty=difficulty_over(draft, index),
        topic=slot.cell[0],
        created=_created(slot.type, writer, verifier, seed),
    )


def finished(
    items: Sequence[tuple[GoldenItem, tuple[str, ...]]], seed: int
) -> tuple[GoldenItem, ...]:
    """Return items with their splits: no document has questions in both.

    Args:
        items: Each with the documents it is about; of a question without evidence, those it
            comes near.
        seed: Of the split.
    """
    documents = {item.id: doc_ids for item, doc_ids in items}
    return with_splits([item for item, _ in items], seed=seed, documents=documents)


def _messages(draft: Draft) -> tuple[Message, ...]:
    return tuple(
        message
        for turn in draft.turns
        for message in (
            Message(role="user", content=turn.question),
            Message(role="assistant", content=turn.answer),
        )
    )


def _created(type_: str, writer: Oracle, verifier: Oracle, seed: int) -> Created:
    asked: Mapping[str, tuple[Oracle, type[Request]]] = {  # type: ignore[type-arg]  # of any reply
        "facts": (writer, FactsOf),
        "writer": (writer, WRITING[type_]),  # type: ignore[index]  # as above
        "verifier": (verifier, AnswerOf),
    }
    made = {role: oracle.fingerprint(kind) for role, (oracle, kind) in asked.items()}
    models = {role: made[role].rpartition("/")[0] or made[role] for role in ("writer", "verifier")}
    prompts = dict(name.rpartition("/")[2].partition(":")[::2] for name in made.values())
    return Created(models=models, prompts=prompts, seed=seed, version=VERSION)
