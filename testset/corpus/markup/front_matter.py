"""Front matter: the lines of YAML or TOML at the head of a page."""

import re
from collections.abc import Sequence

from testset.corpus.source import Line, Source
from testset.corpus.writer import ViewWriter

_META = re.compile(r"(?P<key>[\w-]+)\s*[:=][ \t]*(?P<quote>[\"']?)(?P<value>.*?)(?P=quote)[ \t]*$")


def write_front_matter(lines: Sequence[Line], writer: ViewWriter) -> int:
    """Write the front matter of a document, and return the number of the line after it."""
    if not lines or lines[0].text.rstrip() not in {"---", "+++"}:
        return 0
    mark = lines[0].text.rstrip()
    ends = (n for n, line in enumerate(lines[1:], 1) if line.text.rstrip() == mark)
    end = next(ends, 0)
    for line in lines[1:end]:
        writer.write("front_matter", Source([line.stripped()]).parts())
        match = _META.match(line.text)
        if match is not None and match["key"].casefold() == "title":
            writer.declared = match["value"].strip()
    return end + 1 if end else 0
