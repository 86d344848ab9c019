"""Well-formedness: does a question read like one that a person types, without its answer?

Its verdict is stored under the name "lint".
"""

import re

from llamaindex_rag_eval.judge.rules.tokens import is_cjk, language_of
from testset.checks.answers import holds, letters_of
from testset.checks.draft import Draft, passed, rejected
from testset.golden.item import Check
from testset.rules.reader import about_the_text, fault_of

LONGEST = 200
"""Characters of a question that rules wrote at most."""
LONGEST_BY_MODEL = 400
"""The same of a question that a model wrote, which may begin with a situation."""
SHORTEST = 10
"""Characters of a question at least."""
SHORTEST_CJK = 5
"""The same in Chinese and Japanese."""

SURE_WORDS = 3
"""Words up to which German and English are not told apart: names may be all there is."""

BARE = 3
"""Letters up to which an answer may be "yes" or "no", which questions hold by chance."""

_PREAMBLE = re.compile(
    r"^(?:question|frage|質問|问题|q)\s*\d*\s*[:：]|^(?:here is|sure|certainly)\b|^\s*(?:\d+[.)]|"
    r"[-*•])\s",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\[[^\]]*\]|<[^>]+>|\*\*|\||\s,|\s\.(?!\w)|[(\[][^)\]]*$|^[^(\[]*[)\]]")
_END = ("?", "？", "か", "か。")
_UNMARKED = frozenset({"web_search", "chat", "misspelt"})
"""Styles of people who leave out the question mark."""
_CHOICE = re.compile(r"\b(?:or|which|oder|welche\w*)\b|还是|哪|それとも|どちら|どれ|どの")
_AND = r"(?:,|\b(?:or|and|oder|und)\b|[、或和与跟と]|还是)"
_AND_BEFORE = re.compile(rf"\s*{_AND}")
_AND_AFTER = re.compile(rf"{_AND}\s*(?:(?:the|der|die|das) )?$")
"""What asks for a choice, and what stands between the things to choose from."""
_TWO_SENTENCES = frozenset({"double", "situational"})
"""Types that may have two question marks."""


def by_rule(draft: Draft) -> Check:
    """Reject a question with a formal fault: its form, its language, its answer given away.

    What rules wrote, the last reader reads too.
    """
    question = draft.question
    fault = _form_fault(draft) or _wording_fault(question, draft.language)
    if not fault and not _same_language(question, draft.language):
        fault = f"the language is not {draft.language!r}"
    if not fault and not _is_bare(draft.reference) and holds(question, draft.reference):
        chosen = not draft.verbatim and offers(question, draft.reference)
        fault = "" if chosen else "the answer stands in the question"
    if not fault and draft.verbatim and not draft.turns and draft.style not in _UNMARKED:
        answer = draft.reference if draft.expected_behaviour == "answer" else ""
        fault = fault_of(question, answer, draft.language)
    return rejected(fault) if fault else passed()


def _is_bare(answer: str) -> bool:
    """Return whether an answer may be no more than "yes" or "no", in whatever language."""
    letters = letters_of(answer)
    return len(letters) <= BARE and letters.isalpha() and not is_cjk(answer)


def _form_fault(draft: Draft) -> str:
    question = draft.question
    shortest = SHORTEST_CJK if is_cjk(question) else SHORTEST
    longest = LONGEST if draft.verbatim else LONGEST_BY_MODEL
    if "\n" in question or question != question.strip():
        return "more than one line, or blanks around it"
    if not shortest <= len(question) <= longest:
        return f"{len(question)} characters; expected {shortest} to {longest}"
    if not question.endswith(_END) and draft.style not in _UNMARKED:
        return "does not end as a question"
    if question.count("?") + question.count("？") > 1 and draft.type not in _TWO_SENTENCES:
        return "more than one question"
    return ""


def _wording_fault(question: str, language: str) -> str:
    if about_the_text(question, language):
        return "speaks of the text it comes from"
    if _PREAMBLE.match(question):
        return "has a preamble or a list number"
    if _MARKUP.search(question):
        return "holds markup or an open bracket"
    return ""


def _same_language(question: str, language: str) -> bool:
    detected = language_of(question)
    if {detected, language} == {"de", "en"}:
        return len(question.split()) <= SURE_WORDS
    if language in {"ja", "zh"}:
        return detected == language or (
            detected in {"zh", "ja", "other", "en"} and is_cjk(question)
        )
    return is_cjk(question) == (language in {"ja", "zh"})


def offers(question: str, answer: str) -> bool:
    """Return whether a question offers its answer as one of several to choose from.

    Example:
        >>> offers("Is the pump red or blue?", "blue"), offers("Is the red pump old?", "red")
        (True, False)
    """
    plain = question.casefold()
    before, choice, after = plain.partition(answer.strip(" .。").casefold())
    joined = _AND_AFTER.search(before) or _AND_BEFORE.match(after)
    return bool(choice and joined and _CHOICE.search(plain))
