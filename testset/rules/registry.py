"""The registry: all that rules can ask about a document."""

from collections.abc import Iterator
from dataclasses import replace

from testset.corpus.documents import SourceDocument
from testset.rules.candidate import Candidate
from testset.rules.language import Language, Structure, language_of
from testset.rules.sentences import sentence_questions
from testset.rules.structure.faq import faq
from testset.rules.structure.glossary import short_forms
from testset.rules.structure.headings import headings
from testset.rules.structure.labels import labels
from testset.rules.structure.lists import lists
from testset.rules.structure.outline import Outline
from testset.rules.structure.pairs import pairs
from testset.rules.structure.records import Record, records_of
from testset.rules.templates import Templates

_BARE = "{name}: {label}?"
UNKNOWN = Language(
    code="other",
    name="unknown",
    structure=Structure(ask=Templates(of=_BARE, labelled=_BARE)),
)
"""A language without a table: headings that are questions are asked as they stand, and values by
their labels."""


def candidates_of(document: SourceDocument) -> Iterator[Candidate]:
    """Yield every question that rules read off a document, in the order of their places."""
    yield from by_form(document)
    language = document_language(document)
    if language is not None:
        yield from sentence_questions(document, language.code)


def by_form(document: SourceDocument) -> Iterator[Candidate]:
    """Yield what the form of a document states: its labels, tables, lists and headings."""
    language = document_language(document) or UNKNOWN
    for candidate in filter(lambda draft: draft.question, _by_form(Outline(document, language))):
        question, wider = map(language.structure.finished, (candidate.question, candidate.wider))
        yield replace(candidate, question=question, wider=wider)


def document_language(document: SourceDocument) -> Language | None:
    """Return the language of a document; `None` if there is no table of it."""
    return language_of(document.view.text)


def _by_form(outline: Outline) -> Iterator[Candidate]:
    records: list[Record] = []
    for section in outline.sections:
        whole = list(headings(section))
        yield from whole
        yield from faq(section)
        if not whole:
            yield from lists(section)
        own = list(records_of(section))
        records += own
        for record in own:
            yield from labels(record)
    yield from short_forms(outline)
    yield from pairs(records)
