"""CSV files: each record is a row whose header is the first record.

Fields end at what stands most often in the first line: a comma, a semicolon, as spreadsheets write
where numbers have a comma, or a tab.
"""

import re

from testset.corpus.plain import PlainView
from testset.corpus.source import Part
from testset.corpus.writer import ViewWriter

_FIELD = r'[ \t]*"(?P<quoted>(?:[^"]|"")*)"[^{0}\r\n]*|(?P<bare>[^{0}\r\n]*)'
_QUOTED = re.compile('"[^"]*"')


def read_comma_separated(text: str) -> PlainView:
    r"""Return the plain view of a file of comma-separated values.

    Example:
        >>> view = read_comma_separated('Model,Weight\n"VT, 240",8 kg\n')
        >>> view.blocks[1].header, view.cell_texts(view.blocks[1])
        (('Model', 'Weight'), ('VT, 240', '8 kg'))
    """
    writer = ViewWriter()
    writer.open_table()
    names = _QUOTED.sub("", text.lstrip().partition("\n")[0])
    delimiter = max(",;\t", key=names.count)
    field = re.compile(_FIELD.format(delimiter))
    row: list[list[Part]] = []
    at = 0
    while at <= len(text):
        match = field.match(text, at)
        assert match is not None  # noqa: S101 - the second form matches anything
        row.append(_cell(match))
        at = match.end()
        if text[at : at + 1] != delimiter:
            writer.write_row(row, is_head=True)
            row = []
            at += text.startswith("\r\n", at)
        at += 1
    return writer.view()


def _cell(match: re.Match[str]) -> list[Part]:
    """Return the text of a field; two quotes within quotes are one."""
    if match["quoted"] is None:
        return [Part(match["bare"], *match.span("bare"))]
    low = match.start("quoted")
    return [
        Part(piece[0].replace('""', '"'), low + piece.start(), low + piece.end())
        for piece in re.finditer('""|[^"]+', match["quoted"])
    ]
