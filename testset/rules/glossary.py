"""Glossaries: short forms where their long form stands, and what a term is that is set apart."""

import re
from collections.abc import Iterator
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from testset.checks.answers import letters_of
from testset.corpus.plain import Block
from testset.rules.answers import invented
from testset.rules.candidate import Candidate
from testset.rules.language import languages
from testset.rules.outline import Outline, Section

_BRACKET = re.compile(
    r"(?P<before>[^()（）\n]{4,90}?)\s?[(（](?P<short>[A-Z][A-Za-z0-9]{1,7})[)）]"
)
FEWEST_CAPITALS = 2
"""Capitals of a short form at least; a word has one."""
LONGEST_SMALL = 3
"""Letters of a word up to which it may have no letter in a short form, as "of" and "for"."""
_READ = frozenset({"paragraph", "item", "definition"})
SHORTEST, LONGEST = 30, 320
"""Bytes and characters of a sentence that is read; of longer ones, patterns misread too many."""
_UNREADABLE = re.compile(
    "[{}<>=|;#~\\\\$^\u2600-\u27bf\U0001f000-\U0001faff\n?？]|\\.\\.\\.|…|https?:|::|--"
    r"|(?<!\w)[(（][^)）]*$|^[^(（]*[)）]|[:：]$"
)
_LEAD = re.compile(r"([^.:。：\n]{2,60})[.:。：]\s*(?=\S)")
"""A term before its text."""
_ENDS = (".", "。", "!", "！", "다")
ENDING = 2
"""Letters at most by which a term that is set apart differs from it in the text: a plural."""


def short_forms(outline: Outline) -> Iterator[Candidate]:
    """Yield what a short form stands for, where it stands in brackets behind its long form."""
    view, template = outline.document.view, outline.language.ask.get("short", "")
    seen: set[str] = set()
    for section in outline.sections if template else ():
        for block in section.body:
            text = view.block_text(block)
            may = block.kind in {"paragraph", "item", "definition"} and {*"(（"} & {*text}
            for match in _BRACKET.finditer(text) if may else ():  # it is slow to find nothing
                long = long_form(match["before"], match["short"]).strip()
                several = _is_many(long) or match["short"].endswith("s")
                if not long or several or re.search('["“”„«»]', long) or match["short"] in seen:
                    continue
                seen.add(match["short"])
                start = block.start + match.start() + match["before"].rindex(long)
                yield Candidate(
                    template.format(name=match["short"]),
                    long,
                    ((section.span_at(start, block.start + match.end()),),),
                    "naming",
                    "short_form: stands for",
                    outline.language.code,
                )


def _is_many(long: str) -> bool:
    """Return whether a long form, which is mostly English, names several things.

    Example:
        >>> [_is_many(text) for text in ("operating systems", "Office of Pump Affairs")]
        [True, False]
    """
    english = languages()["en"]
    return english.is_many(long) and english.common.isdisjoint(long.split())


def long_form(before: str, short: str) -> str:
    """Return the words at the end of a text whose initials make a short form; empty if none do.

    Example:
        >>> long_form("the Office of Personnel Management", "OPM")
        'Office of Personnel Management'
        >>> long_form("fill in a form", "SF")
        ''
        >>> long_form("pages of the World Wide Web", "WWW")
        'World Wide Web'
    """
    letters = [letter.casefold() for letter in short if letter.isupper()]
    if len(letters) < FEWEST_CAPITALS:
        return ""
    words = list(re.finditer(r"[^\W_]+", before))
    first = len(words)
    for number in range(len(words) - 1, -1, -1):
        if not letters:
            break
        word = words[number][0].casefold()
        before_it = [other[0][:1].casefold() for other in words[max(0, number - 2) : number]]
        own = len(word) > 1 and words[number][0][0].isupper()
        small = not own and len(word) <= LONGEST_SMALL and letters[-1] in before_it
        if word[0] == letters[-1] and not small:
            letters.pop()
            first = number
        elif len(word) > LONGEST_SMALL:
            return ""
    letters_of_it = "".join(word[0] for word in words[first:]).casefold()
    if letters_of_it == short.casefold() or not re.search(".*".join(short), before, re.IGNORECASE):
        return ""
    long = before[words[first].start() :] if first < len(words) and not letters else ""
    long = long if re.search('[«»„“”"].', long) else long.rstrip("«»“”\"’'")
    return long if len(long.split()) > 1 and re.match(r"[A-Z]|[a-z]+ [a-z]", long) else ""


def definitions(section: Section) -> Iterator[Candidate]:
    """Yield what each term is that is set apart, where the first sentence behind it defines it."""
    language = section.language
    for term, block in _terms(section) if language.definitions else ():
        text = section.text(block)
        low, high = next(iter(sentence_spans(text)), (0, 0))
        sentence = text[low:high]
        read = len(sentence) <= LONGEST and len(sentence.encode()) >= SHORTEST
        if not read or not sentence.endswith(_ENDS) or _UNREADABLE.search(sentence):
            continue
        if language.is_open(sentence) or invented(section, text):
            continue
        part = replace(block, start=block.start + low, end=block.start + high)
        for row in language.definitions:
            match = row.read(_plain(section, sentence.rstrip(".。!！"), term))
            if match is not None and _names(section, term, match["subject"]):
                yield _definition(section, part, language.question_for(row, match))
                break


def _terms(section: Section) -> Iterator[tuple[str, Block]]:
    """Yield the heading, or the title of a page's beginning, and words in bold, with their text."""
    blocks = [block for block in section.body if block.kind in _READ]
    if blocks and blocks[0].inside != "example":
        yield section.heading or section.page, blocks[0]
    for block in blocks:
        lead = _LEAD.match(section.text(block))
        if lead and section.is_bold(block) and block.inside != "example":
            yield lead[1], replace(block, start=block.start + lead.end())


def _plain(section: Section, sentence: str, term: str) -> str:
    """Return a sentence whose first word has the case that it has inside others."""
    first, blank, after = sentence.partition(" ")
    plain, outline = first.lower(), section.outline
    common = outline.words[plain] > outline.words[first] or outline.is_common(term)
    small = section.language.small and first[1:].islower() and common
    article = plain in section.language.common
    return plain + blank + after if blank and (small or article) else sentence


def _names(section: Section, term: str, subject: str) -> bool:
    """Return whether a term is the subject of a sentence, but for its ending."""
    articles = "|".join((*section.language.articles, *section.language.common)) or "(?!)"
    name = letters_of(re.sub(rf"^(?:{articles})\s+", "", subject, flags=re.IGNORECASE))
    said = letters_of(term)
    return bool(name) and said.startswith(name) and len(said) - len(name) <= ENDING


def _definition(section: Section, part: Block, question: str) -> Candidate:
    return Candidate(
        question,
        section.text(part),
        ((section.span([part]),),),
        "definition",
        "definition",
        section.language.code,
    )
