"""The setting of a question from a sentence: whether it needs its page, and whether it has one."""

import re
from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.tokens import terms
from testset.rules.candidate import Candidate, Kind
from testset.rules.sentences.clause import Sentence
from testset.rules.sentences.table import clause_table
from testset.rules.structure.answers import in_setting, under_heading
from testset.rules.structure.faq import answers
from testset.rules.structure.outline import Outline, Section

_OF_A_PAGE: frozenset[Kind] = frozenset({"condition", "permission"})
"""Kinds of questions that need their page and heading."""
_DATED: frozenset[Kind] = frozenset({"factoid", "temporal"})
"""Kinds that ask who did a thing and when, which is one of many where it has no name."""
_OF_ONE: frozenset[Kind] = frozenset({"factoid", "numeric", "place", "temporal"})
"""Kinds that ask about one thing, which "the" inside a paragraph may name by what stands before."""
_NAMED: frozenset[Kind] = frozenset({"definition", "naming", "procedure"})
"""Kinds that ask for the thing itself, or for a task."""
_NAME = re.compile(r"(?<=\w )(?!I\b)[^\W\d_a-zß-ÿ]")
"""Finds a name inside a question, where common nouns have no capital."""
_SINGLE = re.compile(r"(?:An?|The) [^\W\d_A-Z]\S*")
"""A thing that many pages have, each its own, as "A piece", where an article says so."""
FEWEST_WORDS = 7
"""Words of a question at least that needs no page, though it names nothing."""
FEWEST_TOLD = 5
"""The same of one for what a thing does, as "What does the toll cover?"."""


def placed(
    outline: Outline, candidate: Candidate, sentence: Sentence, subject: str
) -> Candidate | None:
    """Return a candidate with its page, or with that and its heading, if it needs it.

    `None` if it needs one, as "When was the pier built?", and there is none, or only a heading
    that names nothing; or if its answer is what the page is about.
    """
    bare, kind, section = candidate.question, candidate.kind, outline.section_of(sentence.block)
    if section is None:
        return candidate
    within = kind in _OF_A_PAGE or kind == "procedure"
    if within and (section.nameless or answers(section, sentence.block)):
        return None
    if kind == "factoid" and candidate.answer in section.page:
        return None
    page = in_setting(section, bare, always=True)
    wider = under_heading(section, bare) if section.readable else page
    known = outline.language.structure
    loose = known.definites(f"{bare} {subject}?" if known.indefinite else bare)
    definite = kind not in _NAMED and bool(loose)
    if definite and section.heading and not section.language.names(section.heading):
        return None
    if definite and kind not in _OF_A_PAGE and _is_local(section, candidate, sentence, loose):
        return None
    alone = _stands_alone(candidate, subject, articles=bool(known.indefinite))
    question = bare if alone and kind != "procedure" else page
    question = wider if definite or kind in _OF_A_PAGE else question
    vague = definite or (not alone and bool(known.indefinite) and _says_little(candidate))
    unnamed = _DATED | _OF_ONE | {"reason"} if known.indefinite else _DATED
    if vague and kind in unnamed and question == bare:
        return None
    return replace(candidate, question=question, wider=wider)


def _stands_alone(candidate: Candidate, subject: str, *, articles: bool) -> bool:
    """Return whether a question needs no page: it asks what a thing is, or has a name in it."""
    if candidate.kind in _NAMED and not (articles and _SINGLE.fullmatch(subject)):
        return True
    capitals = clause_table(candidate.language).capital_nouns
    return not capitals and _NAME.search(candidate.question) is not None


def _says_little(candidate: Candidate) -> bool:
    """Return whether a question has so few words that it could be one of any page."""
    fewest = FEWEST_TOLD if candidate.kind == "factoid" else FEWEST_WORDS
    return len(candidate.question.split()) < fewest


def _is_local(
    section: Section, candidate: Candidate, sentence: Sentence, loose: Sequence[str]
) -> bool:
    """Return whether a question has "the pier" that only the text before its sentence explains."""
    known = section.language.structure
    if known.indefinite:
        before = section.outline.document.view.text[section.start : sentence.start]
        return known.introduces(loose, before)
    inside = candidate.kind in _OF_ONE and sentence.start > sentence.block.start
    return inside and not _about(candidate.question, section.setting)


def _about(question: str, setting: str) -> bool:
    """Return whether a question is about a word of its page or heading."""
    known = {term.key for term in terms(setting)}
    return any(term.key in known for term in terms(question))
