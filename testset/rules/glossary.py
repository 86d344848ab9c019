"""Glossaries: short forms where their long form stands."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from testset.checks.answers import letters_of
from testset.corpus.documents import SourceDocument
from testset.rules.candidate import Candidate, Span
from testset.rules.language import languages
from testset.rules.outline import Outline

_BRACKET = re.compile(r"[(（](?P<short>[A-Z][a-z0-9]*[A-Z]\w{0,5})[)）]")
_BEFORE = re.compile(r"[^()（）\n]{4,90}\Z")
"""What stands before a bracket, and may end with a long form."""
_USED = re.compile(r"(?<![\w(（])[A-Z][a-z0-9]*[A-Z]\w*(?![\w)）])")
"""A short form in a sentence."""
LONGEST_SMALL = 3
"""Letters of a word up to which it may have no letter in a short form, as "of" and "for"."""
_READ = frozenset({"paragraph", "item", "definition"})


def short_forms(
    outline: Outline, used: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> Iterator[Candidate]:
    """Yield what a short form stands for, where it stands in brackets behind its long form.

    One that stands nowhere else is only mentioned: nobody meets it and asks. One that stands behind
    something else, too, has two meanings, or two names of one.

    Args:
        outline: The document.
        used: Short forms of the collection, see `used_short_forms`.
    """
    view, template = outline.document.view, outline.language.ask.get("short", "")
    own = used_short_forms([outline.document])
    used = {form: [*own.get(form, ()), *used.get(form, ())] for form in own.keys() | used.keys()}
    drafts: dict[str, tuple[str, Span]] = {}
    for section in outline.sections if template else ():
        for block in section.body:
            text = view.block_text(block) if block.kind in _READ else ""
            for short, before, end in _bracketed(text):
                long = long_form(before, short).strip() if short in used else ""
                if long and short not in drafts:
                    start = block.start + text.rindex(long, 0, end)
                    drafts[short] = long, section.span_at(start, block.start + end)
    for short, (long, span) in drafts.items():
        same = all(letters_of(before).endswith(letters_of(long)) for before in used[short])
        if same and not _is_many(long) and not short.endswith("s"):
            question, code = template.format(name=short), outline.language.code
            yield Candidate(question, long, ((span,),), "naming", "short_form: stands for", code)


def used_short_forms(documents: Iterable[SourceDocument]) -> dict[str, list[str]]:
    """Return the short forms that documents use without brackets around them.

    Returns:
        Short form -> what stands before it where it is in brackets.
    """
    used: dict[str, list[str]] = {}
    before: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        text = document.view.text
        used |= {form: [] for form in _USED.findall(text)}
        for short, words, _ in _bracketed(text):
            before[short].append(words)
    return {form: before[form] for form in used}


def _bracketed(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield what stands in brackets and looks like a short form, what is before it, and its end."""
    for match in _BRACKET.finditer(text):
        before = _BEFORE.search(text, max(0, match.start() - 91), match.start())
        if before:
            yield match["short"], before[0].rstrip(), match.end()


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
