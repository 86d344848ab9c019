"""Self-contained: can the question be understood without its passage?"""

import re

from llamaindex_rag_eval.judge.rules.entities import entities_of
from testset.checks.draft import Draft, passed, rejected
from testset.golden.item import Check
from testset.requests.writer import Writer

__all__ = ["by_model", "by_rule"]

_DANGLING = {
    "en": re.compile(
        r"\b(?:he|she|they|him|them|hers|theirs|this|these|those|former|latter|"
        r"aforementioned|above|below|previous|following|the author|the (?:company|city|team|book|"
        r"film|game|show|series|river|table|figure|system|group|area|region|period|study|report)"
        r"(?= (?:\w+ed|in|is|was|has|do|does|did)\b|\?))\b|^\w+ (?:is|was|are|were|does|did) it\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?:er|sie|ihm|ihn|ihr|ihre[mnrs]?|sein|seine[mnrs]?|diese[mnrs]?|jene[mnrs]?|dort|"
        r"damals|dessen|deren|letztere[nr]?|obige[nr]?|dabei|dafür|damit|daran|darin)\b",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"(?:^|、)(?:それ|これ|あれ|その|この|あの|彼女?|同(?:年|社|国|地|市|氏|局|校|線|駅|大会|作)|"
        r"当時|同様|ここ|そこ|そして|また|しかし)|彼(?:は|が|の|ら)|その後|同(?:年|社|氏|局|校|線)"
    ),
    "zh": re.compile(
        r"他们?|她们?|它们?|这(?!里斯)|该|此|其(?!他|中|余|实)|那(?!不勒斯|么|波)|上述|以下|后者|前者"
    ),
}
_OWNER_UNNAMED = re.compile(r"^\W*\w+(?: [^A-Z\s]\S*)* (?:his|her|its|their)\b")
"""A possessive with no name before it that it could refer to."""
_DEPENDENT = frozenset({"conversational", "underspecified"})
"""Types that depend on something outside the question by design."""


def by_rule(draft: Draft) -> Check:
    """Reject a question with a word that refers to something outside it."""
    found = dangling_word(draft.question, draft.language)
    if found is None and draft.language == "en":
        found = _OWNER_UNNAMED.match(draft.question)
    if found:
        return rejected(f"{found.group().strip()!r} points at something outside the question")
    return passed()


async def by_model(draft: Draft, writer: Writer) -> Check:
    """Reject a question that refers to something it does not name.

    Rules reject a reference with no name before it; then a model that sees no document says what
    one must know to understand the question.
    """
    if draft.type in _DEPENDENT:
        return passed("not asked")
    found = dangling_word(draft.question, draft.language)
    if found is not None and not entities_of(draft.question[: found.start()]):
        return rejected(f"{found.group().strip()!r} points at something outside the question")
    missing = await writer.needs(draft.question)
    if missing:
        return rejected(f"not named: {', '.join(missing)}")
    return passed("nothing is missing")


def dangling_word(question: str, language: str) -> re.Match[str] | None:
    """Return the first word that refers to something outside; `None` for other languages.

    Example:
        >>> dangling_word("What does this table show?", "en").group()
        'this'
    """
    pattern = _DANGLING.get(language)
    return pattern.search(question) if pattern else None
