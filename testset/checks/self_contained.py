"""Self-contained: can the question be understood without the passage beside it?"""

import re

from testset.checks.draft import Draft, passed, rejected
from testset.golden.item import Check

__all__ = ["dangling", "self_contained"]

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
"""A possessive with no name before it that it could belong to."""


def self_contained(draft: Draft) -> Check:
    """Reject a question that points at something said elsewhere."""
    found = dangling(draft.question, draft.language)
    if found is None and draft.language == "en":
        found = _OWNER_UNNAMED.match(draft.question)
    if found:
        return rejected(f"{found.group().strip()!r} points at something outside the question")
    return passed()


def dangling(question: str, language: str) -> re.Match[str] | None:
    """Return the first word that points at something, or `None`; languages without rules: none.

    Example:
        >>> dangling("What does this table show?", "en").group()
        'this'
    """
    pattern = _DANGLING.get(language)
    return pattern.search(question) if pattern else None
