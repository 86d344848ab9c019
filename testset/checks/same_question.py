"""Same question: does another wording of a question still ask for the same answer?"""

import re
from collections.abc import Sequence

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.profile import profile_of
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from llamaindex_rag_eval.judge.rules.vocabulary import function_words
from testset.checks.draft import passed, rejected
from testset.golden.item import Check
from testset.requests.rewording import SameQuestionOf

_BORDER = re.compile(r"(?<=[A-Za-z\d])(?=[\u3040-\u30ff\u4e00-\u9fff])")
"""Where Latin letters end in Chinese and Japanese, which are no part of an identifier."""


def by_rule(question: str, wording: str, *, names: bool = True) -> Check:
    """Reject a wording with another number, unit, date, identifier, negation, or without a name.

    Args:
        question: The question as it is written.
        wording: The other wording; case does not matter.
        names: Whether names must stand in it, too; in another language they may be others.

    Example:
        >>> by_rule("Is the VT-480 sold without a base?", "vt-480 sold base").evidence
        'a negation is left out or added'
    """
    spaced = [profile_of(_BORDER.sub(" ", text)) for text in (question, wording)]
    for text, other in (spaced, reversed(spaced)):
        for value in text.values:
            if not other.has(value):
                return rejected(f"{text.text_of(value)!r} is in one of both only")
    if bool(count_negations(question)) != bool(count_negations(wording)):
        return rejected("a negation is left out or added")
    held = " ".join(entities_of(question)).casefold().split() if names else []
    for word in held:  # what has digits was compared as a value
        exempt = word in function_words() or not word.isalpha() or is_cjk(word)
        if not exempt and word not in wording.casefold():
            return rejected(f"{word!r} is left out")
    return passed()


async def by_model(question: str, wordings: Sequence[str], judge: Judge) -> tuple[Check, ...]:
    """Reject wordings of which a model says that they ask for something else."""
    if not wordings:
        return ()
    request = SameQuestionOf(question=question, wordings=tuple(wordings))
    differences = (await judge.ask(request)).texts
    return tuple(rejected(text) if text else passed() for text in differences)
