"""The setting of a part of a document: what a reader sees around it and needs to understand it.

A row of a table means nothing without its header, a list item without its lead-in, most sentences
without the title and headings above them. None of these stand in the part itself.
"""

import re
from itertools import chain, takewhile

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from testset.corpus.documents import SourceDocument
from testset.corpus.plain import Block, PlainView

SENTENCE_ENDS = (".", "!", "?", "。", "！", "？")
"""Ends of a sentence; one that a list or a span goes on with has none."""
SENTENCES = 2
"""Sentences before a span that belong to its setting."""
EMPHASIS = "*_`"
"""Marks of emphasis and code."""
LONGEST_LINK = 1_000
"""Characters of a link."""
_LINK = re.compile(
    r"!?\[(?:[^\[\]\n]|!\[[^\[\]\n]*\]\([^()\s]*\)|\n(?!\n))*\]"
    r"(?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+[\"'][^\n]*?[\"'])?\)|\[[^\[\]\n]*\])"
    r"|`[^`<>\n]+<[^`<>\n]+>`__?"
)
"""A link of Markdown, with its target or its label, or of reStructuredText."""


def with_whole_links(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span of a raw text, and all of a link of which one end was in it.

    A span within the words of a link stays as it is.

    Example:
        >>> text = "It weighs [40 kg](specs.md) dry."
        >>> with_whole_links(text, 3, 16), with_whole_links(text, 11, 16)
        ((3, 27), (11, 16))
    """
    low, high = max(0, start - LONGEST_LINK), end + LONGEST_LINK
    for link in _LINK.finditer(text, low, high):
        first, last = link.span()
        if first < start < last < end:
            start = first
        elif start < first < end < last:
            end = last
    return start, end


def with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span of a raw text with its whole links and the marks of emphasis around it.

    Example:
        >>> text = "It is **40 kg** dry."
        >>> with_marks(text, 8, 13)
        (6, 15)
    """
    start, end = with_whole_links(text, start, end)
    before, after = text[:start].rstrip(EMPHASIS), text[end:].lstrip(EMPHASIS)
    start = start if before[-1:].isalnum() else len(before)
    return start, end if after[:1].isalnum() else len(text) - len(after)


def setting_of(document: SourceDocument, start: int, end: int) -> tuple[str, ...]:
    r"""Return the setting of a span of the raw text, in lines; of several blocks, of the first.

    First the title and the headings above, then caption, lead-in, header, language of code or, of a
    transcript, the speaker, as far as there are any.

    Example:
        >>> text = "# Lamps\n\n| Lamp | Range |\n|---|---|\n| Lume | 12 m |\n"
        >>> setting_of(SourceDocument("lamps.md", text), 38, 49)
        ('Lamps', 'Lamp | Range')
    """
    view = document.view
    shown = view.plain_span(start, end)
    number = None if shown is None else view.block_at(shown[0])
    headings = () if number is None else view.headings[number]
    path = " / ".join(path_of(document, headings))
    if shown is None or number is None:
        return (path,) if path else ()
    speaker = view.speaker_at(shown[0])
    around = (*lead_in_of(view, number), speaker and f"{speaker}:")
    return tuple(filter(None, (path, *around)))


def lead_in_of(view: PlainView, number: int) -> tuple[str, ...]:
    """Return the lines without which a block is not understood, headings left out.

    These are its caption, lead-in, header, and, in a list, the sentence and items that it goes on.
    """
    return tuple(dict.fromkeys((*_above(view, number), *around_block(view.blocks[number]))))


def _above(view: PlainView, number: int) -> tuple[str, ...]:
    """Return what a part of a list hangs on: the sentence that it ends, the items it is under.

    With each of these items comes what introduces its list.
    """
    block = view.blocks[number]
    if not block.group or block.kind == "row":
        return ()
    joined = takewhile(lambda n: view.blocks[n].group == block.group, range(number, -1, -1))
    first = min(joined)
    intro = view.block_text(view.blocks[first - 1]) if first else ""
    if view.blocks[first].lead or view.blocks[first - 1].kind != "paragraph" or _ends(intro):
        intro = ""
    under = [number]
    for earlier in range(number - 1, first - 1, -1):
        if _holds(view, earlier, under[-1]):
            under.append(earlier)
    above = [view.blocks[item] for item in reversed(under[1:])]
    items = chain.from_iterable((item.lead, view.block_text(item)) for item in above)
    return tuple(filter(None, (intro, *items)))


def _holds(view: PlainView, earlier: int, number: int) -> bool:
    """Return whether an earlier item of a list is the one that a part of it is under."""
    above, below = view.blocks[earlier], view.blocks[number]
    return above.kind == "item" and (below.kind != "item" or above.level < below.level)


def _before(view: PlainView, start: int) -> str:
    """Return the sentences before a place in its paragraph or item; none of a transcript."""
    number = view.block_at(start)
    if number is None or view.speaker_at(start):
        return ""
    block = view.blocks[number]
    if block.kind not in {"paragraph", "item"} or start <= block.start:
        return ""
    text = view.text[block.start : start]
    ends = [(low, high) for low, high in sentence_spans(text) if _ends(text[low:high])]
    return text[ends[-SENTENCES:][0][0] :] if ends and not text[ends[-1][1] :].strip() else ""


def _ends(text: str) -> bool:
    return text.endswith(SENTENCE_ENDS)


def shown_text(document: SourceDocument, start: int, end: int) -> str:
    """Return what a reader sees of a span of the raw text, below its setting.

    The first line of the setting is put into brackets: it says what the text is about. Up to two
    sentences before the span in its paragraph come with it: they say what "it" is.
    """
    view = document.view
    shown = view.plain_span(start, end)
    text = document.text[start:end] if shown is None else view.text[slice(*shown)]
    before = "" if shown is None else _before(view, shown[0])
    return below(setting_of(document, start, end), f"{before}{text}")


def below(setting: tuple[str, ...], text: str) -> str:
    r"""Return a text below the lines of its setting.

    Example:
        >>> below(("Lamps", "Lamp | Range"), "Lume | 12 m")
        '[Lamps]\nLamp | Range\nLume | 12 m'
    """
    first, *rest = setting or ("",)
    return "\n".join([*([f"[{first}]"] if first else []), *rest, text])


def path_of(document: SourceDocument, headings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the title of a document and headings, each once."""
    title = document.title or document.view.title
    return tuple(dict.fromkeys(filter(None, (title, *headings))))


def around_block(block: Block) -> tuple[str, ...]:
    """Return the lines without which a block is not understood; none for running text."""
    code = f"({block.language})" if block.kind == "code" and block.language else ""
    lines = (block.caption, block.lead, " | ".join(block.header), code)
    return tuple(line for line in lines if line)
