"""Questions from sentences: one engine for all languages; what it knows of each is a table."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from testset.checks.answers import holds, letters_of
from testset.corpus.documents import SourceDocument
from testset.corpus.plain import Block
from testset.rules.candidate import Candidate, Kind, Span
from testset.rules.language import languages
from testset.rules.reader import fault_of
from testset.rules.sentences.clause import Clause, Sentence, clause_of
from testset.rules.sentences.setting import placed
from testset.rules.sentences.table import ClauseTable, SentenceRule, clause_table, pattern_of
from testset.rules.structure.outline import Outline

READ = frozenset({"paragraph", "item", "definition"})
"""Kinds of blocks that are read."""
LONGEST = 320
"""Characters of a sentence that is read; of longer ones, rules misread too many."""
_PICTURE = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff]")
SHORTEST = 3
"""Words of a question as "Was ist Eis?"."""
STEP = 80
"""Characters behind a sentence by which the next step of a task is told."""
_BETWEEN = " \n\t-–•*.!"
_ENDS = (".", "。", "!", "！")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*[ \t]*\n")
"""A line in bold before a text, in Markdown, which is no part of its first sentence."""
_CLAUSE = re.compile(r"\s*(?:§ ?\d+|\d+(?:\.\d+)+[.)]?|\d+\)|\(\w{1,3}\)) +(?=[^\W\d_a-zß-ÿ])")
"""The number of a clause before its text, as "4.2 The tenant"."""
_ORDINAL = re.compile(r"\b\d{1,2}\.\s*$")
"""The end of a text that a number cuts off, as in "the 18. year"."""
_FIELD = re.compile(r"\{(\w+)((?:\|\w+)*)\}")


def sentence_questions(document: SourceDocument, code: str) -> Iterator[Candidate]:
    """Yield the questions that rules read off the sentences of a document, each once.

    Args:
        document: The document.
        code: Its language.
    """
    if code not in languages():
        return
    outline = Outline(document, languages()[code])
    table, words = clause_table(code), _Words(document.view.text, outline.title)
    seen: set[str] = set()
    before: Sentence | None = None
    example: Block | None = None
    for read in sentences_of(document):
        last, before = before, _named(read, before, code)
        sentence = before
        example = read.block if table.supposed.search(read.text) else example
        if example == read.block:
            continue
        if table.unreadable is not None and table.unreadable.search(sentence.text):
            continue
        after = document.view.text[sentence.end :].lstrip(_BETWEEN)[:STEP]
        for candidate, subject in _of_rules(document, sentence, table, code, words):
            goes_on = candidate.kind == "procedure" or candidate.rule == "sentence.contains"
            if goes_on and table.next_step.match(after):
                continue
            if candidate.question in seen or not outline.is_bare(_last_word(candidate.question)):
                continue
            known = last.text if last is not None and last.block == sentence.block else ""
            if candidate.kind == "definition" and outline.language.structure.is_a(subject, known):
                continue
            seen.add(candidate.question)
            located = placed(outline, candidate, sentence, subject)
            if located is not None:
                yield located


def _last_word(question: str) -> str:
    """Return the last word of a question that asks for nothing but one word."""
    words = question.rstrip("?").split()
    return words[-1] if len(words) == SHORTEST else ""


def _named(sentence: Sentence, before: Sentence | None, code: str) -> Sentence:
    """Return a sentence with the name for the pronoun that it begins with.

    The one that the sentence right before it in its paragraph begins with, if it has no other.
    """
    table = clause_table(code)
    if before is None or before.block != sentence.block or not table.named:
        return sentence
    read = pattern_of(code, table.named).fullmatch(before.said)
    name = read["name"] if read else ""
    for pronoun, stands in table.pronouns if name else ():
        if match := pronoun.match(sentence.text):
            text = stands.format(name=name) + sentence.text[match.end() :]
            return replace(sentence, text=text, start=before.start)
    return sentence


def sentences_of(document: SourceDocument) -> Iterator[Sentence]:
    """Yield the sentences of the paragraphs, list items and definitions of a document."""
    view = document.view
    for block in view.blocks:
        if block.kind not in READ:
            continue
        start = block.cells[-1][0] if block.kind == "definition" and block.cells else block.start
        text = view.text[start : block.end]
        raw = view.raw_span(start, block.end)
        if bold := _BOLD.match(document.text, max(0, raw[0] - 2), raw[1]):
            start += len(bold[1])
            text = view.text[start : block.end]
        for low, high in sentence_spans(text):
            if number := _CLAUSE.match(text, low):
                low = number.end()
            said = text[low:high]
            if _ORDINAL.search(text[:low]) or _ORDINAL.search(said):
                continue
            if len(said) <= LONGEST and "\n" not in said and not _PICTURE.search(said):
                yield Sentence(said, start + low, start + high, block, said.endswith(_ENDS))


class _Words:
    """The words of a document, to tell names from words that only begin a sentence."""

    def __init__(self, text: str, title: str) -> None:
        self._titled = bool(title)
        self._names = Counter(re.findall(r"(?<=[\w,;] )[A-Z][\w’'-]*", f"{text}, {title}"))
        self._small = Counter(re.findall(r"(?<![\w’'@./-])[a-z][\w’'-]*", text))

    def is_seen(self, word: str) -> bool:
        """Return whether a word has a capital inside a sentence, too."""
        return self._names[word] > 0

    def is_new(self, word: str) -> bool:
        """Return whether nothing in a page with a title tells if a word is a name or a noun."""
        plain = word.isalpha() and word.istitle() and not word.endswith("s")
        return self._titled and plain and not self._names[word] and not self._small[word.lower()]

    def is_small(self, word: str) -> bool:
        """Return whether a word stands somewhere without a capital."""
        return self._small[word.lower()] > 0

    def is_name(self, word: str, *, alone: bool = True) -> bool:
        """Return whether a capitalised word is a name, and not only the first of a sentence.

        Of words that stand nowhere else, those that look like a plural, or are not `alone` before
        a word without a capital, are none. What owns something without an article is one.
        """
        word, owner, _ = word.replace("’", "'").partition("'s")
        if owner or not word[1:].islower():
            return True
        seen, small = self._names[word], self._small[word.lower()]
        named = alone and not (word.isalpha() and word.endswith("s"))
        return seen >= small and (seen > 0 or named)


def _of_rules(
    document: SourceDocument, sentence: Sentence, table: ClauseTable, code: str, words: _Words
) -> Iterator[tuple[Candidate, str]]:
    """Yield what the rules of the table ask about a sentence, and of what; each asks once."""
    opening = table.opening.match(sentence.text) if table.opening is not None else None
    if not sentence.ended:
        return
    start = opening.end() if opening else 0
    used: set[str] = set()
    for rule in table.rules:
        if rule.name in used or not _applies(rule, sentence.said[start:], code):
            continue
        clause = clause_of(sentence, pattern_of(code, rule.reads), start)
        if clause is None or _is_bad(clause, table, words, rule.kind):
            continue
        question = _question(rule, clause, table, words)
        answer = clause.text_of(rule.answer)
        draft = _candidate(document, sentence, code, question, answer, rule.kind, rule.name)
        if draft is not None and len(answer) <= table.longest_answer:
            used.add(rule.name)
            yield draft, clause.text_of("subject")


def _applies(rule: SentenceRule, text: str, code: str) -> bool:
    """Return whether a sentence has what a rule looks for, and nothing that it must not have."""
    cued = not rule.cue or pattern_of(code, rule.cue).search(text) is not None
    return cued and not (rule.unless and pattern_of(code, rule.unless).search(text))


def _is_bad(clause: Clause, table: ClauseTable, words: "_Words", kind: Kind) -> bool:
    """Return whether a part of a clause cannot be what it was read as."""
    subject = clause.text_of("subject")
    alone = table.capital_nouns and subject.isalpha()
    unknown = bool(table.named) and kind != "definition" and words.is_new(subject)
    if (alone and not words.is_seen(subject)) or unknown or _no_name(clause, words):
        return True
    return any(
        pattern.search(clause.text_of(name))
        for name, pattern in table.bad.items()
        if name in clause.parts
    )


def _no_name(clause: Clause, words: "_Words") -> bool:
    """Return whether the part that is to be a name is only a word that begins the sentence."""
    first, *rest = clause.text_of("name").split() or [""]
    named = bool(rest) and rest[0][:1].isupper()
    return bool(first) and not named and not (words.is_name(first) and words.is_seen(first))


def _question(rule: SentenceRule, clause: Clause, table: ClauseTable, words: _Words) -> str:
    """Return the question that a rule asks about a clause."""

    def filled(match: re.Match[str]) -> str:
        text = clause.text_of(match[1])
        for form in match[2].split("|")[1:] if text else ():
            if form == "small":
                text = text[:1].lower() + text[1:]
            else:
                text = _inner(text, table, words) if form == "inner" else table.forms[form].of(text)
        return text

    plain = " ".join(_FIELD.sub(filled, rule.question).split()).replace(" ?", "?")
    return plain[:1].upper() + plain[1:] if table.lowered is not None else plain


def _inner(phrase: str, table: ClauseTable, words: _Words) -> str:
    """Return a phrase as it reads inside a sentence: a name keeps its capital."""
    if table.lowered is None or not phrase[:1].isupper() or table.names.match(phrase):
        return phrase
    first = phrase.split()[0]
    rest = phrase[len(first) :].lstrip()
    if table.capital_nouns:
        adjective = re.search("e[nrsm]?$", first) is not None and words.is_small(first)
        adjective = adjective or (first.endswith("e") and not words.is_seen(first))
        named = not (rest[:1].isupper() and adjective)
    else:
        named = rest[:1].isupper() or words.is_name(first, alone=not rest)
        plain = first[1:].islower() and rest[:1].islower() and words.is_small(first)
        named = named and not plain
    if table.lowered.match(phrase) or not named:
        return phrase[:1].lower() + phrase[1:]
    return phrase


def _candidate(
    document: SourceDocument,
    sentence: Sentence,
    code: str,
    question: str,
    answer: str,
    kind: Kind,
    name: str,
) -> Candidate | None:
    """Return a candidate with its sentence as evidence; `None` if a reader would turn it down."""
    if holds(question, answer) or fault_of(question, answer, code, evidence=sentence.text):
        return None
    start, end = sentence.raw_span(document.view)
    verbatim = letters_of(answer) in letters_of(document.text[start:end])
    span = Span(document.doc_id, start, end)
    return Candidate(
        question,
        answer,
        ((span,),),
        kind,
        f"sentence.{name}",
        code,
        verbatim=verbatim,
    )
