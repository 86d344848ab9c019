"""The setting of a part of a document: what a reader sees around it and needs to understand it.

A row of a table means nothing without its header, a list item without its lead-in, most sentences
without the title and headings above them. None of these stand in the part itself.
"""

from testset.corpus.documents import SourceDocument
from testset.corpus.plain import Block

__all__ = ["around_block", "below", "path_of", "setting_of", "shown_text"]


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
    place = view.plain_span(start, end)
    number = None if place is None else view.block_at(place[0])
    headings = () if number is None else view.headings[number]
    path = " / ".join(path_of(document, headings))
    around = () if number is None else around_block(view.blocks[number])
    speaker = "" if place is None else view.speaker_at(place[0])
    return tuple(line for line in (path, *around, speaker and f"{speaker}:") if line)


def shown_text(document: SourceDocument, start: int, end: int) -> str:
    """Return what a reader sees of a span of the raw text, below its setting.

    The first line of the setting is put into brackets: it says what the text is about.
    """
    place = document.view.plain_span(start, end)
    text = document.text[start:end] if place is None else document.view.text[slice(*place)]
    return below(setting_of(document, start, end), text)


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
    found = (block.caption, block.lead, " | ".join(block.header), code)
    return tuple(line for line in found if line)
