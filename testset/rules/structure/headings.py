"""Headings: those that are questions, that name a task, or that the text below defines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, terms
from testset.corpus.plain import Block
from testset.rules.candidate import Candidate, Kind
from testset.rules.structure.answers import LONGEST, answer_of, candidate_of, in_setting
from testset.rules.structure.casing import spoken
from testset.rules.structure.outline import Section

LONGEST_HEADING = 110
"""Characters of a heading at most; a longer one is a sentence."""

FEWEST_WORDS = 4
"""Words of a heading that is a question at least; "In a hurry?" says too little. Two characters of
Chinese or Japanese count as one."""
TASK_AT = 3
"""Words before a task where nouns have a capital, as in "Wie kann ich Eis machen?"."""


def headings(section: Section) -> Iterator[Candidate]:
    """Yield what a heading asks, with the whole of what stands below it as the answer."""
    usable = section.readable and section.whole and section.language.names(section.heading)
    if not usable or len(section.heading) > LONGEST_HEADING:
        return
    asks = (is_question(section, section.text(block)) for block in section.body)
    answer = answer_of(
        section, section.body[: next((n for n, ask in enumerate(asks) if ask), None)]
    )
    if answer is None:
        return
    known = section.language.structure
    if known.finds("question", section.heading):
        if is_question(section, section.heading):
            question = spoken(section.heading, section.outline.words, section.language)
            question = in_setting(section, question)
            yield candidate_of(section, question, answer, "factoid", "faq", alone=True)
        return
    heading = re.sub(r"\s*[(（][^()（）]*[)）]$", "", section.heading)
    heading = section.outline.plainly_cased(heading)
    instructs = _instructs(section, answer)
    rows = tuple(row for row in known.headings if instructs or row.kind != "procedure")
    wording = known.question_of(rows, heading, **section.outline.known)
    if wording is not None and not re.search(r"[!.?！。？]$", heading):
        question, row = wording
        unnamed = "{title}" in row.ask and not section.language.names(section.outline.title)
        if unnamed or _lacks_article(section, question):
            return
        for rule, parts in _answers(section, row.kind, answer):
            yield candidate_of(section, question, parts, row.kind, rule, alone=row.alone)
    elif section.article and known.ask.article and section.page:
        question = known.ask.article.format(title=section.page, name=section.heading)
        yield candidate_of(section, question, answer, "factoid", "heading.article", alone=True)
    elif _defined(section, answer):
        word, _, rest = section.heading.partition(" ")
        common = rest and word.lower() in section.language.common
        name = f"{word.lower()} {rest}" if common else section.heading
        question = known.ask.means.format(name=name)
        high = sentence_spans(section.text(answer[0]))[0][1]
        first = replace(answer[0], end=answer[0].start + high)
        yield candidate_of(section, question, [first], "definition", "heading.definition")


def _answers(
    section: Section, kind: Kind, answer: Sequence[Block]
) -> Iterator[tuple[str, Sequence[Block]]]:
    """Yield the rule and the answer; of steps, no text below them, and none if most is text."""
    numbered = [block.start for block in answer if section.number(block)]
    if kind != "procedure" or len(numbered) < 2:
        yield f"heading.{kind}", answer
        return
    kept = [b for b in answer if b.kind != "paragraph" or b.start < numbered[-1]]
    prose = sum(len(section.text(block)) for block in kept if block.kind == "paragraph")
    if 2 * prose <= len(section.text_of(kept)):
        yield "procedure", kept


def _lacks_article(section: Section, question: str) -> bool:
    """Return whether what a task is about is one word that has an article elsewhere, or ends so."""
    words = question.rstrip("?").split()
    verbs = {verb.casefold() for verb in section.language.structure.verbs}
    named = list(dropwhile(lambda word: word.casefold() not in verbs, words))[1:]
    named = list(takewhile(lambda word: word not in section.language.common, named))
    noun = next((word for word in reversed(named) if not word.endswith("ly")), "")
    several = section.language.structure.finds("many", noun) or not noun.isalpha()
    if section.language.structure.small and noun.islower() and not several:
        known = section.outline
        return known.has_article(noun) and not known.is_bare(noun, behind=r"(?:[\w-]+ ){0,2}")
    last = words[-1] if words[-2:-1] and words[-2].casefold() in verbs else ""
    task = words[TASK_AT:-1] if section.language.structure.genders else []
    word = last or next((word for word in task[:1] if word[:1].isupper()), "")
    article = rf"(?!(?:{section.language.structure.articles}|meinen) )"
    if task and re.match(article + r"[^\W\d_A-ZÄÖÜ]+en [A-ZÄÖÜ]", " ".join(task)):
        return True
    return bool(word) and not section.outline.is_bare(word)


def is_question(section: Section, text: str) -> bool:
    """Return whether a line is a question that says enough, and no more than a heading does."""
    words = len(text) // 2 if is_cjk(text) else len(text.split())
    asks = section.language.structure.finds("question", text)
    return asks and words >= FEWEST_WORDS and len(text) <= LONGEST_HEADING


def _instructs(section: Section, answer: Sequence[Block]) -> bool:
    """Return whether a section tells its reader what to do, not only what there is.

    It speaks of what the task is about: "Booking rules" has no rule to be booked below it.
    """
    said, known = section.text_of(answer), section.language.structure
    doing = {*section.language.common, *known.forms, *map(str.casefold, known.verbs)}
    named = [word for word in section.heading.split() if word.casefold() not in doing]
    about = {term.key for term in terms(" ".join(named))} & {term.key for term in terms(said)}
    kinds = {"code"} if known.finds("many", section.heading) else {"code", "item", "row"}
    instructs = any(block.kind in kinds for block in answer)
    instructs = instructs or known.finds("addressed", said)
    steps = any(section.number(block) for block in answer)
    if section.language.script == "han" and section.heading.startswith(known.verbs):
        rest = re.sub("|".join(known.verbs), "", section.heading)
        if not any(rest[n : n + 2] in said for n in range(len(rest) - 1)):
            return False
    return steps or (instructs and (is_cjk(said) or bool(about)))


def _defined(section: Section, answer: Sequence[Block]) -> bool:
    """Return whether the text below a heading begins by saying what it is."""
    first, known = section.text(answer[0]), section.language.structure
    names = [section.heading, re.sub(r"\s*[(（][^()（）]*[)）]$", "", section.heading)]
    fits = answer[0].kind == "paragraph" and len(first) <= LONGEST
    return fits and bool(known.ask.means) and any(known.is_a(name, first) for name in names)
