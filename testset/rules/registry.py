"""The registry: all that rules can ask about a document."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath

from testset.corpus.documents import SourceDocument
from testset.rules.candidate import Candidate
from testset.rules.facts import facts_of
from testset.rules.language import UNKNOWN, Language, language_of, languages
from testset.rules.outline import Outline
from testset.rules.schema import Schema, schema_of, schema_questions

COUNTED = 400_000
"""Characters of the documents in which attributes are counted; more would find few others."""


def candidates_of(document: SourceDocument, schema: Schema | None = None) -> Iterator[Candidate]:
    """Yield every question that rules read off a document; none if its name is that of an example.

    Args:
        document: The document.
        schema: The attributes of its collection; those of the document itself are always known.
    """
    schema = schema or Schema()
    if languages()["en"].is_example(PurePath(document.doc_id).stem):
        return
    outline = _outline_of(document, languages().get(schema.language, UNKNOWN))
    finished = outline.language.finished
    for candidate in _candidates(outline, schema):
        yield replace(candidate, question=finished(candidate.question))


def collection_schema(documents: Iterable[SourceDocument]) -> Schema:
    """Return the attributes of a collection, counted in its first documents, and its language."""
    sample: list[SourceDocument] = []
    read = 0
    for document in documents:
        sample.append(document)
        read += len(document.text)
        if read >= COUNTED:
            break
    spoken = Counter(language.code for language in map(document_language, sample) if language)
    main = max(spoken, key=spoken.__getitem__, default="")
    outlines = [_outline_of(document, languages().get(main, UNKNOWN)) for document in sample]
    schema = schema_of(outlines, [fact for outline in outlines for fact in facts_of(outline)])
    return replace(schema, language=main)


def document_language(document: SourceDocument) -> Language | None:
    """Return the language of a document; `None` if there is no table of it."""
    return language_of(document.view.text)


def _outline_of(document: SourceDocument, main: Language) -> Outline:
    """Return the outline of a document; a table alone has the main language of its collection."""
    tables = all(block.kind == "row" for block in document.view.blocks)
    return Outline(document, document_language(document) or (main if tables else UNKNOWN))


def _candidates(outline: Outline, schema: Schema) -> Iterator[Candidate]:
    facts = list(facts_of(outline))
    schema = schema.joined(schema_of([outline], facts))
    yield from schema_questions(outline, facts, schema)
