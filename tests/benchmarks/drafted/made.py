"""Drafts made from corpora with human questions: good as they are, and bad by one change each.

The halves hold other articles, and where a change adds words, each half has words of its own.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from tests.benchmarks.drafted.labelled import LabelledDraft
from tests.corpora import NAMES, rows
from testset import GoldSpan, SourceDocument
from testset.checks.draft import Draft
from testset.corpus.index import CorpusIndex
from testset.golden.item import Axes

DOCUMENTS = 240
"""Documents of a corpus that are used at most."""
LEFT_OUT = 8
"""One document in so many is not in the index: nothing answers what is asked about it."""
GOOD, BAD, UNANSWERABLE = 14, 4, 3
"""Drafts for each language and half: good ones, bad ones of each fault, good unanswerable ones."""
HALVES = ("building", "other")

_AND = {
    "en": (", and ", "? Also, "),
    "de": (", und ", "? Und außerdem: "),
    "ja": ("、また", "？さらに"),
    "zh": ("，以及", "？另外，"),
}
_THAT = {
    "en": ("it", "the above"),
    "de": ("er", "letztere"),
    "ja": ("それ", "当該人物"),
    "zh": ("它", "前者"),
}
_NAMELY = {
    "en": (" ({})?", ", namely {}?"),
    "de": (" ({})?", ", nämlich {}?"),
    "ja": ("（{}）？", "、つまり{}ですか？"),
    "zh": ("（{}）？", "，也就是{}？"),
}
_END = "?？。"
_LIST = re.compile(r"^(.{2,}?)(?:,? (?:and|und) |、|和|と|以及).+$")


@dataclass(frozen=True)
class _Asked:
    """A human question: its document, the sentence with the answer, the language, and its half."""

    document: SourceDocument
    question: str
    answer: str
    span: GoldSpan
    language: str
    half: str

    @property
    def draft(self) -> Draft:
        kind = "numeric" if re.search(r"\d", self.answer) else "factoid"
        if re.fullmatch(r"(?:\w+ )*\d{4}年?", self.answer):
            kind = "temporal"
        style = "plain" if self.question.endswith(("?", "？", "か。")) else "web_search"
        axes = Axes(language=self.language, style=style)
        return Draft(self.question, self.answer, kind, "single_hop", axes, ((self.span,),))


def made_drafts(folder: Path) -> tuple[list[LabelledDraft], Mapping[str, CorpusIndex]]:
    """Return drafts of every language, half and fault, and the documents they are about."""
    labelled: list[LabelledDraft] = []
    indexes: dict[str, CorpusIndex] = {}
    for name in NAMES:
        asked = list(_questions(folder, name))
        documents = dict.fromkeys(entry.document for entry in asked)
        missing = set(list(documents)[::LEFT_OUT])
        indexes[name] = CorpusIndex.of([entry for entry in documents if entry not in missing])
        for half in HALVES:
            own = [entry for entry in asked if entry.half == half]
            random.Random(f"{name}/{half}").shuffle(own)
            inside = [entry for entry in own if entry.document not in missing]
            outside = [entry for entry in own if entry.document in missing]
            found = [(entry.draft, "") for entry in inside[:GOOD]]
            found += [(_refused(entry), "") for entry in outside[:UNANSWERABLE]]
            found += _spoilt(inside[GOOD:])
            labelled += [LabelledDraft("made", name, d, fault, half) for d, fault in found]
    return labelled, indexes


def _questions(folder: Path, name: str) -> Iterator[_Asked]:
    people = rows(folder / "corpora" / name / "questions_dev.jsonl")
    asked = {row["relevant"][0] for row in people}
    docs = [row for row in rows(folder / "corpora" / name / "docs.jsonl") if row["doc_id"] in asked]
    documents = {
        row["doc_id"]: SourceDocument(row["doc_id"], row["text"], row["title"])
        for row in docs[:DOCUMENTS]
    }
    articles = {doc_id: doc_id.rsplit("-", 1)[0] for doc_id in documents}
    number = {article: at for at, article in enumerate(dict.fromkeys(articles.values()))}
    for row in people:
        document = documents.get(row["relevant"][0])
        if document is None:
            continue
        for start, end in sentence_spans(document.text):
            if row["answers"][0] in document.text[start:end]:
                span = GoldSpan.cut(document.doc_id, document.hash, document.text, start, end)
                half = HALVES[number[articles[document.doc_id]] % 2]
                yield _Asked(
                    document, row["question"].strip(), row["answers"][0], span, name[-2:], half
                )
                break


def _spoilt(asked: Sequence[_Asked]) -> list[tuple[Draft, str]]:
    """Return drafts of each fault, as far as the questions allow it; no question serves twice."""
    others: dict[str, list[_Asked]] = defaultdict(list)
    for entry in asked:
        others[entry.document.doc_id].append(entry)
    used: set[int] = set()
    found: list[tuple[Draft, str]] = []
    for fault, change in FAULTS.items():
        count = 0
        for at, entry in enumerate(asked):
            if count == BAD:
                break
            beside = [o for o in others[entry.document.doc_id] if o.answer != entry.answer]
            draft = None if at in used else change(entry, beside, asked)
            if draft is not None and draft != entry.draft:
                found.append((draft, fault))
                used.add(at)
                count += 1
    return found


def _words(table: Mapping[str, tuple[str, str]], entry: _Asked) -> str:
    return table[entry.language][HALVES.index(entry.half)]


def _shape(answer: str) -> str:
    return "number" if re.search(r"\d", answer) else "words"


def _wrong_answer(entry: _Asked, beside: Sequence[_Asked], _: Sequence[_Asked]) -> Draft | None:
    alike = [o.answer for o in beside if _shape(o.answer) == _shape(entry.answer)]
    alike = [a for a in alike if a not in entry.answer and entry.answer not in a]
    near = [answer for answer in alike if answer in entry.span.quote]
    return replace(entry.draft, reference=near[0]) if near else None


def _foreign_answer(entry: _Asked, beside: Sequence[_Asked], _: Sequence[_Asked]) -> Draft | None:
    alike = [o.answer for o in beside if _shape(o.answer) == _shape(entry.answer)]
    far = [answer for answer in alike if answer not in entry.span.quote]
    return replace(entry.draft, reference=far[0], verbatim=False) if far else None


def _wrong_evidence(entry: _Asked, _: Sequence[_Asked], asked: Sequence[_Asked]) -> Draft | None:
    for other in asked:
        if other.document != entry.document and entry.answer in other.span.quote:
            return replace(entry.draft, gold=((other.span,),))
    return None


def _two_questions(entry: _Asked, beside: Sequence[_Asked], _: Sequence[_Asked]) -> Draft | None:
    other = next((o for o in beside if o.span != entry.span), None)
    if other is None:
        return None
    second = other.question
    first = second.split(" ")[0]
    second = second.replace(first, first[:1].lower() + first[1:], 1)
    joined = _words(_AND, entry)
    return replace(
        entry.draft,
        question=f"{entry.question.rstrip(_END)}{joined}{second}",
        reference=f"{entry.answer}; {other.answer}",
        gold=((entry.span,), (other.span,)),
        type="multi_hop",
        verbatim=False,
    )


def _needs_context(entry: _Asked, _: Sequence[_Asked], __: Sequence[_Asked]) -> Draft | None:
    names = [n for n in entities_of(entry.question) if n in entry.document.text and not n.isdigit()]
    if not names or entry.question.startswith(names[-1]):
        return None
    longest = max(names, key=len)
    question = entry.question.replace(longest, _words(_THAT, entry))
    return replace(entry.draft, question=question)


def _incomplete(entry: _Asked, _: Sequence[_Asked], __: Sequence[_Asked]) -> Draft | None:
    match = _LIST.match(entry.answer)
    return replace(entry.draft, reference=match.group(1)) if match else None


def _too_long(entry: _Asked, _: Sequence[_Asked], __: Sequence[_Asked]) -> Draft | None:
    document = entry.document
    spans = sentence_spans(document.text)
    if len(spans) < 3:
        return None
    whole = GoldSpan.cut(document.doc_id, document.hash, document.text, 0, spans[-1][1])
    return replace(entry.draft, reference=whole.quote, gold=((whole,),))


def _given_away(entry: _Asked, _: Sequence[_Asked], __: Sequence[_Asked]) -> Draft | None:
    asked = entry.question.rstrip(_END)
    return replace(entry.draft, question=asked + _words(_NAMELY, entry).format(entry.answer))


def _false_premise(entry: _Asked, _: Sequence[_Asked], asked: Sequence[_Asked]) -> Draft | None:
    names = [n for n in entities_of(entry.question) if n in entry.span.quote]
    for name in names:
        if name.isdigit():
            return replace(entry.draft, question=entry.question.replace(name, str(int(name) + 13)))
        for other in asked:
            strange = [n for n in entities_of(other.question) if not re.search(r"\d", n)]
            strange = [n for n in strange if n not in entry.document.text and len(n) > 3]
            if strange and entry.question.find(name) > 0:
                question = entry.question.replace(name, strange[-1])
                return replace(entry.draft, question=question)
    return None


def _refused(entry: _Asked) -> Draft:
    return replace(
        entry.draft,
        reference="",
        type="unanswerable",
        gold=(),
        expected_behaviour="refuse",
        verbatim=False,
    )


FAULTS = {
    "wrong answer": _wrong_answer,
    "answer from elsewhere": _foreign_answer,
    "wrong evidence": _wrong_evidence,
    "two questions": _two_questions,
    "needs context": _needs_context,
    "incomplete": _incomplete,
    "too long": _too_long,
    "given away": _given_away,
    "false premise": _false_premise,
    "answered elsewhere": lambda entry, _, __: _refused(entry),
}
"""Fault -> what makes a bad draft of a good one; `None` where it cannot."""
