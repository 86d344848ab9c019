"""The catalogue: all that rules can ask about a document."""

from collections.abc import Iterator

from testset.corpus.documents import SourceDocument
from testset.rules.candidate import Candidate
from testset.rules.language import Language, language_of

__all__ = ["candidates_of", "document_language"]


def candidates_of(document: SourceDocument) -> Iterator[Candidate]:
    """Yield every question that rules read off a document, in the order of their places."""
    del document
    yield from ()


def document_language(document: SourceDocument) -> Language | None:
    """Return the language of a document; `None` if there is no table of it."""
    return language_of(document.view.text)
