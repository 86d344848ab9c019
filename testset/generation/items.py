"""Golden items from questions that passed all checks; splits are drawn later, over all items."""

from collections.abc import Mapping
from typing import Literal

from llamaindex_rag_eval.models.request import Oracle, Request
from testset.checks.draft import Draft
from testset.corpus.index import CorpusIndex
from testset.generation.attempt import Attempt
from testset.generation.grounds import OVER_TWO
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Created, GoldenItem, item_id
from testset.requests.examine import ExamineOf
from testset.requests.proposals import JointProposalsOf, ProposalsOf
from testset.requests.question_types import WRITING
from testset.version import VERSION

SHORT, LONG = 8, 16
"""Words up to which a question that rules wrote is short, and from which it is long."""
CHARACTERS_PER_WORD = 3
"""Characters of Chinese and Japanese, which have no blanks, that count as a word."""


def item_of(attempt: Attempt, draft: Draft, index: CorpusIndex) -> GoldenItem:
    """Return the item of an attempt whose draft has passed."""
    own = tuple((group[0].doc_id, group[0].quote) for group in draft.gold)
    level, by = difficulty_over(draft, index)
    return GoldenItem(
        id=item_id(draft.question, draft.reference, draft.type, own),
        question=draft.question,
        reference=draft.reference,
        reference_facts=draft.facts,
        type=draft.type,  # type: ignore[arg-type]  # a draft's type is a question type
        kind=draft.kind,
        axes=attempt.axes,
        gold=draft.gold,
        expected_behaviour=draft.behaviour,
        turns=draft.messages,
        checks=attempt.checks,
        difficulty=level,
        difficulty_by=by,
        hard_negatives=draft.hard_negatives,
        topic=attempt.stratum.topic,
        created=attempt.created,
    )


def question_length(draft: Draft) -> Literal["short", "medium", "long"]:
    """Return how long a question is."""
    return length_of(draft.question, draft.language)


def length_of(question: str, language: str) -> Literal["short", "medium", "long"]:
    """Return how long a text of a language is, as a question.

    Example:
        >>> length_of("Who built it?", "en"), length_of("何年に建てられましたか", "ja")
        ('short', 'short')
    """
    if language in {"ja", "zh"}:
        words = len(question) // CHARACTERS_PER_WORD
    else:
        words = len(question.split())
    return "short" if words <= SHORT else "long" if words >= LONG else "medium"


def created_by_model(type_: str, writer: Oracle, verifier: Oracle, seed: int) -> Created:
    """Return which models wrote and verified an item, and by which prompts."""
    asked: Mapping[str, tuple[Oracle, type[Request]]] = {  # type: ignore[type-arg]  # of any reply
        "proposals": (writer, JointProposalsOf if type_ in OVER_TWO else ProposalsOf),
        "writer": (writer, WRITING[type_]),  # type: ignore[index]  # as above
        "verifier": (verifier, ExamineOf),
    }
    made = {role: oracle.fingerprint(kind) for role, (oracle, kind) in asked.items()}
    models = {role: made[role].rpartition("/")[0] or made[role] for role in ("writer", "verifier")}
    prompts = dict(name.rpartition("/")[2].partition(":")[::2] for name in made.values())
    return Created(models=models, prompts=prompts, seed=seed, version=VERSION)
