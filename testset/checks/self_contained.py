"""Self-contained: can the question be understood without its passage?"""

import re

from llamaindex_rag_eval.judge.rules.entities import entities_of
from testset.checks.draft import Draft, passed, rejected
from testset.checks.examined import Examiner
from testset.golden.item import Check
from testset.rules.reader import pointer_in

_DEPENDENT = frozenset({"conversational", "underspecified"})
"""Types that depend on something outside the question by design."""


_PERSONAL = re.compile(
    r"\b(?:its?|we|us|ours?|they|them|theirs?|he|his|him|she|hers?|es|er|sie|wir|uns\w*|ihr\w*|"
    r"sein\w*)$",
    re.IGNORECASE,
)
"""Pronouns: people ask "How do we reset it?" where a model that reads knows what is meant."""


def by_rule(draft: Draft) -> Check:
    """Reject a question with a word that refers to something outside it."""
    if draft.type in _DEPENDENT:
        return passed("not asked")
    if pointer := pointer_in(draft.question, draft.language):
        return rejected(f"{pointer.group().strip()!r} points at something outside the question")
    return passed()


async def by_model(draft: Draft, examiner: Examiner) -> Check:
    """Reject a question that refers to something it does not name, and is not fit.

    Rules reject a reference to the text with no name before it; of pronouns, and of the rest, a
    model says what is not named. Where it finds the item fit as it is, the documents tell what is
    meant: it passes.
    """
    if draft.type in _DEPENDENT:
        return passed("not asked")
    opinion = await examiner.opinion(draft)
    pointer = pointer_in(draft.question, draft.language)
    personal = pointer is None or _PERSONAL.search(pointer.group().strip())
    if pointer and not personal and not entities_of(draft.question[: pointer.start()]):
        return rejected(f"{pointer.group().strip()!r} points at something outside the question")
    missing = opinion.faults_of("not_named")
    if missing and (opinion.mends or not opinion.fit):
        return rejected(f"not named: {missing}")
    return passed(f"not named: {missing}" if missing else "nothing is missing")
