"""The forecast: what rules can ask about documents, told in a second, before anybody waits."""

from collections.abc import Iterable
from dataclasses import dataclass

from testset.corpus.documents import Corpus, shuffle_key
from testset.rules.candidate import Candidate
from testset.rules.reader import fault_of
from testset.rules.registry import by_form, document_language
from testset.rules.sentences import sentence_questions

CHARACTERS = 60_000
"""Characters of documents that are read; the rest is taken to be like them."""

_NAMED = 3
"""Documents that are named at most."""


@dataclass(frozen=True)
class Forecast:
    """What rules can ask.

    Attributes:
        form: Questions from tables, labels, lists, headings and FAQ, about.
        sentences: Questions from sentences, about.
        unknown: Documents, of those read, in a language without a table.
    """

    form: int
    sentences: int
    unknown: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = (
            f"about {self.form} question{'s' * (self.form != 1)} from tables, lists, headings and "
            f"FAQ; {self.sentences} from sentences; an LLM would find more (--llm)"
        )
        if not self.form + self.sentences:
            text = "nothing about these documents; an LLM may (--llm)"
        if not self.unknown:
            return text
        names = ", ".join(self.unknown[:_NAMED]) + (", …" if len(self.unknown) > _NAMED else "")
        return f"{text}; no table of the language of {names}: only what stands there can be asked"


def forecast(corpus: Corpus, *, seed: int = 7) -> Forecast:
    """Return what rules can ask about documents, from a sample of them.

    Args:
        corpus: The documents.
        seed: Of the sample.
    """
    documents = sorted(corpus.documents, key=lambda document: shuffle_key(seed, document.doc_id))
    read = form = sentences = 0
    unknown: list[str] = []
    for document in documents:
        if read >= CHARACTERS:
            break
        read += len(document.text)
        language = document_language(document)
        if language is None:
            unknown.append(document.doc_id)
        form += _sound(by_form(document))
        sentences += _sound(sentence_questions(document, language.code if language else ""))
    scale = sum(len(document.text) for document in documents) / max(1, read)
    return Forecast(round(form * scale), round(sentences * scale), tuple(unknown))


def _sound(candidates: Iterable[Candidate]) -> int:
    """Return on how many places candidates ask something without a fault, each once."""
    answers: set[tuple[str, str]] = set()
    for candidate in candidates:
        answer = candidate.answer if candidate.verbatim else ""
        if not fault_of(candidate.question, answer, candidate.language):
            answers.add((repr(candidate.spans), candidate.answer))
    return len(answers)
