"""Glossaries: short forms where their long form stands, and what a term is that is set apart."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from testset.checks.answers import letters_of
from testset.corpus.documents import SourceDocument
from testset.corpus.plain import Block
from testset.rules.answers import invented
from testset.rules.candidate import Candidate, Span
from testset.rules.language import languages
from testset.rules.outline import Outline, Section

_BRACKET = re.compile(
    r"(?P<before>[^()（）\n]{4,90}?)\s?[(（](?P<short>[A-Z][a-z0-9]*[A-Z]\w{0,5})[)）]"
)
_BRACKETS = frozenset("(（")
_USED = re.compile(r"(?<![\w(（])[A-Z][a-z0-9]*[A-Z]\w*(?![\w)）])")
"""A short form in a sentence."""
LONGEST_SMALL = 3
"""Letters of a word up to which it may have no letter in a short form, as "of" and "for"."""
_READ = frozenset({"paragraph", "item", "definition"})
SHORTEST, LONGEST = 30, 320
"""Bytes and characters of a sentence that is read; of longer ones, patterns misread too many."""
_UNREADABLE = re.compile(
    "[{}<>=|;#~\\\\$^\u2600-\u27bf\U0001f000-\U0001faff\n?？]|\\.\\.\\.|…|https?:|::|--"
    r"|(?<!\w)[(（][^)）]*$|^[^(（]*[)）]|[(（][^)）]*[(（]|[:：]$"
)
_LEAD = re.compile(r"([^.:。：\n]{2,60})[.:。：]\s*(?=\S)")
"""A term before its text."""
_ENDS = (".", "。", "!", "！", "다")
_CODE = re.compile(r"[a-z]+[A-Z]")
"""The begin of a name of code, of which a sentence says too little."""
ENDING = 2
"""Letters at most by which a term that is set apart differs from it in the text: a plural."""


def short_forms(outline: Outline, used: Set[str] = frozenset()) -> Iterator[Candidate]:
    """Yield what a short form stands for, where it stands in brackets behind its long form.

    One that stands nowhere else is only mentioned: nobody meets it and asks.

    Args:
        outline: The document.
        used: The short forms that the collection uses without brackets.
    """
    view, template = outline.document.view, outline.language.ask.get("short", "")
    used = used | used_short_forms([outline.document])
    drafts: dict[str, list[tuple[str, str, Span]]] = defaultdict(list)
    for section in outline.sections if template else ():
        for block in section.body:
            text = view.block_text(block) if block.kind in _READ else ""
            for match in _BRACKET.finditer(text) if _BRACKETS & {*text} else ():  # it is slow
                before, short = match["before"], match["short"]
                long = long_form(before, short).strip() if short in used else ""
                start = block.start + match.start() + before.rindex(long)
                span = section.span_at(start, block.start + match.end())
                drafts[short].append((before, long, span))
    for short, mentions in drafts.items():
        long, span = next((mention[1:] for mention in mentions if mention[1]), ("", mentions[0][2]))
        same = all(letters_of(before).endswith(letters_of(long)) for before, *_ in mentions)
        if long and same and not _is_many(long) and not short.endswith("s"):
            question, code = template.format(name=short), outline.language.code
            yield Candidate(question, long, ((span,),), "naming", "short_form: stands for", code)


def used_short_forms(documents: Iterable[SourceDocument]) -> frozenset[str]:
    """Return the short forms that documents use without brackets around them."""
    texts = (document.view.text for document in documents)
    return frozenset(form for text in texts for form in _USED.findall(text))


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
    spelled = "".join(word[0] for word in words[first:]).casefold() == short.casefold()
    if letters or spelled or not re.search(".*".join(short), before, re.IGNORECASE):
        return ""
    start = words[first].start()
    long = before[start:] if before[start - 1 : start] not in {"-", "‑"} else ""
    plain = len(long.split()) > 1 and not re.search('["“”„«»]', long)
    return long if plain and re.match(r"[A-Z]|[a-z]+ [a-z]", long) else ""


def definitions(section: Section) -> Iterator[Candidate]:
    """Yield what each term is that is set apart, where the first sentence behind it defines it.

    The answer is the whole paragraph, if it is short: what follows in it is a part of the meaning.
    """
    language = section.language
    for term, block in _terms(section) if language.definitions else ():
        text = section.text(block)
        low, high = next(iter(sentence_spans(text)), (0, 0))
        sentence, rest = text[low:high], text[high:]
        if not _is_readable(section, sentence) or invented(section, text):
            continue
        if _is_word(section, term, sentence):
            continue
        whole = len(text) <= LONGEST and not _UNREADABLE.search(text) and text.endswith(_ENDS)
        whole = whole and language.reader.pointer.search(rest) is None
        part = replace(
            block, start=block.start + low, end=block.start + (len(text) if whole else high)
        )
        for row in language.definitions:
            match = row.read(_plain(section, sentence.rstrip(".。!！"), term))
            if match is not None and _names(section, term, match["subject"]):
                yield _definition(section, part, language.question_for(row, match))
                break


def _is_readable(section: Section, sentence: str) -> bool:
    """Return whether a sentence is whole, and understood without what stands around it."""
    language = section.language
    read = len(sentence) <= LONGEST and len(sentence.encode()) >= SHORTEST
    whole = read and sentence.endswith(_ENDS) and not _UNREADABLE.search(sentence)
    leans = language.is_open(sentence) or language.points(sentence) or language.speaks(sentence)
    return whole and not leans


def _is_word(section: Section, term: str, sentence: str) -> bool:
    """Return whether a term is one common word, which says too little in a question, or code.

    A name has no article before it.
    """
    named = sentence.split()[0].lower() not in section.language.articles
    common = section.outline.is_common(term) or not named
    return len(term.split()) == 1 and (common or _CODE.match(term) is not None)


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
