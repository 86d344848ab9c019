"""Span: are the gold spans at their offsets, and do they hold the answer?"""

import re
import unicodedata

from llamaindex_rag_eval.judge.rules.tokens import normalise
from llamaindex_rag_eval.judge.rules.values import agree, values_of
from testset.checks.answers import letters_of, without_steps
from testset.checks.cross_lingual import is_cross_lingual, languages_of
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

_CALCULATED = frozenset({"reasoning", "table", "multi_hop"})
"""Types whose answer may be calculated: a sum or a difference that no document holds."""
_COUNTED_IN = frozenset({"de", "en", "ja", "zh"})
"""Languages whose numbers in words are read; those of others, up to two digits, are not missed."""

_LIST_MARK = re.compile(r"^\s*(?:\d{1,3}[.)]|-)\s", re.MULTILINE)
"""What stands before the items of a list; the plain text has no numbers of items."""
_CODE = re.compile(r"`([^`\n]{2,60})`|\b([A-Za-z]+(?:_\w+)+)\b", re.ASCII)
"""What is written as code, and names with an underscore: no language translates them."""
_NAMED = re.compile(
    r"`([^`\n]{2,60})`|[\"“„«「『《]([^\"“”„«»「」『』《》\n]{2,60})[\"”“»」』》]|\b([A-Za-z]+(?:_\w+)+)\b"
)
"""What is written as code or in quotation marks, and names with an underscore."""


def by_rule(draft: Draft, index: CorpusIndex) -> Check:
    """Reject a quote that is not at its offsets, and an answer with values the gold lacks."""
    if not draft.gold:
        return passed("no evidence is claimed")
    for entry in draft.spans:
        document = index.documents.get(entry.doc_id)
        if document is None or document.text[entry.start : entry.end] != entry.quote:
            return rejected(f"{entry.doc_id!r} does not hold the quote at {entry.start}")
    missing = _missing(draft, index)
    if missing:
        return rejected(f"not in the evidence: {', '.join(sorted(missing))}")
    if not letters_of(draft.reference):
        return rejected("the answer is empty")
    if draft.verbatim and not _stands(draft, index):
        return rejected("the answer does not stand in the evidence")
    return passed(score=1.0)


def _stands(draft: Draft, index: CorpusIndex) -> bool:
    """Return whether the answer stands in the quotes, as they are or as a reader sees them."""
    answer = letters_of(_LIST_MARK.sub("", draft.reference))
    seen = (index.plain_quote(group[0]) for group in draft.gold)
    return answer in letters_of(draft.gold_text) or answer in letters_of("\n".join(seen))


def _missing(draft: Draft, index: CorpusIndex) -> set[str]:
    """Return the numbers, dates, codes and quoted names of the answer that its evidence lacks.

    Other names are left to a model: no rule tells them from ordinary words, nor what is quoted in
    another language than the evidence from its translation.
    """
    if draft.verbatim:
        return _numbers(draft.reference) - _numbers(draft.gold_text)
    texts = [draft.question, *map(index.in_setting, draft.spans)]
    texts += [turn.question + turn.answer for turn in draft.turns]
    held = "\n".join(texts)
    answer, missing = without_steps(draft.reference), set[str]()
    if draft.type not in _CALCULATED:
        longest = 0 if languages_of(draft, index) <= _COUNTED_IN else 2
        missing |= {each for each in _values_missing(answer, held) if len(each) > longest}
    pattern = _CODE if is_cross_lingual(draft, index) else _NAMED
    named = {next(filter(None, match.groups())) for match in pattern.finditer(answer)}
    return missing | {name for name in named if letters_of(name) not in letters_of(held)}


def _values_missing(answer: str, text: str) -> set[str]:
    """Return the numbers of an answer that a text has neither in digits nor as an equal value.

    An answer is read with its numbers in digits, as 3500000 for "350万"; those that it has in
    words alone are not held against it.
    """
    plain, there = normalise(answer), values_of(text)
    known = [value for value in values_of(answer) if any(agree(value, each) for each in there)]
    equal = _numbers(_whole(" ".join(plain[value.start : value.end] for value in known)))
    written = tuple(_numbers(answer))
    missing = _numbers(_whole(plain)) - _numbers(text) - _numbers(_whole(normalise(text))) - equal
    return {number for number in missing if number.startswith(written)}


def _whole(plain: str) -> str:
    """Return a normalised text without the commas between thousands."""
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", plain)


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", unicodedata.normalize("NFKC", text)))
