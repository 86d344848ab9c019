"""Glossaries: short forms where their long form stands, and what terms mean."""

import re
from collections.abc import Iterator

from testset.rules.candidate import Candidate
from testset.rules.outline import Outline

_BRACKET = re.compile(
    r"(?P<before>[^()（）\n]{4,90}?)\s?[(（](?P<short>[A-Z][A-Za-z0-9]{1,7})[)）]"
)
FEWEST_CAPITALS = 2
"""Capitals of a short form at least; a word has one."""
LONGEST_SMALL = 3
"""Letters of a word up to which it may have no letter in a short form, as "of" and "for"."""


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
                quoted = re.search('["“”„«»]', long)
                if not long or quoted or long.endswith(("'s", "’s")) or match["short"] in seen:
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


def long_form(before: str, short: str) -> str:
    """Return the words at the end of a text whose initials make a short form; empty if none do.

    Example:
        >>> long_form("the Office of Personnel Management", "OPM")
        'Office of Personnel Management'
        >>> long_form("fill in a form", "SF")
        ''
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
        own = len(word) > 1 and words[number][0].isupper()
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
