"""Sentences: definitions, conditions, reasons and dates, each answered by its whole sentence."""

import re
from collections.abc import Iterator
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from testset.checks.answers import letters_of
from testset.corpus.plain import Block
from testset.rules.answers import in_setting, invented
from testset.rules.candidate import Candidate
from testset.rules.language import Wording
from testset.rules.outline import Section

_READ = frozenset({"paragraph", "item", "definition"})
SHORTEST, LONGEST = 30, 320
"""Bytes and characters of a sentence that is read; of longer ones, patterns misread too many."""
_UNREADABLE = re.compile(
    "[{}<>=|;#~\\\\$^\u2600-\u27bf\U0001f000-\U0001faff\n?？]|\\.\\.\\.|…|https?:|::|--"
    r"|(?<!\w)[(（][^)）]*$|^[^(（]*[)）]|[:：]$"
)
_ENDS = (".", "。", "!", "！", "다")
SEEN = 3
"""Times that a term stands in its document, from which it is one of the document."""
NEAR = 200_000
"""Characters before and after a definition in which its term is counted."""


def sentences(section: Section) -> Iterator[Candidate]:
    """Yield what the sentences under a heading answer, each rule once a sentence."""
    language = section.language
    for block in section.body if language.sentences else ():
        if block.kind not in _READ or block.inside == "example":
            continue
        text = section.text(block)
        if invented(section, text):
            continue
        for low, high in sentence_spans(text):
            sentence = text[low:high]
            read = (
                len(sentence) <= LONGEST
                and len(sentence.encode()) >= SHORTEST
                and sentence.endswith(_ENDS)
            )
            if read and not _UNREADABLE.search(sentence) and not language.is_open(sentence):
                part = replace(block, start=block.start + low, end=block.start + high)
                yield from _questions(section, part, sentence)


def _questions(section: Section, part: Block, sentence: str) -> Iterator[Candidate]:
    for row in section.language.sentences:
        match = row.read(_plain(section, sentence.rstrip(".。!！")))
        if match is None or (
            row.rule == "definition" and not _is_term(section, match["subject"], part.start)
        ):
            continue
        yield _candidate(section, part, section.language.question_for(row, match), row)
        return


def _plain(section: Section, sentence: str) -> str:
    """Return a sentence whose first word has the case that it has inside others."""
    first, blank, after = sentence.partition(" ")
    words, plain = section.outline.words, first.lower()
    small = section.language.small and first[1:].islower() and words[plain] > words[first]
    lowered = blank and (small or (plain in section.language.common and section.language.small))
    return plain + blank + after if lowered else sentence


def _candidate(section: Section, part: Block, question: str, row: Wording) -> Candidate:
    """Return a question with its sentence as answer; but a definition, it needs its page."""
    wider = in_setting(section, question, always=True)
    return Candidate(
        question if row.rule in {"definition", "date"} else wider,
        section.text(part),
        ((section.span([part]),),),
        row.kind,
        row.rule if row.rule in {"definition", "date"} else f"{row.rule}: {row.ask}",
        section.language.code,
        wider=wider,
    )


def _is_term(section: Section, subject: str, start: int) -> bool:
    """Return whether a document is about a thing: its headings name it, or it is set apart."""
    articles = "|".join(section.language.articles) or "(?!)"
    name = re.sub(rf"^(?:{articles})\s+", "", subject, flags=re.IGNORECASE)
    if not re.search(r"[^\W\d_]{2}", name):
        return False
    headed = any(letters_of(name) == letters_of(head) for head in (section.page, *section.path))
    if headed or len(name) <= SEEN:
        return headed
    text = section.outline.document.view.text[max(0, start - NEAR) : start + NEAR]
    return text.casefold().count(name.casefold()) >= SEEN
