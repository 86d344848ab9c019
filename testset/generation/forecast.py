"""The forecast: what rules will write about documents, told in seconds, before anybody waits."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from testset.checks.answers import letters_of
from testset.corpus.documents import Corpus, SourceDocument, shuffle_key
from testset.generation.rule_writer import shares
from testset.rules.candidate import Candidate
from testset.rules.reader import fault_of
from testset.rules.registry import candidates_of, collection_schema, document_language

CHARACTERS = 500_000
"""Characters of documents that are read; the rest is taken to be like them."""
LONGEST = 1_000_000
"""Characters of one document that are read."""
PARTS = 20
"""Parts of a longer document that are read."""
PASSED = 0.85
"""Share of the questions that pass the checks, about; others repeat one, or have two answers."""
_NAMED = 3
"""Documents that are named at most."""


@dataclass(frozen=True)
class Forecast:
    """What rules will write.

    Attributes:
        size: Questions asked for.
        written: Questions from labels and tables, about.
        unknown: Documents, of those read, in a language without a table.
    """

    size: int
    written: int
    unknown: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = (
            f"about {self.written} of {self.size} questions, from labels and tables; an LLM would "
            "find more (--llm)"
        )
        if not self.written:
            text = (
                "nothing about these documents; take an LLM (--llm), or bring questions "
                "(golden import)"
            )
        if not self.unknown:
            return text
        names = ", ".join(self.unknown[:_NAMED]) + (", …" if len(self.unknown) > _NAMED else "")
        return f"{text}; rules do not know the language of {names}"


def forecast(
    corpus: Corpus,
    *,
    size: int,
    language: str | None = None,
    types: Collection[str] | None = None,
    seed: int = 7,
) -> Forecast:
    """Return what rules will write about documents, from a sample of them.

    Args:
        corpus: The documents.
        size: How many questions are wanted.
        language: Only questions in it are; `None` for all.
        types: Only questions of these types are; `None` for all.
        seed: Of the sample.
    """
    documents = sorted(corpus.documents, key=lambda document: shuffle_key(seed, document.doc_id))
    sample: list[SourceDocument] = []
    read = 0
    for document in documents:
        if read >= CHARACTERS:
            break
        sample.append(replace(document, text=_excerpt(document.text, LONGEST)))
        read += len(document.text)
    whole = sum(len(document.text) for document in documents)
    scale = whole / max(1, sum(len(document.text) for document in sample))
    schema = collection_schema(sample)
    candidates = [entry for document in sample for entry in candidates_of(document, schema)]
    fitting = [
        entry
        for entry in candidates
        if language in (None, entry.language) and (types is None or entry.type in types)
    ]
    per_wording, per_document = shares(size, len(documents))
    written = _written(fitting, per_wording / scale, per_document, size / scale)
    unknown = (entry.doc_id for entry in sample if document_language(entry) is None)
    return Forecast(size, min(size, round(scale * written)), tuple(unknown))


def _excerpt(text: str, most: int) -> str:
    """Return a text; of a longer one, parts from beginning to end, each from a new line on."""
    if len(text) <= most:
        return text
    starts = range(0, len(text), len(text) // PARTS + 1)
    parts = (text[start : start + most // PARTS] for start in starts)
    return "\n\n".join(part[part.find("\n") + 1 :] for part in parts)


def _written(
    candidates: Sequence[Candidate], per_wording: float, per_document: float, size: float
) -> float:
    """Return how many questions are written; of each that is tried, `PASSED`.

    Args:
        candidates: What can be asked.
        per_wording: How many may share a wording.
        per_document: How many may be about one document.
        size: How many there may be.
    """
    of_wording, of_document = (defaultdict[str, float](float) for _ in range(2))
    seen: set[str] = set()
    for entry in candidates:
        letters = letters_of(entry.question)
        answer = entry.answer if entry.verbatim else ""
        full = (
            of_wording[entry.rule] >= per_wording
            or of_document[entry.first.doc_id] >= per_document
            or PASSED * len(seen) >= size
        )
        if full or letters in seen or fault_of(entry.question, answer, entry.language):
            continue
        seen.add(letters)
        of_wording[entry.rule] += PASSED
        of_document[entry.first.doc_id] += PASSED
    return PASSED * len(seen)
