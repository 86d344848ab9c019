"""Golden items from questions that passed all checks; splits are drawn later, over all items."""

from collections.abc import Mapping
from typing import Literal

from llamaindex_rag_eval.data.sample import Message
from llamaindex_rag_eval.models.request import Oracle, Request
from testset.checks.draft import Draft
from testset.checks.run import CheckReport
from testset.corpus.index import CorpusIndex
from testset.generation.candidates import PassageCandidate
from testset.generation.model_writer import Attempt
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Axes, Check, Created, GoldenItem, item_id
from testset.requests.answer import AnswerOf
from testset.requests.facts import FactsOf
from testset.requests.question_types import WRITING
from testset.version import VERSION

__all__ = ["item_from_attempt", "item_from_candidate"]

SHORT, LONG = 8, 16
"""Words up to which a question that rules wrote is short, and from which it is long."""
CHARACTERS_PER_WORD = 3
"""Characters of Chinese and Japanese, which have no blanks, that count as a word."""


def item_from_attempt(
    attempt: Attempt, index: CorpusIndex, *, writer: Oracle, verifier: Oracle, seed: int
) -> GoldenItem:
    """Return the item of a model's attempt that passed."""
    draft, spec = attempt.draft, attempt.spec
    assert draft is not None  # noqa: S101 - an attempt that passed has a draft
    return _item(
        draft,
        attempt.checks,
        index,
        reference_facts=draft.facts,
        axes=Axes(
            persona=spec.persona, style=spec.style, length=spec.length, language=draft.language
        ),
        topic=spec.stratum.topic,
        created=_created_by_model(spec.type, writer, verifier, seed),
    )


def item_from_candidate(
    report: CheckReport, candidate: PassageCandidate, index: CorpusIndex, *, seed: int
) -> GoldenItem:
    """Return the item of a rule's candidate that passed."""
    draft = report.draft
    models = {"writer": "rules", "rule": candidate.candidate.rule}
    return _item(
        draft,
        report.checks,
        index,
        reference_facts=(draft.reference,),
        axes=Axes(language=draft.language, length=_length(draft)),
        topic=candidate.topic,
        created=Created(models=models, seed=seed, version=VERSION),
    )


def _item(
    draft: Draft,
    checks: Mapping[str, Check],
    index: CorpusIndex,
    *,
    reference_facts: tuple[str, ...],
    axes: Axes,
    topic: str,
    created: Created,
) -> GoldenItem:
    own = tuple((group[0].doc_id, group[0].quote) for group in draft.gold)
    return GoldenItem(
        id=item_id(draft.question, draft.reference, draft.type, own),
        question=draft.question,
        reference=draft.reference,
        reference_facts=reference_facts,
        type=draft.type,  # type: ignore[arg-type]  # a draft's type is a question type
        kind=draft.kind,
        axes=axes,
        gold=draft.gold,
        expected_behaviour=draft.behaviour,
        turns=_messages(draft),
        checks=checks,
        difficulty=difficulty_over(draft, index),
        topic=topic,
        created=created,
    )


def _messages(draft: Draft) -> tuple[Message, ...]:
    return tuple(
        message
        for turn in draft.turns
        for message in (
            Message(role="user", content=turn.question),
            Message(role="assistant", content=turn.answer),
        )
    )


def _length(draft: Draft) -> Literal["short", "medium", "long"]:
    if draft.language in {"ja", "zh"}:
        words = len(draft.question) // CHARACTERS_PER_WORD
    else:
        words = len(draft.question.split())
    return "short" if words <= SHORT else "long" if words >= LONG else "medium"


def _created_by_model(type_: str, writer: Oracle, verifier: Oracle, seed: int) -> Created:
    """Return which models wrote and verified an item, and by which prompts."""
    asked: Mapping[str, tuple[Oracle, type[Request]]] = {  # type: ignore[type-arg]  # of any reply
        "facts": (writer, FactsOf),
        "writer": (writer, WRITING[type_]),  # type: ignore[index]  # as above
        "verifier": (verifier, AnswerOf),
    }
    made = {role: oracle.fingerprint(kind) for role, (oracle, kind) in asked.items()}
    models = {role: made[role].rpartition("/")[0] or made[role] for role in ("writer", "verifier")}
    prompts = dict(name.rpartition("/")[2].partition(":")[::2] for name in made.values())
    return Created(models=models, prompts=prompts, seed=seed, version=VERSION)
