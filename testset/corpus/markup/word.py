"""A Word document as Markdown: headings, lists and tables, by mammoth."""

import re
from pathlib import Path

from testset.corpus.markup.page import page_as_markdown

_TITLE = "p[style-name='Title'] => h1:fresh"
_FIRST_ROW = re.compile(r"<table><tr>.*?</tr>", re.DOTALL)


def docx_as_markdown(path: Path) -> str:
    """Return the text of a .docx; raises what mammoth raises."""
    with path.open("rb") as file:
        import mammoth

        no_images = mammoth.images.img_element(lambda _: {})
        made = mammoth.convert_to_html(file, style_map=_TITLE, convert_image=no_images)
    return page_as_markdown(_FIRST_ROW.sub(_headed, made.value))


def _headed(row: re.Match[str]) -> str:
    """Return the first row of a table with its cells as names of columns.

    Word seldom says that they are. They are taken for it if they are bold, and of three and more.
    """
    cells = row[0].count("<td")
    if cells < 3 and row[0].count("<strong>") < cells:
        return row[0]
    return row[0].replace("<td", "<th").replace("</td", "</th")
